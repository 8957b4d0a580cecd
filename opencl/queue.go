package opencl

import (
	"runtime"
	"unsafe"
)

// Queue is a context with one device and an in-order command queue.
type Queue struct {
	Device *Device
	// Cache is the directory of programs' binaries; "" keeps none.
	Cache string

	context, queue uintptr
	profile        bool
}

const queueProfiling = 2

// Open makes a queue on a device. With profile, launches report their times.
func Open(d *Device, profile bool) (*Queue, error) {
	const contextPlatform = 0x1084
	properties := []uintptr{contextPlatform, d.platform, 0}
	var status int32
	context := clCreateContext(&properties[0], 1, &d.id, 0, 0, &status)
	if err := check(status, "making a context on %s", d.Name); err != nil {
		return nil, err
	}
	flags := uint64(0)
	if profile {
		flags = queueProfiling
	}
	queue := clCreateCommandQueue(context, d.id, flags, &status)
	if err := check(status, "making a command queue on %s", d.Name); err != nil {
		clReleaseContext(context)
		return nil, err
	}
	return &Queue{Device: d, context: context, queue: queue, profile: profile}, nil
}

// Close releases the queue; its buffers and programs must not be used after.
func (q *Queue) Close() {
	clFinish(q.queue)
	clReleaseCommandQueue(q.queue)
	clReleaseContext(q.context)
}

// Finish waits until all commands have been executed.
func (q *Queue) Finish() error { return check(clFinish(q.queue), "waiting for the device") }

// Buffer is memory of the device.
type Buffer struct {
	Size int64 // bytes
	mem  uintptr
}

// Alloc allocates a buffer; what for is in the message when it fails.
func (q *Queue) Alloc(size int64, what string) (*Buffer, error) {
	if size <= 0 {
		size = 1
	}
	if size > q.Device.LargestBuffer && q.Device.LargestBuffer > 0 {
		return nil, check(-61, "allocating %d bytes for %s", size, what)
	}
	var status int32
	mem := clCreateBuffer(q.context, 1, uintptr(size), nil, &status)
	if err := check(status, "allocating %d bytes for %s", size, what); err != nil {
		return nil, err
	}
	return &Buffer{Size: size, mem: mem}, nil
}

// Release gives a buffer back.
func (b *Buffer) Release() {
	if b.mem != 0 {
		clReleaseMemObject(b.mem)
		b.mem = 0
	}
}

// Read copies bytes from the buffer, at an offset, and waits for them.
func (q *Queue) Read(b *Buffer, offset int64, to []byte, what string) error {
	if len(to) == 0 {
		return nil
	}
	var pin runtime.Pinner
	pin.Pin(&to[0])
	defer pin.Unpin()
	return check(clEnqueueReadBuffer(q.queue, b.mem, 1, uintptr(offset), uintptr(len(to)), unsafe.Pointer(&to[0]), 0, nil, nil),
		"reading %d bytes of %s", len(to), what)
}

// Write copies bytes to the buffer, at an offset; from can be reused at once.
func (q *Queue) Write(b *Buffer, offset int64, from []byte, what string) error {
	if len(from) == 0 {
		return nil
	}
	var pin runtime.Pinner
	pin.Pin(&from[0])
	defer pin.Unpin()
	return check(clEnqueueWriteBuffer(q.queue, b.mem, 1, uintptr(offset), uintptr(len(from)), unsafe.Pointer(&from[0]), 0, nil, nil),
		"writing %d bytes of %s", len(from), what)
}

// Copy copies bytes between buffers.
func (q *Queue) Copy(from *Buffer, fromOffset int64, to *Buffer, toOffset, size int64) error {
	if size == 0 {
		return nil
	}
	return check(clEnqueueCopyBuffer(q.queue, from.mem, to.mem, uintptr(fromOffset), uintptr(toOffset), uintptr(size), 0, nil, nil),
		"copying %d bytes on the device", size)
}

// Zero fills size bytes from the buffer's start with zeros.
func (q *Queue) Zero(b *Buffer, size int64) error {
	if size == 0 {
		return nil
	}
	zero := new(byte)
	return check(clEnqueueFillBuffer(q.queue, b.mem, unsafe.Pointer(zero), 1, 0, uintptr(size), 0, nil, nil),
		"filling %d bytes with zeros", size)
}
