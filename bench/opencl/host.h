/* What the hand-written OpenCL programs share: libOpenCL, loaded when the
 * program starts, one device (TAILOR_DEVICE, as for Tailor's own programs), and
 * short names for its functions. Errors end the program. */
#ifndef BENCH_OPENCL_HOST_H
#define BENCH_OPENCL_HOST_H
#include "../c/apl_out.h"
#include <dlfcn.h>

typedef struct handle *handle;

#define FUNCTIONS(F) \
    F(int32_t, clGetPlatformIDs, (uint32_t, handle *, uint32_t *)) \
    F(int32_t, clGetDeviceIDs, (handle, uint64_t, uint32_t, handle *, uint32_t *)) \
    F(handle, clCreateContext, (const intptr_t *, uint32_t, const handle *, void *, void *, int32_t *)) \
    F(handle, clCreateCommandQueue, (handle, handle, uint64_t, int32_t *)) \
    F(int32_t, clFinish, (handle)) \
    F(handle, clCreateBuffer, (handle, uint64_t, size_t, void *, int32_t *)) \
    F(int32_t, clEnqueueReadBuffer, (handle, handle, uint32_t, size_t, size_t, void *, uint32_t, void *, void *)) \
    F(handle, clCreateProgramWithSource, (handle, uint32_t, const char **, const size_t *, int32_t *)) \
    F(int32_t, clBuildProgram, (handle, uint32_t, const handle *, const char *, void *, void *)) \
    F(int32_t, clGetProgramBuildInfo, (handle, handle, uint32_t, size_t, void *, size_t *)) \
    F(handle, clCreateKernel, (handle, const char *, int32_t *)) \
    F(int32_t, clSetKernelArg, (handle, uint32_t, size_t, const void *)) \
    F(int32_t, clEnqueueNDRangeKernel, (handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *, void *))
#define DECLARE(type, name, parameters) static type(*name) parameters;
FUNCTIONS(DECLARE)

static handle device, context, queue, program;

static void ok(int32_t code, const char *what) {
    if (code == 0) return;
    fprintf(stderr, "OpenCL: %s: error %d\n", what, (int)code);
    exit(4);
}

/* Opens the device and builds the kernels. */
static void start(const char *source) {
    handle platforms[8], devices[16];
    uint32_t n = 0, count = 0;
    int32_t code;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    ok(library ? 0 : -1, "libOpenCL is not installed");
#define BIND(type, name, parameters) *(void **)(&name) = dlsym(library, #name);
    FUNCTIONS(BIND)
    ok(clGetPlatformIDs(8, platforms, &n) || n == 0, "no platform");
    handle platform = platforms[0];
    for (uint64_t kind = 4; kind != 0 && count == 0; kind = kind == 4 ? 0xFFFFFFFF : 0)
        for (uint32_t i = 0; i < n && count == 0; i++)
            if (clGetDeviceIDs(platform = platforms[i], kind, 16, devices, &count) != 0) count = 0;
    ok(count == 0, "no device");
    const char *at = getenv("TAILOR_DEVICE");
    device = devices[at ? (uint32_t)atoi(at) % count : 0];
    const intptr_t properties[] = {0x1084, (intptr_t)platform, 0};
    context = clCreateContext(properties, 1, &device, NULL, NULL, &code);
    ok(code, "context");
    queue = clCreateCommandQueue(context, device, 0, &code);
    ok(code, "queue");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    ok(code, "program");
    if ((code = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) != 0) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, 0x1183, sizeof log - 1, log, NULL);
        fputs(log, stderr);
        ok(code, "build");
    }
}

static inline handle kernel(const char *name) {
    int32_t code;
    handle k = clCreateKernel(program, name, &code);
    ok(code, name);
    return k;
}

static inline handle buffer(size_t bytes) {
    int32_t code;
    handle b = clCreateBuffer(context, 1, bytes, NULL, &code);
    ok(code, "buffer");
    return b;
}

static inline void fetch(handle b, size_t offset, size_t bytes, void *to) {
    ok(clEnqueueReadBuffer(queue, b, 1, offset, bytes, to, 0, NULL, NULL), "read");
}

/* Arguments: ARGS(k, x, y, …), each an lvalue. */
#define ARG(k, i, x) ok(clSetKernelArg(k, i, sizeof(x), &(x)), "argument")
#define ARGS2(k, a, b) (ARG(k, 0, a), ARG(k, 1, b))
#define ARGS3(k, a, b, c) (ARGS2(k, a, b), ARG(k, 2, c))
#define ARGS4(k, a, b, c, d) (ARGS3(k, a, b, c), ARG(k, 3, d))
#define ARGS5(k, a, b, c, d, e) (ARGS4(k, a, b, c, d), ARG(k, 4, e))

/* Launches n work-items, rounded up to whole groups. */
static inline void launch(handle k, size_t n, size_t group) {
    size_t global = (n + group - 1) / group * group;
    ok(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &group, 0, NULL, NULL), "launch");
}
static inline void launch2(handle k, size_t nx, size_t ny, size_t gx, size_t gy) {
    size_t global[] = {(nx + gx - 1) / gx * gx, (ny + gy - 1) / gy * gy}, group[] = {gx, gy};
    ok(clEnqueueNDRangeKernel(queue, k, 2, NULL, global, group, 0, NULL, NULL), "launch");
}

#define DOUBLES "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"

/* A sum of doubles in two stages: SUM_KERNEL is part of the source, and sum
 * joins the parts of 64 groups of 256. */
#define SUM_KERNEL \
    "__kernel void sum(__global const double *x, long n, __global double *parts) {\n" \
    "  __local double tree[256];\n" \
    "  double s = 0;\n" \
    "  int me = get_local_id(0);\n" \
    "  for (long i = get_global_id(0); i < n; i += get_global_size(0)) s += x[i];\n" \
    "  tree[me] = s;\n" \
    "  for (int half_ = 128; half_ > 0; half_ /= 2) {\n" \
    "    barrier(CLK_LOCAL_MEM_FENCE);\n" \
    "    if (me < half_) tree[me] += tree[me + half_];\n" \
    "  }\n" \
    "  if (me == 0) parts[get_group_id(0)] = tree[0];\n" \
    "}\n"

static inline double sum(handle x, int64_t n) {
    static handle k, parts;
    double part[64], s = 0;
    if (!k) k = kernel("sum"), parts = buffer(sizeof part);
    ARGS3(k, x, n, parts);
    launch(k, 64 * 256, 256);
    fetch(parts, 0, sizeof part, part);
    for (int i = 0; i < 64; i++) s += part[i];
    return s;
}

/* main runs compute twice: drivers finish compiling at the first launch. */
static int twice(void (*compute)(int last)) {
    compute(0);
    clFinish(queue);
    double from = now_ms();
    compute(1);
    clFinish(queue);
    report_ms(from);
    return 0;
}
#endif
