package redis_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// certificates writes a certificate for 127.0.0.1 that signs itself, and its key, and returns their names.
func certificates(t *testing.T) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "alike test"},
		NotBefore:             time.Now().Add(-24 * time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, b []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	return write("cert.pem", "CERTIFICATE", signed), write("key.pem", "PRIVATE KEY", encoded)
}

// A URL of rediss: speaks TLS with a server that speaks nothing else on that port, and with none whose
// certificate it has no reason to trust.
func TestTLS(t *testing.T) {
	indextest.Need(t, "redis-server")
	cert, key := certificates(t)
	running.Lock()
	server := start(t, "--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert, "--tls-auth-clients", "no")
	running.Unlock()
	ctx := t.Context()
	c := goredis.NewClient(&goredis.Options{Addr: server.addr()})
	defer c.Close()
	port := 0
	indextest.Eventually(t, "the server has a port for TLS", func() bool {
		port = freePort(t)
		return c.ConfigSet(ctx, "tls-port", strconv.Itoa(port)).Err() == nil
	})
	s := open(t, fmt.Sprintf("rediss://127.0.0.1:%d?ca=%s", port, cert), redis.Options{})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Header(ctx); string(got) != "header" || err != nil {
		t.Errorf("header %q, %v", got, err)
	}
	for _, c := range []struct{ url, err string }{
		{fmt.Sprintf("rediss://127.0.0.1:%d", port), "certificate"},
		{fmt.Sprintf("rediss://127.0.0.1:%d?ca=%s", port, key), "no PEM certificate"},
		{fmt.Sprintf("rediss://127.0.0.1:%d?ca=%s.none", port, cert), "no such file"},
		{fmt.Sprintf("redis://127.0.0.1:%d?ca=%s", port, cert), "want rediss"},
		{fmt.Sprintf("redis://127.0.0.1:%d", port), ""},
	} {
		s, err := redis.Open(ctx, c.url, redis.Options{Patience: -1})
		if err == nil {
			s.Close()
			t.Errorf("%s was opened", c.url)
		} else if !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want an error with %q", c.url, err, c.err)
		}
	}
}
