package opencl

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/tailor-lang/tailor/internal/seal"
)

// Program is a set of compiled kernels.
type Program struct {
	Cached  bool // it was built from a binary of the cache
	program uintptr
	q       *Queue
}

// Build compiles a source, or loads the binary that an earlier build left in
// the queue's cache. One that enables cl_khr_subgroups or cl_khr_fp64 needs a device that has them.
func (q *Queue) Build(source, options string) (*Program, error) {
	path := ""
	if strings.Contains(source, "cl_khr_fp64 :") && !q.Device.Doubles {
		return nil, &Lack{q.Device.Name, Doubles}
	}
	if strings.Contains(source, "cl_khr_subgroups :") {
		if !q.Device.SubGroups {
			return nil, &Lack{q.Device.Name, SubGroups}
		}
		options += " " + q.Device.standard()
	}
	if q.Cache != "" {
		d := q.Device
		sum := sha256.Sum256([]byte(strings.Join([]string{d.Platform, d.Name, d.Version, d.Driver, options, source}, "\x00")))
		path = filepath.Join(q.Cache, fmt.Sprintf("cl-%x", sum[:20]))
		file, _ := os.ReadFile(path)
		if binary, ok := seal.Contents(file); ok && len(binary) > 0 {
			if p, err := q.fromBinary(binary, options); err == nil {
				now := time.Now()
				os.Chtimes(path, now, now) // the least recently used go first
				return p, nil
			}
		}
	}
	p, err := q.fromSource(source, options)
	if err == nil && path != "" {
		p.save(path)
	}
	return p, err
}

func (q *Queue) fromSource(source, options string) (*Program, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	text := append([]byte(source), 0)
	pin.Pin(&text[0])
	texts, size, status := []*byte{&text[0]}, uintptr(len(source)), int32(0)
	program := clCreateProgramWithSource(q.context, 1, &texts[0], &size, &status)
	if err := check(status, "giving the kernels to the driver"); err != nil {
		return nil, err
	}
	p := &Program{program: program, q: q}
	return p, p.build(options)
}

func (q *Queue) fromBinary(binary []byte, options string) (*Program, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&binary[0])
	texts, size := []*byte{&binary[0]}, uintptr(len(binary))
	var each, status int32
	program := clCreateProgramWithBinary(q.context, 1, &q.Device.id, &size, &texts[0], &each, &status)
	if err := check(status, "loading kernels from the cache"); err != nil {
		return nil, err
	}
	p := &Program{program: program, q: q, Cached: true}
	return p, p.build(options)
}

func (p *Program) build(options string) error {
	const buildLog = 0x1183
	o := append([]byte(options), 0)
	status := clBuildProgram(p.program, 1, &p.q.Device.id, &o[0], 0, 0)
	if status == 0 {
		return nil
	}
	log := text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
		return clGetProgramBuildInfo(p.program, p.q.Device.id, buildLog, size, value, got)
	})
	p.Release()
	return &Error{Doing: "compiling the kernels", Code: status, Log: log}
}

// save writes the program's binary; nothing is lost where it fails.
func (p *Program) save(path string) {
	const binarySizes, binaries = 0x1165, 0x1166
	var size uintptr
	if clGetProgramInfo(p.program, binarySizes, unsafe.Sizeof(size), unsafe.Pointer(&size), nil) != 0 || size == 0 {
		return
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	binary := make([]byte, size)
	pin.Pin(&binary[0])
	list := []*byte{&binary[0]}
	if clGetProgramInfo(p.program, binaries, unsafe.Sizeof(list[0]), unsafe.Pointer(&list[0]), nil) != 0 {
		return
	}
	work := fmt.Sprintf("%s.%d", path, os.Getpid())
	if os.WriteFile(work, append(binary, seal.Of(binary)...), 0o600) == nil {
		os.Rename(work, path)
	}
}

// Release gives the program back.
func (p *Program) Release() {
	if p.program != 0 {
		clReleaseProgram(p.program)
		p.program = 0
	}
}

// Kernel is a kernel with its arguments.
type Kernel struct {
	Name   string
	kernel uintptr
	q      *Queue
}

// Kernel returns a kernel of the program.
func (p *Program) Kernel(name string) (*Kernel, error) {
	var status int32
	c := append([]byte(name), 0)
	k := clCreateKernel(p.program, &c[0], &status)
	return &Kernel{name, k, p.q}, check(status, "making kernel %s", name)
}

// SetBuffer, SetInt, SetDouble and SetFloat set argument i.
func (k *Kernel) SetBuffer(i int, b *Buffer) error {
	mem := b.mem
	return k.set(i, 8, unsafe.Pointer(&mem))
}

func (k *Kernel) SetInt(i int, v int64) error      { return k.set(i, 8, unsafe.Pointer(&v)) }
func (k *Kernel) SetDouble(i int, v float64) error { return k.set(i, 8, unsafe.Pointer(&v)) }
func (k *Kernel) SetFloat(i int, v float32) error  { return k.set(i, 4, unsafe.Pointer(&v)) }

// SetLocal gives argument i, a pointer to local memory, a number of bytes.
func (k *Kernel) SetLocal(i int, size int64) error { return k.set(i, uintptr(size), nil) }

// SetComplex and SetComplex64 set an argument of type double2 or float2.
func (k *Kernel) SetComplex(i int, v complex128) error  { return k.set(i, 16, unsafe.Pointer(&v)) }
func (k *Kernel) SetComplex64(i int, v complex64) error { return k.set(i, 8, unsafe.Pointer(&v)) }

func (k *Kernel) set(i int, size uintptr, value unsafe.Pointer) error {
	return check(clSetKernelArg(k.kernel, uint32(i), size, value), "setting argument %d of kernel %s", i+1, k.Name)
}

// SubGroups returns how many sub-groups a work-group of local work-items has.
func (k *Kernel) SubGroups(local int64) (int64, error) {
	const subGroupCount = 0x2034
	l, n := uintptr(local), uintptr(0)
	err := check(clGetKernelSubGroupInfo(k.kernel, k.q.Device.id, subGroupCount, 8, unsafe.Pointer(&l), 8, unsafe.Pointer(&n), nil),
		"asking for the sub-groups of kernel %s", k.Name)
	return int64(n), err
}

// Launch runs the kernel on global work-items in work-groups of local, which
// divide global. Where the queue profiles, it waits and returns the time that
// the device took.
func (k *Kernel) Launch(global, local int64) (time.Duration, error) {
	const profilingStart, profilingEnd = 0x1282, 0x1283
	g, l := uintptr(global), uintptr(local)
	var event uintptr
	var to *uintptr
	if k.q.profile {
		to = &event
	}
	err := check(clEnqueueNDRangeKernel(k.q.queue, k.kernel, 1, nil, &g, &l, 0, nil, to),
		"launching kernel %s with %d work-items in groups of %d", k.Name, global, local)
	if err != nil || !k.q.profile {
		return 0, err
	}
	defer clReleaseEvent(event)
	if err := k.q.Finish(); err != nil {
		return 0, err
	}
	var start, end uint64
	clGetEventProfilingInfo(event, profilingStart, 8, unsafe.Pointer(&start), nil)
	clGetEventProfilingInfo(event, profilingEnd, 8, unsafe.Pointer(&end), nil)
	return time.Duration(end - start), nil
}

// Release gives the kernel back.
func (k *Kernel) Release() {
	if k.kernel != 0 {
		clReleaseKernel(k.kernel)
		k.kernel = 0
	}
}
