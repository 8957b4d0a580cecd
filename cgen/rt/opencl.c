/* Programs for OpenCL: the device, what it holds of the arrays, and launches.
 * Package clgen of the compiler does the same in Go; keep the two alike.
 * libOpenCL is loaded when the program starts, and no headers are needed. */
#include "rt.h"

#include "opencl.h"

#include <dlfcn.h>
#include <fenv.h>
#include <sys/stat.h>

typedef struct tl_cl_handle *cl_handle;

/* ---- The functions of OpenCL 1.2 that we call ---- */

#define TL_CL_FUNCTIONS(F) \
  F(int32_t, clGetPlatformIDs, (uint32_t, cl_handle *, uint32_t *)) \
  F(int32_t, clGetDeviceIDs, (cl_handle, uint64_t, uint32_t, cl_handle *, uint32_t *)) \
  F(int32_t, clGetDeviceInfo, (cl_handle, uint32_t, size_t, void *, size_t *)) \
  F(cl_handle, clCreateContext, (const intptr_t *, uint32_t, const cl_handle *, void *, void *, int32_t *)) \
  F(cl_handle, clCreateCommandQueue, (cl_handle, cl_handle, uint64_t, int32_t *)) \
  F(int32_t, clFinish, (cl_handle)) \
  F(cl_handle, clCreateBuffer, (cl_handle, uint64_t, size_t, void *, int32_t *)) \
  F(int32_t, clReleaseMemObject, (cl_handle)) \
  F(int32_t, clEnqueueReadBuffer, (cl_handle, cl_handle, uint32_t, size_t, size_t, void *, uint32_t, void *, void *)) \
  F(int32_t, clEnqueueWriteBuffer, (cl_handle, cl_handle, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *)) \
  F(int32_t, clEnqueueCopyBuffer, (cl_handle, cl_handle, cl_handle, size_t, size_t, size_t, uint32_t, void *, void *)) \
  F(int32_t, clEnqueueFillBuffer, (cl_handle, cl_handle, const void *, size_t, size_t, size_t, uint32_t, void *, void *)) \
  F(cl_handle, clCreateProgramWithSource, (cl_handle, uint32_t, const char **, const size_t *, int32_t *)) \
  F(cl_handle, clCreateProgramWithBinary, (cl_handle, uint32_t, const cl_handle *, const size_t *, const unsigned char **, int32_t *, int32_t *)) \
  F(int32_t, clBuildProgram, (cl_handle, uint32_t, const cl_handle *, const char *, void *, void *)) \
  F(int32_t, clGetProgramInfo, (cl_handle, uint32_t, size_t, void *, size_t *)) \
  F(int32_t, clGetProgramBuildInfo, (cl_handle, cl_handle, uint32_t, size_t, void *, size_t *)) \
  F(int32_t, clReleaseProgram, (cl_handle)) \
  F(cl_handle, clCreateKernel, (cl_handle, const char *, int32_t *)) \
  F(int32_t, clSetKernelArg, (cl_handle, uint32_t, size_t, const void *)) \
  F(int32_t, clEnqueueNDRangeKernel, (cl_handle, cl_handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *, void *))

#define TL_CL_DECLARE(type, name, parameters) static type(*name) parameters;
TL_CL_FUNCTIONS(TL_CL_DECLARE)

/* That of 2.1 that devices with sub-groups have. */
static int32_t (*clGetKernelSubGroupInfo)(cl_handle, cl_handle, uint32_t, size_t, const void *, size_t, void *, size_t *);

/* Drivers that compile, and run kernels, on this thread raise its flag of overflow, which is
 * the program's (overflow.c). */
#define TL_CL_QUIET(call) \
  __extension__({ \
    fexcept_t flags; \
    fegetexceptflag(&flags, FE_OVERFLOW); \
    __typeof__(call) result = call; \
    fesetexceptflag(&flags, FE_OVERFLOW); \
    result; \
  })
