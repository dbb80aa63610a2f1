package ensemble

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/similarity"
)

// FitState is FitNone while a member could learn from a corpus and has not, Fitted where all have
// that could, and FitUseless where none could. Weights are another matter; see Train.
func (m *Method) FitState() similarity.FitState {
	state := similarity.FitUseless
	for _, x := range m.members {
		switch x.FitState() {
		case similarity.FitNone:
			return similarity.FitNone
		case similarity.Fitted:
			state = similarity.Fitted
		}
	}
	return state
}

// Fit returns the ensemble with every member fitted on docs that has not been. The weights stay as
// they are; see Train.
func (m *Method) Fit(docs iter.Seq[string]) (similarity.Method, error) {
	out := slices.Clone(m.members)
	for i, x := range out {
		if x.FitState() != similarity.FitNone {
			continue
		}
		f, err := x.Fit(docs)
		if err != nil {
			return nil, err
		}
		out[i] = f
	}
	return m.with(out)
}

// with returns the ensemble of other members with the same weights.
func (m *Method) with(members []similarity.Method) (similarity.Method, error) {
	o := Options{Members: members}
	if m.trained {
		o.Weights, o.Bias = m.weights, m.bias
	}
	return New(o)
}

// fitSum is a checksum of the members' fits.
func (m *Method) fitSum() string {
	h := xxh3.New()
	for _, x := range m.members {
		if x.FitState() == similarity.Fitted {
			io.WriteString(h, x.Settings())
		}
		h.Write([]byte{0})
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:8])
}

// WriteFit saves the fits of the members. The weights are in the spec.
func (m *Method) WriteFit(w io.Writer) error {
	if m.FitState() != similarity.Fitted {
		return errors.New("ensemble: no fit to save")
	}
	buf := similarity.AppendHeader(nil, "fit", m.spec())
	for _, x := range m.members {
		var fit bytes.Buffer
		if x.FitState() == similarity.Fitted {
			if err := x.WriteFit(&fit); err != nil {
				return err
			}
		}
		buf = binary.AppendUvarint(buf, uint64(fit.Len()))
		buf = append(buf, fit.Bytes()...)
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("ensemble: save fit: %w", err)
	}
	return nil
}

// spec names the members without their fits.
func (m *Method) spec() string {
	parts := make([]string, len(m.members))
	for i, x := range m.members {
		parts[i] = similarity.WithoutFit(x.String())
	}
	return similarity.Spec("ensemble", parts...)
}

// ReadFit returns the ensemble under the fits that WriteFit saved of the same members.
func (m *Method) ReadFit(r io.Reader) (similarity.Method, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("ensemble: read fit: %w", err)
	}
	rest, err := similarity.CheckHeader(data, "fit", m.spec())
	if err != nil {
		return nil, err
	}
	br := bufio.NewReader(bytes.NewReader(rest))
	out := slices.Clone(m.members)
	for i, x := range out {
		block, err := readBlock(br, uint64(len(rest)))
		if err != nil {
			return nil, err
		}
		if len(block) == 0 {
			continue
		}
		if out[i], err = x.ReadFit(bytes.NewReader(block)); err != nil {
			return nil, err
		}
	}
	if _, err := br.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("ensemble: bytes after the fit: %w", similarity.ErrFormat)
	}
	return m.with(out)
}
