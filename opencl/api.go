package opencl

import (
	"sync"
	"unsafe"
)

// The functions of OpenCL 1.2 that we call, and one of 2.1 that devices with sub-groups have. Handles are uintptr, sizes are
// uintptr (size_t), everything else has its C type. A wrong signature is not
// detected, so this table follows the headers line by line.
var (
	clGetPlatformIDs          func(n uint32, platforms *uintptr, count *uint32) int32
	clGetPlatformInfo         func(platform uintptr, name uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	clGetDeviceIDs            func(platform uintptr, kind uint64, n uint32, devices *uintptr, count *uint32) int32
	clGetDeviceInfo           func(device uintptr, name uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	clCreateContext           func(properties *uintptr, n uint32, devices *uintptr, notify, data uintptr, code *int32) uintptr
	clReleaseContext          func(context uintptr) int32
	clCreateCommandQueue      func(context, device uintptr, properties uint64, code *int32) uintptr
	clReleaseCommandQueue     func(queue uintptr) int32
	clFinish                  func(queue uintptr) int32
	clCreateBuffer            func(context uintptr, flags uint64, size uintptr, host unsafe.Pointer, code *int32) uintptr
	clReleaseMemObject        func(buffer uintptr) int32
	clEnqueueReadBuffer       func(queue, buffer uintptr, blocking uint32, offset, size uintptr, to unsafe.Pointer, waits uint32, list, event *uintptr) int32
	clEnqueueWriteBuffer      func(queue, buffer uintptr, blocking uint32, offset, size uintptr, from unsafe.Pointer, waits uint32, list, event *uintptr) int32
	clEnqueueCopyBuffer       func(queue, from, to uintptr, fromOffset, toOffset, size uintptr, waits uint32, list, event *uintptr) int32
	clEnqueueFillBuffer       func(queue, buffer uintptr, pattern unsafe.Pointer, patternSize, offset, size uintptr, waits uint32, list, event *uintptr) int32
	clCreateProgramWithSource func(context uintptr, n uint32, texts **byte, sizes *uintptr, code *int32) uintptr
	clCreateProgramWithBinary func(context uintptr, n uint32, devices *uintptr, sizes *uintptr, binaries **byte, status, code *int32) uintptr
	clBuildProgram            func(program uintptr, n uint32, devices *uintptr, options *byte, notify, data uintptr) int32
	clGetProgramInfo          func(program uintptr, name uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	clGetProgramBuildInfo     func(program, device uintptr, name uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	clReleaseProgram          func(program uintptr) int32
	clCreateKernel            func(program uintptr, name *byte, code *int32) uintptr
	clReleaseKernel           func(kernel uintptr) int32
	clSetKernelArg            func(kernel uintptr, at uint32, size uintptr, value unsafe.Pointer) int32
	clEnqueueNDRangeKernel    func(queue, kernel uintptr, dims uint32, offset, global, local *uintptr, waits uint32, list, event *uintptr) int32
	clGetEventProfilingInfo   func(event uintptr, name uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	clReleaseEvent            func(event uintptr) int32
	clGetKernelSubGroupInfo   func(kernel, device uintptr, name uint32, inputSize uintptr, input unsafe.Pointer, size uintptr, value unsafe.Pointer, got *uintptr) int32
)

// load opens the library and binds the functions, once.
var load = sync.OnceValue(func() error {
	register, has, err := openLibrary()
	if err != nil {
		return err
	}
	for name, function := range map[string]any{
		"clGetPlatformIDs": &clGetPlatformIDs, "clGetPlatformInfo": &clGetPlatformInfo,
		"clGetDeviceIDs": &clGetDeviceIDs, "clGetDeviceInfo": &clGetDeviceInfo,
		"clCreateContext": &clCreateContext, "clReleaseContext": &clReleaseContext,
		"clCreateCommandQueue": &clCreateCommandQueue, "clReleaseCommandQueue": &clReleaseCommandQueue,
		"clFinish": &clFinish, "clCreateBuffer": &clCreateBuffer, "clReleaseMemObject": &clReleaseMemObject,
		"clEnqueueReadBuffer": &clEnqueueReadBuffer, "clEnqueueWriteBuffer": &clEnqueueWriteBuffer,
		"clEnqueueCopyBuffer": &clEnqueueCopyBuffer, "clEnqueueFillBuffer": &clEnqueueFillBuffer,
		"clCreateProgramWithSource": &clCreateProgramWithSource, "clCreateProgramWithBinary": &clCreateProgramWithBinary,
		"clBuildProgram": &clBuildProgram, "clGetProgramInfo": &clGetProgramInfo,
		"clGetProgramBuildInfo": &clGetProgramBuildInfo, "clReleaseProgram": &clReleaseProgram,
		"clCreateKernel": &clCreateKernel, "clReleaseKernel": &clReleaseKernel, "clSetKernelArg": &clSetKernelArg,
		"clEnqueueNDRangeKernel": &clEnqueueNDRangeKernel, "clGetEventProfilingInfo": &clGetEventProfilingInfo,
		"clReleaseEvent": &clReleaseEvent,
	} {
		register(function, name)
	}
	if name := "clGetKernelSubGroupInfo"; has(name) {
		register(&clGetKernelSubGroupInfo, name)
	}
	return nil
})