#define clCreateContext(...) TL_CL_QUIET(clCreateContext(__VA_ARGS__))
#define clFinish(...) TL_CL_QUIET(clFinish(__VA_ARGS__))
#define clEnqueueReadBuffer(...) TL_CL_QUIET(clEnqueueReadBuffer(__VA_ARGS__))
#define clEnqueueWriteBuffer(...) TL_CL_QUIET(clEnqueueWriteBuffer(__VA_ARGS__))
#define clEnqueueCopyBuffer(...) TL_CL_QUIET(clEnqueueCopyBuffer(__VA_ARGS__))
#define clEnqueueFillBuffer(...) TL_CL_QUIET(clEnqueueFillBuffer(__VA_ARGS__))
#define clCreateProgramWithBinary(...) TL_CL_QUIET(clCreateProgramWithBinary(__VA_ARGS__))
#define clBuildProgram(...) TL_CL_QUIET(clBuildProgram(__VA_ARGS__))
#define clGetProgramInfo(...) TL_CL_QUIET(clGetProgramInfo(__VA_ARGS__))
#define clCreateKernel(...) TL_CL_QUIET(clCreateKernel(__VA_ARGS__))
#define clEnqueueNDRangeKernel(...) TL_CL_QUIET(clEnqueueNDRangeKernel(__VA_ARGS__))

static const tl_cl_program *tl_cl;
static cl_handle tl_cl_device, tl_cl_context, tl_cl_queue, tl_cl_built, tl_cl_answers;
static int64_t tl_cl_units, tl_cl_largest;
static int tl_cl_major; /* of the version of OpenCL */
static int tl_cl_cpu;   /* is the device a CPU? */
static int tl_cl_tracing, tl_cl_launches;
static int64_t tl_cl_read_bytes, tl_cl_written_bytes;

/* ---- Messages ---- */

static _Noreturn void tl_cl_stop(int code, const char *text) {
#ifdef TAILOR_EMBEDDED
  (void)code;
  tl_text t = {0};
  tl_text_add(&t, text, strlen(text));
  tl_text_add(&t, "\n", 1);
  tl_give_up(&t);
#endif
  tl_flush();
  fprintf(stderr, "tailor: %s\n", text);
  fflush(stderr);
  _exit(code);
}

/* The codes that users meet, and what they mean. */
static const struct {
  int code;
  const char *name, *meaning;
} tl_cl_codes[] = {
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "the device has no memory for the buffer"},
    {-5, "CL_OUT_OF_RESOURCES", "the device has no resources left"},
    {-6, "CL_OUT_OF_HOST_MEMORY", "the host has no memory left"},
    {-11, "CL_BUILD_PROGRAM_FAILURE", "the kernels did not compile"},
    {-46, "CL_INVALID_KERNEL_NAME", "the program has no such kernel"},
    {-51, "CL_INVALID_ARG_SIZE", "the argument has another size"},
    {-52, "CL_INVALID_KERNEL_ARGS", "an argument of the kernel is not set"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE", "the device cannot run work-groups of this size"},
    {-61, "CL_INVALID_BUFFER_SIZE", "the device has no buffers of this size"},
};

static void tl_cl_check(int32_t code, const char *doing, const char *what) {
  if (code == 0) return;
  const char *name = "unknown error", *meaning = "the driver does not say what";
  for (size_t i = 0; i < sizeof tl_cl_codes / sizeof *tl_cl_codes; i++)
    if (tl_cl_codes[i].code == code) name = tl_cl_codes[i].name, meaning = tl_cl_codes[i].meaning;
  char text[512];
  snprintf(text, sizeof text, "OpenCL failed when %s %s: %s (%s, %d)", doing, what, meaning, name, (int)code);
  tl_cl_stop(2, text);
}

static void tl_cl_note(const char *what, const char *name, int64_t bytes) {
  if (tl_cl_tracing) fprintf(stderr, "opencl: %s %s, %lld bytes\n", what, name, (long long)bytes);
}

/* ---- The device ---- */

