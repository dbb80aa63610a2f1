//go:build unix

package redis_test

import (
	"context"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index/indextest"
)

// Nodes of a cluster, masters and replicas, are killed and stopped at random
// while several processes write and read. A killed node comes back with its
// append-only file. Of a master and its replica at most one is down at a time,
// and one that is back is given the time to catch up.
func TestAttackCluster(t *testing.T) {
	load.AttackTime(t)
	indextest.Need(t, "redis-server", "redis-cli")
	running.Lock()
	nodes := startCluster(t, 2*time.Second, "--appendonly", "yes")
	running.Unlock()
	a := load.StartAttack(t, "redis+cluster://"+addrs(nodes)+"?name=attack", openAttacked)
	for a.Goes() {
		a.Wait(3 * time.Second)
		i := a.Rand.IntN(len(nodes))
		switch a.Rand.IntN(4) {
		case 0:
			a.KillAdder()
			continue
		case 1:
			node := nodes[i].cmd.Process
			if err := node.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			a.Wait(8 * time.Second)
			if err := node.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			a.Count("stopped for a while")
		default:
			nodes[i].kill()
			a.Count("killed")
			a.Wait(6 * time.Second)
			running.Lock()
			nodes[i] = restart(t, nodes[i])
			running.Unlock()
		}
		whole(t, nodes)
	}
	a.Check()
}

// whole waits until every slot has a master with a replica that has caught up.
func whole(t *testing.T, nodes []*server) {
	t.Helper()
	indextest.Eventually(t, "the cluster is whole", func() bool {
		masters, replicas := 0, 0
		for _, n := range nodes {
			c := goredis.NewClient(&goredis.Options{Addr: n.addr()})
			info, err := c.Info(context.Background(), "replication").Result()
			state, err2 := c.ClusterInfo(context.Background()).Result()
			c.Close()
			fields, cluster := fieldsOf(info), fieldsOf(state)
			if err != nil || err2 != nil || cluster["cluster_state"] != "ok" {
				return false
			}
			if fields["role"] == "master" {
				if n, err := strconv.Atoi(fields["connected_slaves"]); err != nil || n == 0 {
					continue // it has just come back, and no slots
				}
				masters++
			} else if fields["master_link_status"] == "up" {
				replicas++
			}
		}
		return masters == 3 && replicas == 3
	})
}

// restart starts a server again that has ended, with its folder. The caller
// holds running.
func restart(t testing.TB, s *server) *server {
	t.Helper()
	next := run(t, s.port, s.cmd.Args[1:])
	if !next.answers(t) {
		t.Fatal("a server that was started again has ended")
	}
	return next
}

// fieldsOf returns the fields of what INFO says.
func fieldsOf(info string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}
