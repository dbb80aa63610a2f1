package hbase

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/tsuna/gohbase/hrpc"
	"github.com/tsuna/gohbase/pb"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// op is what is done to one row: it is read, or changed, or changed on a condition.
type op struct {
	table, row []byte
	get        *pb.Get
	change     []*pb.MutationProto // more than one only with a condition
	condition  *pb.Condition

	// What came of it.
	cells []*pb.Cell
	met   bool // the condition was
	err   error
}

// cell returns the cell of a column, nil where there is none or an empty one, which is what clear leaves.
func (o *op) cell(column string) *pb.Cell {
	for _, c := range o.cells {
		if string(c.Qualifier) == column && len(c.Value) > 0 {
			return c
		}
	}
	return nil
}

// getOp reads a row, or the column of it that is named.
func getOp(table, row []byte, column string) *op {
	c := &pb.Column{Family: []byte(family)}
	if column != "" {
		c.Qualifier = [][]byte{[]byte(column)}
	}
	return &op{table: table, row: row, get: &pb.Get{Row: row, Column: []*pb.Column{c}}}
}

func changeOp(table []byte, m *pb.MutationProto) *op {
	return &op{table: table, row: m.Row, change: []*pb.MutationProto{m}}
}

// casOp makes changes of a row if a column has the value, or where it is nil, is not there or empty.
func casOp(table, row []byte, column string, value []byte, change ...*pb.MutationProto) *op {
	comparator, err := proto.Marshal(&pb.BinaryComparator{Comparable: &pb.ByteArrayComparable{Value: value}})
	if err != nil {
		panic("hbase: " + err.Error()) // there is nothing in it that could fail
	}
	return &op{table: table, row: row, change: change, condition: &pb.Condition{
		Row: row, Family: []byte(family), Qualifier: []byte(column), CompareType: pb.CompareType_EQUAL.Enum(),
		Comparator: &pb.Comparator{Name: proto.String("org.apache.hadoop.hbase.filter.BinaryComparator"), SerializedComparator: comparator},
	}}
}

func mutation(kind pb.MutationProto_MutationType, row []byte, column, value []byte) *pb.MutationProto {
	if value == nil {
		value = []byte{} // servers want one that is there
	}
	q := &pb.MutationProto_ColumnValue_QualifierValue{Qualifier: column, Value: value}
	if kind == pb.MutationProto_DELETE {
		q.DeleteType = pb.MutationProto_DELETE_MULTIPLE_VERSIONS.Enum()
	}
	return &pb.MutationProto{Row: row, MutateType: kind.Enum(), Durability: pb.MutationProto_USE_DEFAULT.Enum(), ColumnValue: []*pb.MutationProto_ColumnValue{
		{Family: []byte(family), QualifierValue: []*pb.MutationProto_ColumnValue_QualifierValue{q}},
	}}
}

func put(row []byte, column string, value []byte) *pb.MutationProto {
	return mutation(pb.MutationProto_PUT, row, []byte(column), value)
}

// clear makes a column empty, which a condition takes for absent. To delete it would hide what is put within the same
// millisecond.
func clear(row []byte, column string) *pb.MutationProto { return put(row, column, nil) }

// drop deletes a column that is not put again.
func drop(row []byte, column string) *pb.MutationProto {
	return mutation(pb.MutationProto_DELETE, row, []byte(column), nil)
}

// dropRow deletes all columns.
func dropRow(row []byte) *pb.MutationProto {
	return &pb.MutationProto{Row: row, MutateType: pb.MutationProto_DELETE.Enum(), ColumnValue: []*pb.MutationProto_ColumnValue{
		{Family: []byte(family), QualifierValue: []*pb.MutationProto_ColumnValue_QualifierValue{{
			Qualifier: []byte{}, DeleteType: pb.MutationProto_DELETE_FAMILY.Enum(),
		}}},
	}}
}

func add(row []byte, column string, n uint64) *pb.MutationProto {
	return mutation(pb.MutationProto_INCREMENT, row, []byte(column), numberBytes(n))
}

// multi is a call that carries out many ops on the rows of one region. The client has batches too, but takes
// a goroutine for each row and fills them by waiting.
type multi struct {
	ctxM   sync.Mutex // the client sets it while another goroutine of its asks
	ctx    context.Context
	ops    []*op // of one table
	region hrpc.RegionInfo
	done   chan hrpc.RPCResult
	sent   [][]*op // the ops of each region action
}

func newMulti(ctx context.Context, ops []*op) *multi {
	return &multi{ctx: ctx, ops: ops, done: make(chan hrpc.RPCResult, 1)}
}

func (m *multi) Name() string                    { return "Multi" }
func (m *multi) Description() string             { return "Multi" }
func (m *multi) Table() []byte                   { return m.ops[0].table }
func (m *multi) Key() []byte                     { return m.ops[0].row }
func (m *multi) Region() hrpc.RegionInfo         { return m.region }
func (m *multi) SetRegion(r hrpc.RegionInfo)     { m.region = r }
func (m *multi) ResultChan() chan hrpc.RPCResult { return m.done }
func (m *multi) NewResponse() proto.Message      { return &pb.MultiResponse{} }
func (m *multi) Context() context.Context        { m.ctxM.Lock(); defer m.ctxM.Unlock(); return m.ctx }
func (m *multi) SetContext(ctx context.Context)  { m.ctxM.Lock(); defer m.ctxM.Unlock(); m.ctx = ctx }

