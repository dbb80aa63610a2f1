package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/index/hbase"
)

// hbaseServers are HBase in a process of scripts/hbase, with a number of region servers.
type hbaseServers struct {
	dir    string
	quorum string
	tables int // that were made
}

// script runs scripts/hbase, in the folder of the repository.
func script(ctx context.Context, args ...string) (string, error) {
	out, err := kit.Output(exec.CommandContext(ctx, "bash", append([]string{"scripts/hbase"}, args...)...))
	return strings.TrimSpace(string(out)), err
}

// hbase returns HBase with a number of region servers.
func (v *servers) hbase(ctx context.Context, regionServers int) (*hbaseServers, error) {
	if h := v.hbases[regionServers]; h != nil {
		return h, nil
	}
	for _, p := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(p); err != nil {
			return nil, fmt.Errorf("%s: %w", p, errAbsent)
		}
	}
	hbase.Quiet()
	h := &hbaseServers{dir: filepath.Join(v.dir, fmt.Sprintf("hbase-%d", regionServers))}
	var err error
	if h.quorum, err = script(ctx, "start", h.dir, strconv.Itoa(regionServers)); err != nil {
		return nil, err
	}
	if v.hbases == nil {
		v.hbases = map[int]*hbaseServers{}
	}
	v.hbases[regionServers] = h
	return h, nil
}

func (h *hbaseServers) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, _ = script(ctx, "stop", h.dir) // what does not stop is killed by the script
}

// openHBase returns a store in tables of its own.
func (l *lab) openHBase(ctx context.Context) (store, error) {
	h, err := l.servers.hbase(ctx, 1)
	if err != nil {
		return store{}, err
	}
	h.tables++
	name := "scale" + strconv.Itoa(h.tables)
	s, err := hbase.Open(ctx, "hbase://"+h.quorum, hbase.Options{Name: name})
	if err != nil {
		return store{}, err
	}
	return store{Store: s, bytes: func() (int64, error) {
		if _, err := script(ctx, "compact", h.dir, name+"_postings", name+"_documents"); err != nil {
			return 0, err
		}
		return h.bytes(name)
	}}, nil
}

// bytes returns the bytes of the files of an index's tables: what was compacted away is not
// among them, logs neither.
func (h *hbaseServers) bytes(name string) (sum int64, err error) {
	err = filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil // files come and go
		}
		if err != nil || d.IsDir() {
			return err
		}
		if strings.Contains(path, "/data/default/"+name+"_") && !strings.Contains(path, "/archive/") && !strings.HasSuffix(path, ".crc") {
			info, err := d.Info()
			if errors.Is(err, os.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			sum += info.Size()
		}
		return nil
	})
	if err == nil && sum == 0 {
		err = fmt.Errorf("no files of %s in %s", name, h.dir)
	}
	return sum, err
}

// hbaseOutage ends one of three region servers as a crash does.
func hbaseOutage(ctx context.Context, l *lab) (outage, error) {
	h, err := l.servers.hbase(ctx, 3)
	if err != nil {
		return outage{}, err
	}
	s, err := hbase.Open(ctx, "hbase://"+h.quorum, hbase.Options{Name: "outage", Patience: 5 * time.Minute})
	if err != nil {
		return outage{}, err
	}
	kill := func() error {
		_, err := script(ctx, "region", h.dir)
		return err
	}
	// It is whole when a scan of all regions succeeds, which an index of few documents is.
	whole := func() bool {
		_, err := s.Stats(ctx)
		return err == nil
	}
	return watch(ctx, outage{Backend: "hbase", Event: "one of three region servers killed"}, s, kill, whole)
}
