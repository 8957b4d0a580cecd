//go:build !js

package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// The lengths in a file of Arrow's are compared with its size before it is read: Arrow's
// library makes room for what they say.

// errDamaged is the error of a file whose lengths cannot be.
var errDamaged = errors.New("the file is damaged")

// Where flatbuffers have their fields: footers, schemas, fields, messages, batches of
// rows and of dictionaries.
const (
	footerSchema, footerDictionaries, footerBatches = 1, 2, 3
	schemaFields                                    = 1
	fieldChildren                                   = 5
	messageKind, messageHeader, messageBody         = 1, 2, 3
	batchRows, batchNodes, batchBuffers             = 0, 1, 2
	dictionaryBatch                                 = 1
	kindSchema, kindDictionary, kindBatch           = 1, 2, 3
)

// The sizes of structures in vectors.
const (
	tableSize = 4
	blockSize = 24
	pairSize  = 16 // a node, or a place and its length
)

// maxNesting bounds how deep the types of columns are nested.
const maxNesting = 64

// verify compares the lengths in a file or a stream with its size. What it reads
// outside of the file panics.
func verify(b []byte) error {
	if !bytes.HasPrefix(b, []byte(fileMark)) {
		return verifyStream(b)
	}
	tail := len(b) - len(fileMark) - 4
	if tail < 0 {
		return errDamaged
	}
	size := int(int32(binary.LittleEndian.Uint32(b[tail:])))
	if size <= 0 || size > tail {
		return errDamaged
	}
	f := root(b[tail-size : tail])
	if err := verifySchema(f.table(footerSchema)); err != nil {
		return err
	}
	for _, field := range []int{footerDictionaries, footerBatches} {
		at, n := f.vector(field, blockSize)
		for i := range n {
			k := at + i*blockSize
			offset, meta, body := f.int64(k), int64(int32(f.uint32(k+8))), f.int64(k+16)
			if offset < 0 || meta < 8 || body < 0 || offset > int64(len(b)) || meta > int64(len(b))-offset || body > int64(len(b))-offset-meta {
				return errDamaged
			}
			if _, _, err := verifyMessage(b[offset:], len(b)); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyStream looks at the messages of a stream.
func verifyStream(b []byte) error {
	for rest := b; len(rest) > 8; {
		n, end, err := verifyMessage(rest, len(b))
		if err != nil || end {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// verifyMessage looks at the message that b begins with, in a file of size bytes. It
// returns how many bytes it has, and whether it is the end of a stream.
func verifyMessage(b []byte, size int) (int, bool, error) {
	head := 4
	n := int(int32(binary.LittleEndian.Uint32(b)))
	if n == -1 { // the mark of newer files
		head, n = 8, int(int32(binary.LittleEndian.Uint32(b[4:])))
	}
	if n == 0 {
		return 0, true, nil
	}
	if n < 0 || n > len(b)-head {
		return 0, false, errDamaged
	}
	m := root(b[head : head+n])
	body := int64(0)
	if k := m.field(messageBody); k > 0 {
		body = m.int64(k)
	}
	if body < 0 || body > int64(len(b)-head-n) {
		return 0, false, errDamaged
	}
	kind := byte(0)
	if k := m.field(messageKind); k > 0 {
		kind = m.b[k]
	}
	batch := m.table(messageHeader)
	switch kind {
	case kindSchema:
		return head + n + int(body), false, verifySchema(batch)
	case kindDictionary:
		batch = batch.table(dictionaryBatch)
	case kindBatch:
	default:
		return 0, false, fmt.Errorf("%w: a message of kind %d", errDamaged, kind)
	}
	return head + n + int(body), false, verifyBatch(batch, size, body)
}

// verifyBatch looks at a batch of rows in a file of size bytes. There are no more rows
// than bits, or than a million where all are null.
func verifyBatch(t table, size int, body int64) error {
	rows := func(k int) error {
		if n := t.int64(k); n < 0 || n > 1e6+8*int64(size) {
			return fmt.Errorf("%w: %d rows", errDamaged, n)
		}
		return nil
	}
	if k := t.field(batchRows); k > 0 {
		if err := rows(k); err != nil {
			return err
		}
	}
	at, n := t.vector(batchNodes, pairSize)
	for i := range n {
		if err := rows(at + i*pairSize); err != nil {
			return err
		}
	}
	at, n = t.vector(batchBuffers, pairSize)
	for i := range n {
		offset, length := t.int64(at+i*pairSize), t.int64(at+i*pairSize+8)
		if offset < 0 || length < 0 || offset > body || length > body-offset {
			return errDamaged
		}
	}
	return nil
}

// verifySchema looks at the fields of a schema.
func verifySchema(t table) error {
	return verifyFields(t, schemaFields, 0)
}

// verifyFields looks at a vector of fields and what is nested in them.
func verifyFields(t table, field, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("%w: types are nested too deeply", errDamaged)
	}
	at, n := t.vector(field, tableSize)
	for i := range n {
		k := at + i*tableSize
		if err := verifyFields(table{t.b, k + int(t.uint32(k))}, fieldChildren, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// table is a table of a flatbuffer.
type table struct {
	b  []byte
	at int
}

// root returns the outermost table of a flatbuffer.
func root(b []byte) table { return table{b, int(binary.LittleEndian.Uint32(b))} }

func (t table) uint32(at int) uint32 { return binary.LittleEndian.Uint32(t.b[at:]) }
func (t table) int64(at int) int64   { return int64(binary.LittleEndian.Uint64(t.b[at:])) }

// field returns where a field is, 0 if the table has none.
func (t table) field(i int) int {
	if t.at == 0 {
		return 0
	}
	v := t.at - int(int32(t.uint32(t.at)))
	size := int(binary.LittleEndian.Uint16(t.b[v:]))
	if 4+2*i+2 > size {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.b[v+4+2*i:]))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

// table returns the table that a field refers to; one without fields if there is none.
func (t table) table(i int) table {
	k := t.field(i)
	if k == 0 {
		return table{t.b, 0}
	}
	return table{t.b, k + int(t.uint32(k))}
}

// vector returns where the elements of a vector are, which take size bytes each, and
// how many there are.
func (t table) vector(i, size int) (at, n int) {
	k := t.field(i)
	if k == 0 {
		return 0, 0
	}
	at = k + int(t.uint32(k))
	n = int(t.uint32(at))
	if n > (len(t.b)-at-4)/size {
		panic("a vector is longer than the file")
	}
	return at + 4, n
}
