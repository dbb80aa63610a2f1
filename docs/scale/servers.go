package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// servers are those that were started here, on the loopback device; those of Redis write nothing to disk.
type servers struct {
	dir     string
	single  *server
	cluster []*server // three masters
	all     []*server
	hbases  map[int]*hbaseServers // by the number of region servers
}

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

// client returns a client with patience: to empty a server of millions of keys takes a while.
func (s *server) client() *goredis.Client {
	return goredis.NewClient(&goredis.Options{Addr: s.addr(), DisableIdentity: true, ReadTimeout: 2 * time.Minute})
}

// hasRedis reports whether servers can be started.
func hasRedis() bool {
	_, err := exec.LookPath("redis-server")
	_, err2 := exec.LookPath("redis-cli")
	return err == nil && err2 == nil
}

// freePort returns a port that is free, and whose port of the cluster's bus is.
func freePort() (int, error) {
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		port := l.Addr().(*net.TCPAddr).Port
		bus, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+10000))
		l.Close()
		if err == nil {
			bus.Close()
			return port, nil
		}
	}
	return 0, errors.New("no port is free")
}

func (v *servers) start(ctx context.Context, args ...string) (*server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{port: port, gone: make(chan struct{})}
	dir := filepath.Join(v.dir, "redis-"+strconv.Itoa(port))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s.cmd = exec.Command("redis-server", append([]string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--logfile", "log",
	}, args...)...)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	v.all = append(v.all, s)
	go func() {
		_ = s.cmd.Wait()
		close(s.gone)
	}()
	c := s.client()
	defer c.Close()
	return s, eventually(ctx, "a server answers", func() bool { return c.Ping(ctx).Err() == nil })
}

// stop ends all that were started.
func (v *servers) stop() {
	for _, s := range v.all {
		s.kill()
	}
	for _, h := range v.hbases {
		h.stop()
	}
	v.all, v.single, v.cluster, v.hbases = nil, nil, nil, nil
}

// redis returns a server without data.
func (v *servers) redis(ctx context.Context) (_ *server, err error) {
	if v.single == nil {
		if v.single, err = v.start(ctx); err != nil {
			return nil, err
		}
	}
	return v.single, empty(ctx, v.single)
}

// masters returns a cluster of three masters without data or replicas.
func (v *servers) masters(ctx context.Context) (_ []*server, err error) {
	if v.cluster == nil {
		if v.cluster, err = v.startCluster(ctx, 3, 0); err != nil {
			return nil, err
		}
	}
	return v.cluster, empty(ctx, v.cluster...)
}

func (v *servers) startCluster(ctx context.Context, masters, replicas int) (nodes []*server, err error) {
	args := []string{"--cluster", "create"}
	for range masters * (1 + replicas) {
		s, err := v.start(ctx, "--cluster-enabled", "yes", "--cluster-node-timeout", "1000")
		if err != nil {
			return nil, err
		}
		nodes, args = append(nodes, s), append(args, s.addr())
	}
	args = append(args, "--cluster-replicas", strconv.Itoa(replicas), "--cluster-yes")
	if out, err := exec.CommandContext(ctx, "redis-cli", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("create a cluster: %w\n%s", err, out)
	}
	for _, s := range nodes {
		c := s.client()
		defer c.Close()
		if err := eventually(ctx, "a node knows the cluster", func() bool {
			info, err := c.ClusterInfo(ctx).Result()
			if err != nil || !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", len(nodes))) {
				return false
			}
			info, err = c.Info(ctx, "replication").Result()
			return err == nil && (replicas == 0 || strings.Contains(info, fmt.Sprintf("connected_slaves:%d", replicas)) || strings.Contains(info, "master_link_status:up"))
		}); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func empty(ctx context.Context, all ...*server) error {
	for _, s := range all {
		c := s.client()
		err := c.FlushAll(ctx).Err()
		c.Close()
		if err != nil {
			return fmt.Errorf("empty the server: %w", err)
		}
	}
	return nil
}

// memory returns what servers say they use of memory.
func memory(ctx context.Context, all ...*server) (sum int64, err error) {
	for _, s := range all {
		c := s.client()
		info, err := c.Info(ctx, "memory").Result()
		c.Close()
		if err != nil {
			return 0, fmt.Errorf("ask for the memory in use: %w", err)
		}
		_, rest, _ := strings.Cut(info, "used_memory:")
		line, _, _ := strings.Cut(rest, "\r\n")
		n, err := strconv.ParseInt(line, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("redis tells no used_memory: %w", err)
		}
		sum += n
	}
	return sum, nil
}

func addrs(nodes []*server) string {
	var all []string
	for _, s := range nodes {
		all = append(all, s.addr())
	}
	return strings.Join(all, ",")
}

// eventually waits until something is true, for two minutes at most.
func eventually(ctx context.Context, what string, is func() bool) error {
	for end := time.Now().Add(2 * time.Minute); !is(); {
		if time.Now().After(end) {
			return fmt.Errorf("it does not come that %s", what)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}
