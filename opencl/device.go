package opencl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// Kind is a type of device; it decides between schedules.
type Kind uint8

// The kinds. The zero value is "unset".
const (
	NoKind Kind = iota
	CPU
	GPU
	Accelerator
)

func (k Kind) String() string {
	switch k {
	case CPU:
		return "CPU"
	case GPU:
		return "GPU"
	case Accelerator:
		return "accelerator"
	}
	panic("internal error: kind of device is unset")
}

// Device is an OpenCL device and what programs need to know of it.
type Device struct {
	Platform, Name  string
	Version, Driver string
	Kind            Kind
	Units           int   // compute units
	Memory          int64 // bytes of global memory
	LargestBuffer   int64 // bytes
	LocalMemory     int64 // bytes a work-group
	MaxGroup        int   // work-items a work-group
	Doubles         bool
	SubGroups       bool // of work-groups

	id, platform uintptr
}

// String describes the device in one line.
func (d *Device) String() string {
	doubles := "doubles"
	if !d.Doubles {
		doubles = "no doubles"
	}
	if d.SubGroups {
		doubles += ", sub-groups"
	}
	return fmt.Sprintf("%s: %s, %s, %s, %d compute units, %s", d.Platform, d.Name, d.Kind, bytesText(d.Memory), d.Units, doubles)
}

// bytesText writes a number of bytes in a unit that suits it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// OpenCL's names of what can be asked.
const (
	platformName = 0x0902

	deviceType           = 0x1000
	deviceUnits          = 0x1002
	deviceMaxGroup       = 0x1004
	deviceLargestBuffer  = 0x1010
	deviceMemory         = 0x101F
	deviceLocalMemory    = 0x1023
	deviceName           = 0x102B
	deviceDriver         = 0x102D
	deviceVersion        = 0x102F
	deviceExtensions     = 0x1030
	deviceDoubleConfig   = 0x1032
	deviceMostSubGroups  = 0x105C
	deviceTypeCPU        = 1 << 1
	deviceTypeGPU        = 1 << 2
	deviceTypeAll        = 0xFFFFFFFF
	codeDeviceNotFound   = -1
	codePlatformNotFound = -1001
)

// listing is held while devices are listed: PoCL sets itself up at the first call, for one caller at a
// time.
var listing sync.Mutex

// Devices lists the devices of all platforms, GPUs first. Where there is no
// library, or no device, the error is ErrNoDevice.
func Devices() ([]*Device, error) {
	if err := load(); errors.Is(err, ErrNoDevice) {
		return nil, err
	} else if err != nil {
		return nil, ErrNoDevice
	}
	listing.Lock()
	defer listing.Unlock()
	platforms, err := platforms()
	if err != nil {
		return nil, err
	}
	var gpus, others []*Device
	for _, p := range platforms {
		list, err := devicesOf(p)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if d.Kind == GPU {
				gpus = append(gpus, d)
			} else {
				others = append(others, d)
			}
		}
	}
	if all := append(gpus, others...); len(all) > 0 {
		return all, nil
	}
	return nil, ErrNoDevice
}

func platforms() ([]uintptr, error) {
	var n uint32
	switch status := clGetPlatformIDs(0, nil, &n); {
	case status == codePlatformNotFound || status == 0 && n == 0:
		return nil, ErrNoDevice
	case status != 0:
		return nil, check(status, "listing the platforms")
	}
	ids := make([]uintptr, n)
	return ids, check(clGetPlatformIDs(n, &ids[0], nil), "listing the platforms")
}

func devicesOf(platform uintptr) ([]*Device, error) {
	var n uint32
	switch status := clGetDeviceIDs(platform, deviceTypeAll, 0, nil, &n); {
	case status == codeDeviceNotFound || status == 0 && n == 0:
		return nil, nil
	case status != 0:
		return nil, check(status, "listing the devices")
	}
	ids := make([]uintptr, n)
	if err := check(clGetDeviceIDs(platform, deviceTypeAll, n, &ids[0], nil), "listing the devices"); err != nil {
		return nil, err
	}
	name := text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
		return clGetPlatformInfo(platform, platformName, size, value, got)
	})
	list := make([]*Device, n)
	for i, id := range ids {
		list[i] = describe(id, platform, name)
	}
	return list, nil
}

// describe asks a device about itself.
func describe(id, platform uintptr, platformName string) *Device {
	words := func(what uint32) string {
		return text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
			return clGetDeviceInfo(id, what, size, value, got)
		})
	}
	number := func(what uint32) int64 {
		var v int64 // a narrower answer fills the low bytes
		clGetDeviceInfo(id, what, 8, unsafe.Pointer(&v), nil)
		return v
	}
	d := &Device{
		Platform: platformName, Name: words(deviceName), Version: words(deviceVersion), Driver: words(deviceDriver),
		Units: int(int32(number(deviceUnits))), Memory: number(deviceMemory), LargestBuffer: number(deviceLargestBuffer),
		LocalMemory: number(deviceLocalMemory), MaxGroup: int(number(deviceMaxGroup)), Kind: Accelerator,
		id: id, platform: platform,
	}
	switch kind := number(deviceType); {
	case kind&deviceTypeGPU != 0:
		d.Kind = GPU
	case kind&deviceTypeCPU != 0:
		d.Kind = CPU
	}
	extensions := words(deviceExtensions)
	d.Doubles = number(deviceDoubleConfig) != 0 || strings.Contains(extensions, "cl_khr_fp64")
	d.SubGroups = d.major() >= 2 && clGetKernelSubGroupInfo != nil &&
		(strings.Contains(extensions, "cl_khr_subgroups") || number(deviceMostSubGroups) > 0)
	return d
}

// major returns the first number of the device's version of OpenCL.
func (d *Device) major() (n int) {
	fmt.Sscanf(d.Version, "OpenCL %d.", &n)
	return n
}

// standard returns the option that kernels with sub-groups are built with.
func (d *Device) standard() string { return fmt.Sprintf("-cl-std=CL%d.0", min(d.major(), 3)) }

// text asks for a text: first its size, then itself.
func text(ask func(size uintptr, value unsafe.Pointer, got *uintptr) int32) string {
	var n uintptr
	if ask(0, nil, &n) != 0 || n == 0 {
		return ""
	}
	b := make([]byte, n)
	if ask(n, unsafe.Pointer(&b[0]), nil) != 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}
