package redis_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// server is a redis-server that the tests have started.
type server struct {
	port int
	cmd  *exec.Cmd
	gone chan struct{} // closed when the process has ended
}

func (s *server) addr() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

// kill ends the process as a crash does.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.gone
}

// running are the servers of all tests, started when the first test asks for them.
var running struct {
	sync.Mutex
	dir    string
	single *server
	nodes  []*server
	all    []*server
}

func TestMain(m *testing.M) {
	if load.AttackMain(openAttacked) {
		return
	}
	if url := os.Getenv(adderURL); url != "" {
		if err := addInProcess(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	for _, s := range running.all {
		s.kill()
	}
	if running.dir != "" {
		_ = os.RemoveAll(running.dir)
	}
	os.Exit(code)
}

// openAttacked opens the store of an attack.
func openAttacked(ctx context.Context, url string) (index.Store, error) {
	redis.Quiet()
	s, err := redis.Open(ctx, url, redis.Options{Documents: 20_000, Patience: 2 * time.Minute, Strict: true, Lease: time.Second})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// freePort returns a port that is free, and whose port of the cluster's bus is
// one. Both lie below those that systems give to outgoing connections, one of
// which could take them before the server does.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := 12000 + rand.IntN(10000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		bus, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+10000))
		l.Close()
		if err == nil {
			bus.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// start starts a server and waits until it answers. The caller holds running.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	if running.dir == "" {
		dir, err := os.MkdirTemp("", "alike-redis-")
		if err != nil {
			t.Fatal(err)
		}
		running.dir = dir
	}
	for range 10 {
		port := freePort(t)
		dir := filepath.Join(running.dir, strconv.Itoa(port))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		s := run(t, port, append([]string{
			"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--logfile", "log",
		}, args...))
		if s.answers(t) {
			return s
		}
	}
	t.Fatal("ten servers ended before they answered")
	return nil
}

// run runs a server. The caller holds running.
func run(t testing.TB, port int, args []string) *server {
	t.Helper()
	s := &server{port: port, cmd: exec.Command("redis-server", args...), gone: make(chan struct{})}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.gone)
	}()
	running.all = append(running.all, s)
	return s
}

// answers waits until a server answers, or has ended because somebody else has
// got the port by now.
func (s *server) answers(t testing.TB) (ok bool) {
	t.Helper()
	c := goredis.NewClient(&goredis.Options{Addr: s.addr()})
	defer c.Close()
	indextest.Eventually(t, "a server answers", func() bool {
		select {
		case <-s.gone:
			return true
		default:
			info, err := c.Info(context.Background(), "server").Result()
			ok = err == nil && strings.Contains(info, fmt.Sprintf("process_id:%d\r\n", s.cmd.Process.Pid))
			return ok
		}
	})
	return ok
}

// single returns the server of the tests.
func single(t testing.TB) *server {
	t.Helper()
	indextest.Need(t, "redis-server")
	running.Lock()
	defer running.Unlock()
	if running.single == nil {
		running.single = start(t)
	}
	return running.single
}

// cluster returns the nodes of the tests' cluster.
func cluster(t testing.TB) []*server {
	t.Helper()
	indextest.Need(t, "redis-server", "redis-cli")
	running.Lock()
	defer running.Unlock()
	if running.nodes == nil {
		// No master is to be given up because the machine is busy.
		running.nodes = startCluster(t, 15*time.Second)
	}
	return running.nodes
}

// startCluster starts three masters with a replica each, with more arguments.
// The caller holds running.
func startCluster(t testing.TB, timeout time.Duration, more ...string) []*server {
	t.Helper()
	var nodes []*server
	args := []string{"--cluster", "create"}
	for range 6 {
		s := start(t, append([]string{"--cluster-enabled", "yes", "--cluster-node-timeout", strconv.FormatInt(timeout.Milliseconds(), 10)}, more...)...)
		nodes, args = append(nodes, s), append(args, s.addr())
	}
	args = append(args, "--cluster-replicas", "1", "--cluster-yes")
	if out, err := exec.Command("redis-cli", args...).CombinedOutput(); err != nil {
		t.Fatalf("create a cluster: %v\n%s", err, out)
	}
	for _, s := range nodes {
		c := goredis.NewClient(&goredis.Options{Addr: s.addr()})
		defer c.Close()
		indextest.Eventually(t, "a node knows the cluster", func() bool {
			info, err := c.ClusterInfo(context.Background()).Result()
			return err == nil && strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:6")
		})
		indextest.Eventually(t, "replicas are connected", func() bool {
			info, err := c.Info(context.Background(), "replication").Result()
			return err == nil && (strings.Contains(info, "connected_slaves:1") || strings.Contains(info, "master_link_status:up"))
		})
	}
	return nodes
}

// addrs returns the addresses of nodes, joined by commas.
func addrs(nodes []*server) string {
	var all []string
	for _, s := range nodes {
		all = append(all, s.addr())
	}
	return strings.Join(all, ",")
}

// open opens a store by URL.
func open(t testing.TB, url string, o redis.Options) *redis.Store {
	t.Helper()
	s, err := redis.Open(context.Background(), url, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}
