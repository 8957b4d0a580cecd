package opencl

import (
	"errors"
	"fmt"
)

// Error is a failure of OpenCL: what was being done, and the code.
type Error struct {
	Doing string
	Code  int32
	Log   string // of the compiler, when a program did not build
}

func (e *Error) Error() string {
	row, ok := codes[e.Code]
	if !ok {
		row = code{"unknown error", "the driver does not say what"}
	}
	text := fmt.Sprintf("OpenCL failed when %s: %s (%s, %d)", e.Doing, row.meaning, row.name, e.Code)
	if e.Log != "" {
		text += "\n" + e.Log
	}
	return text
}

// What a device may lack.
const (
	Doubles   = "doubles"
	SubGroups = "sub-groups"
)

// Lack is the error of kernels that need what a device has not.
type Lack struct{ Device, What string }

func (e *Lack) Error() string {
	return e.Device + " has no " + e.What + "; TAILOR_DEVICE chooses another device"
}

// OutOfMemory reports whether err says that the device's memory, or the
// host's, is used up.
func OutOfMemory(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Code == -4 || e.Code == -5 || e.Code == -6 || e.Code == -61)
}

// Install says what makes devices appear.
const Install = "install a driver for the GPU, or PoCL, which runs OpenCL on the CPU (Debian: apt-get install ocl-icd-libopencl1 pocl-opencl-icd)"

// ErrNoDevice is returned where there is no library or no device.
var ErrNoDevice = errors.New("no OpenCL device found; " + Install)

// check makes an error of a code.
func check(status int32, doing string, args ...any) error {
	if status == 0 {
		return nil
	}
	return &Error{Doing: fmt.Sprintf(doing, args...), Code: status}
}

type code struct{ name, meaning string }

// codes are OpenCL's error codes.
var codes = map[int32]code{
	-1:    {"CL_DEVICE_NOT_FOUND", "there is no such device"},
	-2:    {"CL_DEVICE_NOT_AVAILABLE", "the device is not available"},
	-3:    {"CL_COMPILER_NOT_AVAILABLE", "the driver has no compiler"},
	-4:    {"CL_MEM_OBJECT_ALLOCATION_FAILURE", "the device has no memory for the buffer"},
	-5:    {"CL_OUT_OF_RESOURCES", "the device is out of resources"},
	-6:    {"CL_OUT_OF_HOST_MEMORY", "the host is out of memory"},
	-7:    {"CL_PROFILING_INFO_NOT_AVAILABLE", "there are no times for the command"},
	-8:    {"CL_MEM_COPY_OVERLAP", "source and destination of the copy overlap"},
	-9:    {"CL_IMAGE_FORMAT_MISMATCH", "the images' formats differ"},
	-10:   {"CL_IMAGE_FORMAT_NOT_SUPPORTED", "the device lacks the image format"},
	-11:   {"CL_BUILD_PROGRAM_FAILURE", "the kernels did not compile"},
	-12:   {"CL_MAP_FAILURE", "the buffer cannot be mapped"},
	-13:   {"CL_MISALIGNED_SUB_BUFFER_OFFSET", "the part of the buffer is not aligned"},
	-14:   {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "an earlier command failed"},
	-15:   {"CL_COMPILE_PROGRAM_FAILURE", "the kernels did not compile"},
	-16:   {"CL_LINKER_NOT_AVAILABLE", "the driver has no linker"},
	-17:   {"CL_LINK_PROGRAM_FAILURE", "the kernels did not link"},
	-18:   {"CL_DEVICE_PARTITION_FAILED", "the device cannot be divided"},
	-19:   {"CL_KERNEL_ARG_INFO_NOT_AVAILABLE", "nothing is known of the kernel's arguments"},
	-30:   {"CL_INVALID_VALUE", "a value is not valid"},
	-31:   {"CL_INVALID_DEVICE_TYPE", "there is no such type of device"},
	-32:   {"CL_INVALID_PLATFORM", "the platform is not valid"},
	-33:   {"CL_INVALID_DEVICE", "the device is not valid"},
	-34:   {"CL_INVALID_CONTEXT", "the context is not valid"},
	-35:   {"CL_INVALID_QUEUE_PROPERTIES", "the device has no such queue"},
	-36:   {"CL_INVALID_COMMAND_QUEUE", "the queue is not valid"},
	-37:   {"CL_INVALID_HOST_PTR", "the host's pointer is not valid"},
	-38:   {"CL_INVALID_MEM_OBJECT", "the buffer is not valid"},
	-42:   {"CL_INVALID_BINARY", "the binary is not for this device"},
	-43:   {"CL_INVALID_BUILD_OPTIONS", "the compiler's options are not valid"},
	-44:   {"CL_INVALID_PROGRAM", "the program is not valid"},
	-45:   {"CL_INVALID_PROGRAM_EXECUTABLE", "the program was not built for the device"},
	-46:   {"CL_INVALID_KERNEL_NAME", "the program has no such kernel"},
	-47:   {"CL_INVALID_KERNEL_DEFINITION", "the kernel's definition differs among devices"},
	-48:   {"CL_INVALID_KERNEL", "the kernel is not valid"},
	-49:   {"CL_INVALID_ARG_INDEX", "the kernel has no such argument"},
	-50:   {"CL_INVALID_ARG_VALUE", "the argument's value is not valid"},
	-51:   {"CL_INVALID_ARG_SIZE", "the argument has another size"},
	-52:   {"CL_INVALID_KERNEL_ARGS", "an argument of the kernel is not set"},
	-53:   {"CL_INVALID_WORK_DIMENSION", "the number of dimensions is not valid"},
	-54:   {"CL_INVALID_WORK_GROUP_SIZE", "the device cannot run work-groups of this size"},
	-55:   {"CL_INVALID_WORK_ITEM_SIZE", "the device cannot run so many work-items in a group"},
	-56:   {"CL_INVALID_GLOBAL_OFFSET", "the offset is not valid"},
	-57:   {"CL_INVALID_EVENT_WAIT_LIST", "the list of events is not valid"},
	-58:   {"CL_INVALID_EVENT", "the event is not valid"},
	-59:   {"CL_INVALID_OPERATION", "the operation is not allowed"},
	-61:   {"CL_INVALID_BUFFER_SIZE", "the device has no buffers of this size"},
	-63:   {"CL_INVALID_GLOBAL_WORK_SIZE", "the number of work-items is not valid"},
	-64:   {"CL_INVALID_PROPERTY", "the property is not valid"},
	-1001: {"CL_PLATFORM_NOT_FOUND_KHR", "no driver is installed"},
}