static const char tl_cl_none[] =
    "no OpenCL device found; install a driver for the GPU, or PoCL, which runs OpenCL on the CPU "
    "(Debian: apt-get install ocl-icd-libopencl1 pocl-opencl-icd)";

static void tl_cl_load(void) {
  static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                      "/System/Library/Frameworks/OpenCL.framework/OpenCL"};
  void *library = NULL;
  for (int i = 0; library == NULL && i < 3; i++) library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) tl_cl_stop(4, tl_cl_none);
#define TL_CL_BIND(type, name, parameters) \
  *(void **)(&name) = dlsym(library, #name); \
  if (name == NULL) tl_cl_stop(4, "libOpenCL has no function " #name);
  TL_CL_FUNCTIONS(TL_CL_BIND)
  *(void **)(&clGetKernelSubGroupInfo) = dlsym(library, "clGetKernelSubGroupInfo");
}

static int64_t tl_cl_number(cl_handle device, uint32_t what) {
  int64_t v = 0; /* a narrower answer fills the low bytes */
  clGetDeviceInfo(device, what, sizeof v, &v, NULL);
  return v;
}

static void tl_cl_words(cl_handle device, uint32_t what, char *text, size_t size) {
  size_t got = 0;
  text[0] = 0;
  if (clGetDeviceInfo(device, what, size - 1, text, &got) == 0 && got < size) text[got] = 0;
}

/* The devices of all platforms, GPUs first; TAILOR_DEVICE numbers them. */
static int tl_cl_devices(cl_handle *found, cl_handle *platform_of, int room) {
  cl_handle platforms[16], devices[32], others[64], others_of[64];
  uint32_t np = 0, nd = 0;
  int gpus = 0, rest = 0;
  if (clGetPlatformIDs(16, platforms, &np) != 0) return 0;
  for (uint32_t i = 0; i < np && i < 16; i++) {
    if (clGetDeviceIDs(platforms[i], 0xFFFFFFFF, 32, devices, &nd) != 0) continue;
    for (uint32_t j = 0; j < nd && j < 32; j++) {
      if ((tl_cl_number(devices[j], 0x1000) & 4) != 0 && gpus < room)
        found[gpus] = devices[j], platform_of[gpus++] = platforms[i];
      else if (rest < 64)
        others[rest] = devices[j], others_of[rest++] = platforms[i];
    }
  }
  for (int i = 0; i < rest && gpus < room; i++) found[gpus] = others[i], platform_of[gpus++] = others_of[i];
  return gpus;
}

/* Do the kernels enable an extension? */
static int tl_cl_enables(const char *text) {
  for (const char *const *line = tl_cl->source; *line != NULL; line++)
    if (strstr(*line, text) != NULL) return 1;
  return 0;
}

void tl_cl_start(const tl_cl_program *p) {
  cl_handle devices[64], platforms[64];
  char text[512], name[256], extensions[8192];
  tl_cl = p;
  tl_cl_tracing = getenv("TAILOR_TRACE") != NULL;
  tl_cl_load();
  int n = tl_cl_devices(devices, platforms, 64);
  if (n == 0) tl_cl_stop(4, tl_cl_none);
  const char *want = getenv("TAILOR_DEVICE");
  long at = 0;
  if (want != NULL && *want != 0) {
    char *end;
    at = strtol(want, &end, 10);
    if (*end != 0 || at < 0 || at >= n) {
      snprintf(text, sizeof text, "TAILOR_DEVICE is \"%.100s\", and there are devices 0 to %d; tailor devices lists them", want, n - 1);
      tl_cl_stop(4, text);
    }
  }
  tl_cl_device = devices[at];
  tl_cl_words(tl_cl_device, 0x102B, name, sizeof name);
  tl_cl_words(tl_cl_device, 0x1030, extensions, sizeof extensions);
  if (!p->narrow && tl_cl_number(tl_cl_device, 0x1032) == 0 && strstr(extensions, "cl_khr_fp64") == NULL) {
    snprintf(text, sizeof text, "%s has no doubles; TAILOR_DEVICE chooses another device, APL built with --float=32 and floats of FCL do without", name);
    tl_cl_stop(4, text);
  }
  tl_cl_words(tl_cl_device, 0x102F, text, sizeof text);
  tl_cl_major = (int)strtol(text + strcspn(text, "0123456789"), NULL, 10);
  if (tl_cl_enables("cl_khr_subgroups :") && (tl_cl_major < 2 || clGetKernelSubGroupInfo == NULL ||
                        (strstr(extensions, "cl_khr_subgroups") == NULL && tl_cl_number(tl_cl_device, 0x105C) == 0))) {
    snprintf(text, sizeof text, "%s has no sub-groups; build the program with --param Warps=2", name);
    tl_cl_stop(4, text);
  }
  tl_cl_units = tl_cl_number(tl_cl_device, 0x1002) & 0xFFFFFFFF;
  tl_cl_cpu = (tl_cl_number(tl_cl_device, 0x1000) & 2) != 0;
  tl_cl_largest = tl_cl_number(tl_cl_device, 0x1010);
  const intptr_t properties[] = {0x1084, (intptr_t)platforms[at], 0};
  int32_t code;
  tl_cl_context = clCreateContext(properties, 1, &tl_cl_device, NULL, NULL, &code);
  tl_cl_check(code, "making a context on", name);
  tl_cl_queue = clCreateCommandQueue(tl_cl_context, tl_cl_device, 0, &code);
  tl_cl_check(code, "making a command queue on", name);
}

#ifdef TAILOR_EMBEDDED
/* The functions of a library have programs of their own. Their kernels are built once. */
void tl_cl_use(const tl_cl_program *p) {
  static struct {
    const tl_cl_program *program;
    cl_handle built, answers;
  } known[TL_CL_PROGRAMS];
  int at = 0;
  if (tl_cl_queue == NULL) tl_cl_start(p);
  for (; at < TL_CL_PROGRAMS && known[at].program != NULL && known[at].program != tl_cl; at++) {
  }
  if (at < TL_CL_PROGRAMS) {
    known[at].program = tl_cl;
    known[at].built = tl_cl_built;
    known[at].answers = tl_cl_answers;
  }
  if (p == tl_cl) return;
  tl_cl = p;
  tl_cl_built = tl_cl_answers = NULL;
  for (at = 0; at < TL_CL_PROGRAMS && known[at].program != NULL; at++) {
    if (known[at].program != p) continue;
    tl_cl_built = known[at].built;
    tl_cl_answers = known[at].answers;
  }
}
#endif

/* ---- Kernels ---- */

static void tl_cl_hash(uint64_t h[2], const char *text) {
  for (; *text != 0; text++) {
    h[0] = (h[0] ^ (unsigned char)*text) * UINT64_C(1099511628211);
    h[1] = (h[1] + (unsigned char)*text) * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  }
  h[0] = h[0] * 31 + 1;
}

/* The name of the file that keeps the binary for the device, or "". */
static void tl_cl_cache(char *path, size_t size) {
  uint64_t h[2] = {UINT64_C(14695981039346656037), 1};
  char text[512];
  for (const char *const *line = tl_cl->source; *line != NULL; line++) tl_cl_hash(h, *line);
  tl_cl_hash(h, tl_cl->options);
  for (uint32_t what = 0x102B; what <= 0x102F; what++) {
    tl_cl_words(tl_cl_device, what, text, sizeof text);
    tl_cl_hash(h, text);
  }
  const char *own = getenv("TAILOR_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  path[0] = 0;
  if (own != NULL && *own != 0)
    snprintf(path, size, "%s/opencl", own);
  else if (base != NULL && *base != 0)
    snprintf(path, size, "%s/tailor/opencl", base);
  else if (home != NULL && *home != 0)
    snprintf(path, size, "%s/.cache/tailor/opencl", home);
  if (path[0] == 0) return;
  for (char *p = path + 1; *p != 0; p++)
    if (*p == '/') *p = 0, mkdir(path, 0700), *p = '/';
  mkdir(path, 0700);
  size_t n = strlen(path);
  snprintf(path + n, size - n, "/cl-%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

/* The options that the kernels are built with. */
static const char *tl_cl_options(void) {
  static char text[256];
  if (!tl_cl_enables("cl_khr_subgroups :")) return tl_cl->options;
  snprintf(text, sizeof text, "%s -cl-std=CL%d.0", tl_cl->options, tl_cl_major < 3 ? tl_cl_major : 3);
  return text;
}

static int tl_cl_load_binary(const char *path) {
  FILE *f = path[0] != 0 ? fopen(path, "rbe") : NULL;
  if (f == NULL) return 0;
  struct stat info;
  int ok = fstat(fileno(f), &info) == 0 && info.st_size > 0;
  size_t size = ok ? (size_t)info.st_size : 0;
  unsigned char *bytes = malloc(size + 1);
  ok = ok && bytes != NULL && fread(bytes, 1, size, f) == size;
  fclose(f);
  if (ok) {
    const unsigned char *list[] = {bytes};
    int32_t each, code;
    tl_cl_built = clCreateProgramWithBinary(tl_cl_context, 1, &tl_cl_device, &size, list, &each, &code);
    ok = code == 0 && clBuildProgram(tl_cl_built, 1, &tl_cl_device, tl_cl_options(), NULL, NULL) == 0;
  }
  free(bytes);
  return ok;
}

/* Some drivers compile all kernels for a binary, so that none is asked for where
 * it cannot be kept. */
static void tl_cl_save_binary(const char *path) {
  size_t size = 0;
  char work[4200];
  if (path[0] == 0) return;
  snprintf(work, sizeof work, "%s.%ld", path, (long)getpid());
  FILE *f = fopen(work, "wbe");
  if (f == NULL) return;
  int ok = clGetProgramInfo(tl_cl_built, 0x1165, sizeof size, &size, NULL) == 0 && size > 0;
  unsigned char *bytes = ok ? malloc(size) : NULL;
  ok = bytes != NULL && clGetProgramInfo(tl_cl_built, 0x1166, sizeof bytes, &bytes, NULL) == 0;
  ok = ok && fwrite(bytes, 1, size, f) == size;
  if (fclose(f) == 0 && ok)
    rename(work, path);
  else
    remove(work);
  free(bytes);
}

static void tl_cl_compile(void) {
  size_t lines = 0;
  while (tl_cl->source[lines] != NULL) lines++;
  int32_t code;
  tl_cl_built = clCreateProgramWithSource(tl_cl_context, (uint32_t)lines, (const char **)tl_cl->source, NULL, &code);
  tl_cl_check(code, "giving the kernels to", "the driver");
  code = clBuildProgram(tl_cl_built, 1, &tl_cl_device, tl_cl_options(), NULL, NULL);
  if (code != 0) {
    static char log[1 << 16];
    clGetProgramBuildInfo(tl_cl_built, tl_cl_device, 0x1183, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    tl_cl_check(code, "compiling", "the kernels");
  }
}

/* Kernels are built, and the answers made, at the first launch. */
static void tl_cl_ready(void) {
  if (tl_cl_built != NULL) return;
  char path[4096];
  tl_cl_cache(path, sizeof path);
  if (!tl_cl_load_binary(path)) {
    tl_cl_compile();
    tl_cl_save_binary(path);
  }
  int32_t code;
  size_t size = 8 * (size_t)(tl_cl->answers + 1);
  tl_cl_answers = clCreateBuffer(tl_cl_context, 1, size, NULL, &code);
  tl_cl_check(code, "allocating", "the kernels' results");
  tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, tl_cl_answers, "", 1, 0, size, 0, NULL, NULL), "clearing", "the kernels' results");
}

#include "openclarrays.c"
#include "opencllaunch.c"
#include "openclplan.c"