// The numbers of fields that HBase 2.4 has added to those that the client's package pb knows.
const (
	fieldCondition protowire.Number = 4 // of RegionAction
	fieldProcessed protowire.Number = 3 // of RegionActionResult
)

// ToProto makes the request, of those ops whose rows are in the region that the client has found for the first:
// one region action for all without a condition, and one for each other. The client may call it again, with another region.
func (m *multi) ToProto() proto.Message {
	region := &pb.RegionSpecifier{Type: pb.RegionSpecifier_REGION_NAME.Enum(), Value: m.region.Name()}
	m.sent = m.sent[:0]
	req := &pb.MultiRequest{}
	var plain *pb.RegionAction
	at := 0
	for _, o := range m.ops {
		if bytes.Compare(o.row, m.region.StartKey()) < 0 || len(m.region.StopKey()) > 0 && bytes.Compare(o.row, m.region.StopKey()) >= 0 {
			continue
		}
		if o.condition == nil {
			if plain == nil {
				plain = &pb.RegionAction{Region: region}
				at = len(m.sent)
				req.RegionAction, m.sent = append(req.RegionAction, plain), append(m.sent, nil)
			}
			a := &pb.Action{Index: proto.Uint32(uint32(len(m.sent[at]))), Get: o.get}
			if o.get == nil {
				a.Mutation = o.change[0]
			}
			plain.Action, m.sent[at] = append(plain.Action, a), append(m.sent[at], o)
			continue
		}
		ra := &pb.RegionAction{Region: region, Atomic: proto.Bool(true)}
		for i, c := range o.change {
			ra.Action = append(ra.Action, &pb.Action{Index: proto.Uint32(uint32(i)), Mutation: c})
		}
		condition, err := proto.Marshal(o.condition)
		if err != nil {
			panic("hbase: " + err.Error()) // all that is required is there
		}
		ra.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, fieldCondition, protowire.BytesType), condition))
		req.RegionAction, m.sent = append(req.RegionAction, ra), append(m.sent, []*op{o})
	}
	return req
}

// DeserializeCellBlocks gives results their cells, which come behind the response, one after the other.
func (m *multi) DeserializeCellBlocks(msg proto.Message, b []byte) (uint32, error) {
	read := uint32(0)
	for _, r := range msg.(*pb.MultiResponse).RegionActionResult {
		for _, e := range r.ResultOrException {
			if e.GetResult().GetAssociatedCellCount() == 0 {
				continue
			}
			n, err := new(hrpc.Get).DeserializeCellBlocks(&pb.GetResponse{Result: e.Result}, b[read:])
			if err != nil {
				return read, err
			}
			read += n
		}
	}
	return read, nil
}

// take sets what came of the ops, each of which has an error afterwards or was carried out.
func (m *multi) take(msg proto.Message, err error) {
	for _, o := range m.ops {
		o.err, o.cells, o.met = err, nil, false
		if err == nil {
			o.err = errUnsent
		}
	}
	if err != nil {
		return
	}
	resp, ok := msg.(*pb.MultiResponse)
	if !ok || len(resp.RegionActionResult) != len(m.sent) {
		return
	}
	for i, r := range resp.RegionActionResult {
		if r.Exception != nil {
			for _, o := range m.sent[i] {
				o.err = javaError(r.Exception)
			}
			continue
		}
		if len(m.sent[i]) == 1 && m.sent[i][0].condition != nil {
			o := m.sent[i][0]
			o.met, o.err = processed(r)
		}
		for _, e := range r.ResultOrException {
			if m.sent[i][0].condition != nil {
				if e.Exception != nil {
					m.sent[i][0].err = javaError(e.Exception)
				}
				continue
			}
			if int(e.GetIndex()) >= len(m.sent[i]) {
				continue
			}
			o := m.sent[i][e.GetIndex()]
			if e.Exception != nil {
				o.err = javaError(e.Exception)
			} else {
				o.err, o.cells = nil, e.GetResult().GetCell()
			}
		}
	}
}

// processed returns whether a region action's condition was met.
func processed(r *pb.RegionActionResult) (bool, error) {
	for b := r.ProtoReflect().GetUnknown(); len(b) > 0; {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			break
		}
		b = b[n:]
		if number == fieldProcessed && kind == protowire.VarintType {
			v, n := protowire.ConsumeVarint(b)
			return n > 0 && v != 0, nil
		}
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			break
		}
		b = b[n:]
	}
	return false, errOld
}

func javaError(e *pb.NameBytesPair) error {
	text, _, _ := bytes.Cut(e.Value, []byte("\n"))
	return fmt.Errorf("%w %s: %s", errJava, e.GetName(), text)
}
