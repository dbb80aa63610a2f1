package hbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tsuna/gohbase/hrpc"
	"github.com/tsuna/gohbase/pb"
	"github.com/tsuna/gohbase/region"
	"github.com/tsuna/gohbase/zk"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

// adminService is what servers call the part of theirs that the client does not
// talk to.
const adminService = region.ClientType("AdminService")

// patiently calls do until it returns nil or what servers do not get over, for
// Options.Patience.
func (s *Store) patiently(ctx context.Context, do func(ctx context.Context) error) error {
	inner, stop := context.WithTimeout(ctx, s.o.Patience)
	defer stop()
	retry := s.retry(passing)
	retry.Restart()
	for {
		err := do(inner)
		if err == nil {
			return nil
		}
		end := retry.After(inner, err)
		switch {
		case end == nil:
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case inner.Err() == nil:
			err = end
		}
		return s.impatient(ctx, err) // what servers said last, not that patience has ended
	}
}

// ask sends one call over a connection of its own. The client's own for such
// calls cannot be closed.
func (s *Store) ask(ctx context.Context, addr string, service region.ClientType, calls ...hrpc.Call) ([]proto.Message, error) {
	c := region.NewClient(addr, service, 1, 0, s.o.User, s.o.ReadTimeout, nil)
	dial, stop := context.WithTimeout(ctx, lookupTimeout)
	defer stop()
	if err := c.Dial(dial); err != nil {
		return nil, err
	}
	defer c.Close()
	var replies []proto.Message
	for _, call := range calls {
		c.QueueRPC(call)
		select {
		case r := <-call.ResultChan():
			if r.Error != nil {
				return nil, r.Error
			}
			replies = append(replies, r.Msg)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return replies, nil
}

// master returns the address of the master.
func (s *Store) master(ctx context.Context) (string, error) {
	type answer struct {
		addr string
		err  error
	}
	done := make(chan answer, 1)
	go func() { // by itself, since the lookup does not hear of the context
		addr, err := zk.NewClient(s.quorum, zkTimeout).LocateResource(zk.Master.Prepend(s.o.Root))
		done <- answer{addr, err}
	}()
	select {
	case a := <-done:
		return a.addr, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// createTable creates a table, unless there is one of its name. HBase keeps its
// expired cells for a while longer.
func (s *Store) createTable(ctx context.Context, table []byte, l layout, longer time.Duration) error {
	attributes := map[string]string{"VERSIONS": "1", "BLOOMFILTER": "ROW", "DATA_BLOCK_ENCODING": "FAST_DIFF", "COMPRESSION": "NONE"}
	if l.TTL > 0 {
		attributes["TTL"] = strconv.FormatInt(l.TTL+int64(longer.Seconds()), 10)
	}
	return s.patiently(ctx, func(ctx context.Context) error {
		addr, err := s.master(ctx)
		if err != nil {
			return err
		}
		call := hrpc.NewCreateTable(ctx, table, map[string]map[string]string{family: attributes}, hrpc.SplitKeys(l.splits()))
		replies, err := s.ask(ctx, addr, region.MasterClient, call)
		if err != nil {
			if strings.Contains(err.Error(), "TableExistsException") {
				return nil
			}
			return err
		}
		created, ok := replies[0].(*pb.CreateTableResponse)
		if !ok {
			return fmt.Errorf("reply %T", replies[0])
		}
		for retry := s.retry(passing); ; {
			replies, err := s.ask(ctx, addr, region.MasterClient, hrpc.NewGetProcedureState(ctx, created.GetProcId()))
			if err != nil {
				return err
			}
			r, ok := replies[0].(*pb.GetProcedureResultResponse)
			if !ok {
				return fmt.Errorf("reply %T", replies[0])
			}
			if r.GetState() == pb.GetProcedureResultResponse_FINISHED {
				if e := r.GetException().GetGenericException(); e != nil && !strings.Contains(e.GetClassName(), "TableExistsException") {
					return fmt.Errorf("%w %s: %s", errJava, e.GetClassName(), e.GetMessage())
				}
				return nil
			}
			if err := retry.Pause(ctx); err != nil {
				return err
			}
		}
	})
}

// postingsLonger and documentsLonger say how long HBase keeps the expired cells of
// the tables. The postings of a document are written before it, and have to be there
// as long as the document. The row of the document has to be there longer than its
// postings: a query or a Verify that met a posting without a row would take the
// document for lost. They may read for a day.
var (
	postingsLonger  = time.Hour
	documentsLonger = postingsLonger + 24*time.Hour
)

// regionAt is a region and the server that has it.
type regionAt struct {
	name []byte
	addr string
}

// regions returns the regions of a table.
func (s *Store) regions(ctx context.Context, table []byte) ([]regionAt, error) {
	from := append(bytes.Clone(table), ',')
	scan, err := hrpc.NewScanRange(ctx, []byte("hbase:meta"), from, after(from), hrpc.Families(map[string][]string{"info": nil}))
	if err != nil {
		return nil, err
	}
	scanner := s.client.Scan(scan)
	defer scanner.Close()
	var all []regionAt
	for {
		r, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		info, addr, err := region.ParseRegionInfo(r)
		var offline region.OfflineRegionError
		if errors.As(err, &offline) {
			continue // it was divided, and its parts are there too
		}
		if err != nil {
			return nil, err
		}
		all = append(all, regionAt{bytes.Clone(info.Name()), addr})
	}
}

// compact writes what is in the memory of servers to files, and asks for each
// region to be made one file, which servers do in their own time.
func (s *Store) compact(ctx context.Context) error {
	for _, table := range [][]byte{s.postings, s.documents} {
		var all []regionAt
		err := s.patiently(ctx, func(ctx context.Context) (err error) {
			all, err = s.regions(ctx, table)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range all {
			if err := s.compactRegion(ctx, table, r); err != nil {
				return fmt.Errorf("compact region %s: %w", r.name, err)
			}
		}
	}
	return nil
}

func (s *Store) compactRegion(ctx context.Context, table []byte, r regionAt) error {
	return s.patiently(ctx, func(ctx context.Context) error {
		_, err := s.ask(ctx, r.addr, adminService, newRegionCall(ctx, "FlushRegion", r.name, false), newRegionCall(ctx, "CompactRegion", r.name, true))
		if err == nil {
			return nil
		}
		// The region may have moved or been split, or its server is gone.
		now, e := s.regions(ctx, table)
		if e != nil {
			return err
		}
		i := slices.IndexFunc(now, func(n regionAt) bool { return bytes.Equal(n.name, r.name) })
		if i < 0 {
			return nil
		}
		r.addr = now[i].addr
		return err
	})
}

// regionCall is a call of the service that the client has no calls of. Its
// request begins with the region.
type regionCall struct {
	hrpc.Call
	name    string
	request []byte
}

// The numbers of fields of FlushRegionRequest and CompactRegionRequest.
const (
	fieldRegion protowire.Number = 1
	fieldMajor  protowire.Number = 2 // of CompactRegionRequest
)

func newRegionCall(ctx context.Context, name string, of []byte, major bool) *regionCall {
	spec, err := proto.Marshal(&pb.RegionSpecifier{Type: pb.RegionSpecifier_REGION_NAME.Enum(), Value: of})
	if err != nil {
		panic("hbase: " + err.Error()) // all that is required is there
	}
	b := protowire.AppendBytes(protowire.AppendTag(nil, fieldRegion, protowire.BytesType), spec)
	if major {
		b = protowire.AppendVarint(protowire.AppendTag(b, fieldMajor, protowire.VarintType), 1)
	}
	return &regionCall{Call: newMulti(ctx, nil), name: name, request: b}
}

func (c *regionCall) Name() string               { return c.name }
func (c *regionCall) Description() string        { return c.name }
func (c *regionCall) NewResponse() proto.Message { return &emptypb.Empty{} }

// ToProto returns a message of fields that are not known, which are written as
// they are.
func (c *regionCall) ToProto() proto.Message {
	m := &emptypb.Empty{}
	m.ProtoReflect().SetUnknown(c.request)
	return m
}

// tableBytes returns how large a table is, by what its servers have last told
// the master, in files and in memory. They tell whole mebibytes.
func (s *Store) tableBytes(ctx context.Context) (postings, documents int64, err error) {
	err = s.patiently(ctx, func(ctx context.Context) error {
		postings, documents = 0, 0
		addr, err := s.master(ctx)
		if err != nil {
			return err
		}
		call := hrpc.NewClusterStatus()
		call.SetContext(ctx)
		replies, err := s.ask(ctx, addr, region.MasterClient, call)
		if err != nil {
			return err
		}
		r, ok := replies[0].(*pb.GetClusterStatusResponse)
		if !ok {
			return fmt.Errorf("reply %T", replies[0])
		}
		for _, server := range r.GetClusterStatus().GetLiveServers() {
			for _, load := range server.GetServerLoad().GetRegionLoads() {
				size := int64(load.GetStorefileSize_MB()+load.GetMemstoreSize_MB()) << 20
				table, _, _ := bytes.Cut(load.GetRegionSpecifier().GetValue(), []byte(","))
				switch {
				case bytes.Equal(table, s.postings):
					postings += size
				case bytes.Equal(table, s.documents):
					documents += size
				}
			}
		}
		return nil
	})
	return postings, documents, err
}
