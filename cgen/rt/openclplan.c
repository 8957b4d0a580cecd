/* Programs in FCL: their arguments, launches and results. */
#include "openclplan.h"
#undef min
#undef max
#undef abs

static const tl_plan_site *tl_plan_sites;
static char **tl_plan_args;
static const char *tl_plan_out;
static cl_handle tl_plan_fault;
static int64_t tl_plan_local_memory, tl_plan_largest_group;

static const struct {
  const char *name;
  int size;
} tl_plan_types[] = {{"", 0}, {"bool", 1}, {"i8", 1}, {"i16", 2}, {"i32", 4}, {"int", 8}, {"float", 4}, {"double", 8}};

static int tl_plan_floats(int elem) { return elem >= TL_PLAN_F32; }

static _Noreturn void tl_plan_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void tl_plan_stop(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  tl_cl_stop(2, text);
}

/* Gets what launches need. */
static void tl_plan_ready(void) {
  int32_t code;
  if (tl_plan_fault != NULL) return;
  tl_plan_local_memory = tl_cl_number(tl_cl_device, 0x1023);
  tl_plan_largest_group = tl_cl_number(tl_cl_device, 0x1004);
  if (tl_cl->source[0] != NULL) tl_cl_ready();
  tl_plan_fault = clCreateBuffer(tl_cl_context, 1, 24, NULL, &code);
  tl_cl_check(code, "allocating", "faults");
  tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, tl_plan_fault, "", 1, 0, 24, 0, NULL, NULL), "clearing", "faults");
}

void tl_plan_start(const tl_cl_program *p, const tl_plan_site *sites, int argc, char **argv, int arguments) {
  tl_plan_sites = sites;
  tl_plan_args = argv;
  if (argc >= 3 && strcmp(argv[argc - 2], "--out") == 0) {
    tl_plan_out = argv[argc - 1];
    argc -= 2;
  }
  if (argc - 1 != arguments)
    tl_plan_stop("main takes %d argument%s, and %d are given: each is a .npy file, a number, or a list as [1, 2, 3]; --out FILE.npy at the end is where the result goes",
                 arguments, arguments == 1 ? "" : "s", argc - 1);
  tl_cl_start(p);
  tl_plan_ready();
}

/* ---- Arguments ---- */

/* A value on its way from the command line, or from a file, to an element. */
typedef struct {
  int elem, loose;
  int64_t i;
  double d;
} tl_plan_value;

static _Noreturn void tl_plan_misfit(int at, int vector, int have, int want_vector, int want) {
  tl_plan_stop("argument %d of main is %s%s%s, but main takes %s%s%s", at, vector ? "[" : "", tl_plan_types[have].name, vector ? "]" : "",
               want_vector ? "[" : "", tl_plan_types[want].name, want_vector ? "]" : "");
}

/* Does each value of a type fit into another? */
static int tl_plan_widens(int from, int to) {
  if (from == TL_PLAN_BOOL || to == TL_PLAN_BOOL) return from == to;
  if (tl_plan_floats(from)) return tl_plan_floats(to) && from <= to;
  if (tl_plan_floats(to)) return tl_plan_types[from].size < tl_plan_types[to].size;
  return from <= to;
}

static void tl_plan_put(char *p, int elem, const tl_plan_value *v) {
  double d = tl_plan_floats(v->elem) ? v->d : (double)v->i;
  float f = (float)d;
  if (elem == TL_PLAN_F64)
    memcpy(p, &d, 8);
  else if (elem == TL_PLAN_F32)
    memcpy(p, &f, 4);
  else
    memcpy(p, &v->i, (size_t)tl_plan_types[elem].size); /* little-endian */
}

static int64_t tl_plan_signed(const char *p, int elem) {
  uint64_t u = 0;
  memcpy(&u, p, (size_t)tl_plan_types[elem].size);
  int shift = 64 - 8 * tl_plan_types[elem].size;
  return (int64_t)(u << shift) >> shift;
}

static double tl_plan_real(const char *p, int elem) { return tl_npy_double(p, tl_plan_types[elem].size); }

/* Reads a number or a truth value, which a comma, a blank or ] ends. */
static const char *tl_plan_word(int at, const char *p, tl_plan_value *v) {
  size_t n = strcspn(p, ", \t\n]");
  char word[400], *end;
  if (n == 0 || n >= sizeof word) tl_plan_stop("argument %d is no .npy file, number, or list of numbers as [1, 2, 3]", at);
  memcpy(word, p, n);
  word[n] = 0;
  int truth = strcmp(word, "true") == 0;
  if (truth || strcmp(word, "false") == 0) {
    *v = (tl_plan_value){TL_PLAN_BOOL, 1, truth, 0};
    return p + n;
  }
  errno = 0;
  *v = (tl_plan_value){TL_PLAN_I64, 1, strtoll(word, &end, 10), 0};
  if (*end != 0 || errno != 0) {
    v->elem = TL_PLAN_F64;
    v->d = strtod(word, &end);
    if (*end != 0) tl_plan_stop("argument %d is no .npy file, number, or list of numbers as [1, 2, 3]", at);
  }
  return p + n;
}

/* Stores what was written as text, where it fits. */
static void tl_plan_take(int at, int vector, char *to, int elem, const tl_plan_value *v) {
  char back[8];
  if ((v->elem == TL_PLAN_BOOL) != (elem == TL_PLAN_BOOL) || (tl_plan_floats(v->elem) && !tl_plan_floats(elem)))
    tl_plan_misfit(at, vector, v->elem, vector, elem);
  tl_plan_put(back, elem, v);
  if (!tl_plan_floats(elem) && elem != TL_PLAN_BOOL && tl_plan_signed(back, elem) != v->i)
    tl_plan_misfit(at, vector, v->elem, vector, elem);
  memcpy(to, back, (size_t)tl_plan_types[elem].size);
}

/* The elements of a list. */
static char *tl_plan_list(int at, const char *text, int elem, int64_t *n) {
  tl_text t = {0};
  char to[8];
  const char *p = text + 1;
  for (*n = 0;; ++*n) {
    p += strspn(p, ", \t\n");
    if (*p == ']') break;
    if (*p == 0) tl_plan_stop("argument %d lacks its ]", at);
    tl_plan_value v;
    p = tl_plan_word(at, p, &v);
    tl_plan_take(at, 1, to, elem, &v);
    tl_text_add(&t, to, (size_t)tl_plan_types[elem].size);
  }
  return t.bytes;
}

/* The type of FCL that a file's elements have; those without signs become int. */
static int tl_plan_type_of(const tl_npy_type *t) {
  switch (t->kind) {
  case TL_NPY_BOOL: return TL_PLAN_BOOL;
  case TL_NPY_INT: return !t->is_signed || t->size == 8 ? TL_PLAN_I64 : t->size == 4 ? TL_PLAN_I32 : t->size == 2 ? TL_PLAN_I16 : TL_PLAN_I8;
  case TL_NPY_DOUBLE: return t->size == 4 ? TL_PLAN_F32 : TL_PLAN_F64;
  }
  return 0;
}

static void tl_plan_convert(char *to, int elem, const char *from, const tl_npy_type *type, int have, int64_t n) {
  int size = tl_plan_types[elem].size;
  if (have == elem && type->size == size) {
    if (n > 0) memcpy(to, from, (size_t)(n * size));
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    tl_plan_value v = {have, 0, 0, 0};
    if (tl_plan_floats(have))
      v.d = tl_npy_double(from + i * type->size, type->size);
    else
      v.i = tl_npy_int(from + i * type->size, type);
    tl_plan_put(to + i * size, elem, &v);
  }
}

/* The elements of a file; those of several axes in their order. rank says how many. */
static char *tl_plan_file(int at, const char *name, int vector, int elem, int64_t *n) {
  static const tl_site site = {"", ""};
  tl_text t = {0};
  tl_npy h;
  tl_read_file(&site, name, &t);
  tl_npy_open(&site, name, &t, &h);
  const tl_npy_type *type = tl_npy_type_of(&h);
  int have = type == NULL ? 0 : tl_plan_type_of(type);
  if (have == 0 || (h.fortran && h.rank > 1)) tl_plan_stop("%s is no .npy file of numbers or truth values in row-major order", name);
  if ((h.rank > 0) != vector || !tl_plan_widens(have, elem)) tl_plan_misfit(at, h.rank > 0, have, vector, elem);
  *n = tl_try_count(h.rank, h.shape);
  if (*n < 0 || *n > (int64_t)(t.n - h.data) / type->size) tl_plan_stop("%s: the file is cut off", name);
  char *elems = tl_alloc(*n, tl_plan_types[elem].size);
  tl_plan_convert(elems, elem, t.bytes + h.data, type, have, *n);
  tl_text_free(&t);
  return elems;
}

static int tl_plan_is_file(const char *text) {
  size_t n = strlen(text);
  return n > 4 && strcmp(text + n - 4, ".npy") == 0;
}

static void tl_plan_number(int i, int elem, char *to) {
  const char *text = tl_plan_args[i];
  int64_t n = 1;
  if (tl_plan_is_file(text)) {
    char *elems = tl_plan_file(i, text, 0, elem, &n);
    memcpy(to, elems, (size_t)tl_plan_types[elem].size);
    tl_free(elems);
    return;
  }
  if (*text == '[') tl_plan_misfit(i, 1, TL_PLAN_I64, 0, elem);
  tl_plan_value v;
  if (*tl_plan_word(i, text, &v) != 0) tl_plan_stop("argument %d is no .npy file, number, or list of numbers as [1, 2, 3]", i);
  tl_plan_take(i, 0, to, elem, &v);
}

int64_t tl_plan_integer(int i, int elem) {
  char p[8];
  tl_plan_number(i, elem, p);
  return tl_plan_signed(p, elem);
}

double tl_plan_double(int i, int elem) {
  char p[8];
  tl_plan_number(i, elem, p);
  return tl_plan_real(p, elem);
}

int64_t tl_plan_vector(int i, tl_plan_array *a) {
  const char *text = tl_plan_args[i];
  int64_t n = 0;
  char *elems;
  if (tl_plan_is_file(text)) {
    elems = tl_plan_file(i, text, 1, a->elem, &n);
  } else {
    if (*text != '[') tl_plan_misfit(i, 0, TL_PLAN_I64, 1, a->elem);
    elems = tl_plan_list(i, text, a->elem, &n);
  }
  tl_plan_alloc(a, n);
  if (n > 0)
    tl_cl_check(clEnqueueWriteBuffer(tl_cl_queue, a->memory, 1, 0, (size_t)(n * tl_plan_types[a->elem].size), elems, 0, NULL, NULL),
                "writing", "an argument");
  tl_free(elems);
  return n;
}

/* ---- Arrays and launches ---- */

/* Where it goes on when the device's memory is used up, or NULL. */
static jmp_buf *tl_plan_short;

/* A buffer for n elements of an array. */
static cl_handle tl_plan_buffer(const tl_plan_array *a, int64_t n, int64_t *size) {
  *size = n * tl_plan_types[a->elem].size;
  cl_handle b = tl_cl_alloc(size, a->name);
  if (b == NULL && tl_plan_short != NULL) _longjmp(*tl_plan_short, 1);
  if (b == NULL && a->room > 0) fcl_fault(NULL, a->room, n, *size);
  if (b == NULL) tl_cl_check(-4, "allocating array", a->name);
  return b;
}

void tl_plan_free(tl_plan_array *a) {
  if (a->memory != NULL) tl_cl_give_back(a->memory, a->size);
  a->memory = NULL;
}

void tl_plan_alloc(tl_plan_array *a, int64_t n) {
  if (a->memory != NULL && a->n == n) return;
  tl_plan_free(a);
  a->memory = tl_plan_buffer(a, n, &a->size);
  a->n = n;
}

void tl_plan_swap(tl_plan_array *a, tl_plan_array *b) {
  tl_plan_array t = *a;
  a->memory = b->memory, a->n = b->n, a->size = b->size;
  b->memory = t.memory, b->n = t.n, b->size = t.size;
}

static void tl_plan_scalar(tl_cl_call *c, const tl_plan_arg *a) {
  float f = (float)a->d;
  if (a->kind == TL_PLAN_F64)
    tl_cl_argument(c, sizeof a->d, &a->d);
  else if (a->kind == TL_PLAN_F32)
    tl_cl_argument(c, sizeof f, &f);
  else
    tl_cl_int(c, a->n);
}

/* How many sub-groups work-groups have. */
static int64_t tl_plan_sub_groups(cl_handle kernel, int64_t group) {
  const size_t local = (size_t)group;
  size_t n = 0;
  tl_cl_check(clGetKernelSubGroupInfo(kernel, tl_cl_device, 0x2034, sizeof local, &local, sizeof n, &n, NULL), "asking for", "sub-groups");
  return (int64_t)n;
}

/* As many work-groups a launch has at most for each compute unit where work-items have
 * memory of their own; loops in the kernels cover more work. */
enum { TL_PLAN_GROUPS = 32 };

void tl_plan_launch(tl_plan_kernel *k, int64_t n, int nargs, const tl_plan_arg *args) {
  if (n <= 0) return;
  int32_t code = 0;
  if (k->handle == NULL) k->handle = clCreateKernel(tl_cl_built, k->name, &code);
  tl_cl_check(code, "making kernel", k->name);
  if (k->group > tl_plan_largest_group)
    tl_plan_stop("the device has work-groups of at most %lld work-items, not %d: build the program with --param BlockSize=%lld",
                 (long long)tl_plan_largest_group, k->group, (long long)tl_plan_largest_group);
  size_t local = (size_t)k->group;
  int64_t groups = k->groups ? n : (n + (int64_t)local - 1) / (int64_t)local;
  if (!k->once && groups > tl_cl_units * TL_PLAN_GROUPS) groups = tl_cl_units * TL_PLAN_GROUPS;
  size_t items = (size_t)groups * local;
  tl_cl_call c = {k->handle, k->name, 0};
  cl_handle scratch[TL_CL_ARRAYS];
  int64_t sizes[TL_CL_ARRAYS];
  int nscratch = 0;
  int64_t bytes = 0;
  tl_cl_buffer(&c, tl_plan_fault);
  for (int i = 0; i < nargs; i++) {
    switch (args[i].kind) {
    case TL_PLAN_ARRAY: tl_cl_buffer(&c, args[i].array->memory); break;
    case TL_PLAN_LOCAL:
    case TL_PLAN_SUB: {
      int64_t n = args[i].n * (args[i].kind == TL_PLAN_SUB ? tl_plan_sub_groups(k->handle, k->group) : 1);
      tl_cl_argument(&c, (size_t)n, NULL);
      bytes += n;
      break;
    }
    case TL_PLAN_SCRATCH:
      if (nscratch == TL_CL_ARRAYS) tl_plan_stop("kernel %s has too many arrays of work-items", k->name);
      scratch[nscratch] = tl_plan_buffer(args[i].array, (args[i].n > 0 ? args[i].n : 1) * (int64_t)items, &sizes[nscratch]);
      tl_cl_buffer(&c, scratch[nscratch++]);
      break;
    default: tl_plan_scalar(&c, &args[i]);
    }
  }
  if (bytes > tl_plan_local_memory)
    tl_plan_stop("kernel %s needs %lld bytes of local memory, and the device has %lld", k->name, (long long)bytes, (long long)tl_plan_local_memory);
  tl_cl_check(clEnqueueNDRangeKernel(tl_cl_queue, k->handle, 1, NULL, &items, &local, 0, NULL, NULL), "starting kernel", k->name);
  tl_cl_launches++;
  for (int i = 0; i < nscratch; i++) tl_cl_give_back(scratch[i], sizes[i]);
}

int64_t tl_cl_compute(tl_cl_function *f, int narrays, const void *const *arrays, const int64_t *counts, const int64_t *numbers,
                      void *result, int elem) {
  tl_plan_array given[2] = {{0}};
  tl_cl_array *held[2];
  int on_host = 1;
  int64_t total = 0;
  for (int i = 0; i < narrays; i++) {
    held[i] = tl_cl_find(arrays[i]);
    if (held[i] == NULL || counts[i] < 1 || counts[i] > held[i]->count || counts[i] > INT32_MAX / 2) return -1;
    on_host = on_host && held[i]->on_host;
    total += counts[i];
  }
  if (on_host && total < tl_cl->sort_length) return -1;
  tl_cl_ready();
  tl_plan_ready();
  for (int i = 0; i < narrays; i++) {
    tl_cl_send(held[i], 0);
    given[i].memory = held[i]->buffer;
    given[i].n = counts[i];
  }
  jmp_buf host;
  if (_setjmp(host) != 0) {
    tl_plan_short = NULL;
    return -1;
  }
  tl_plan_short = &host;
  const tl_plan_array made = f(given, numbers);
  tl_plan_short = NULL;
  tl_cl_array *out = tl_cl_add(result, elem, made.n);
  out->buffer = made.memory;
  out->size = made.size;
  tl_cl_device_wrote(out);
  return made.n;
}

/* ---- Faults ---- */

/* "1 element", "2 elements" */
static const char *tl_plan_elements(int64_t n) { return n == 1 ? "element" : "elements"; }

static void tl_plan_message(char *to, size_t size, const char *check, long long a, long long b) {
  if (strcmp(check, "check") == 0)
    snprintf(to, size, "there is no element %lld in an array of %lld %s", a, b, tl_plan_elements(b));
  else if (strcmp(check, "place") == 0)
    snprintf(to, size, "an element goes to place %lld, and there are %lld", a, b);
  else if (strcmp(check, "size") == 0)
    snprintf(to, size, "an array of %lld elements", a);
  else if (strcmp(check, "fit") == 0)
    snprintf(to, size, "a step makes %lld %s of an array that began with %lld", a, tl_plan_elements(a), b);
  else if (strcmp(check, "limit") == 0)
    snprintf(to, size, "an array of %lld elements, whose length was not known when the kernel was launched; --param Limit=%lld makes room for %lld (now %lld)", a, a, a, b);
  else if (strcmp(check, "room") == 0)
    snprintf(to, size, "the device has no memory for an array of %lld elements (%lld bytes)", a, b);
  else if (strcmp(check, "same") == 0)
    snprintf(to, size, "a program makes %lld %s, not %lld", a, tl_plan_elements(a), b);
  else
    snprintf(to, size, "an integer is divided by 0");
}

_Noreturn void fcl_fault(long *unused, int site, long a, long b) {
  (void)unused;
  const tl_plan_site *s = &tl_plan_sites[site - 1];
  char text[256];
  tl_plan_message(text, sizeof text, s->check, a, b);
  tl_fault_at(&s->site, s->kind, s->code, "%s", text);
}

void tl_plan_check(void) {
  if (tl_plan_sites == NULL) return;
  int64_t words[3];
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, tl_plan_fault, 1, 0, sizeof words, words, 0, NULL, NULL), "reading", "faults");
  if ((int32_t)words[0] != 0) fcl_fault(NULL, (int32_t)words[0], words[1], words[2]);
}

/* ---- Results ---- */

static void tl_plan_read(const tl_plan_array *a, int64_t from, int64_t n, char *to) {
  size_t size = (size_t)tl_plan_types[a->elem].size;
  if (n > 0)
    tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, a->memory, 1, (size_t)from * size, (size_t)n * size, to, 0, NULL, NULL), "reading", a->name);
}

int64_t tl_plan_integer_at(const tl_plan_array *a, int64_t i) {
  char p[8];
  tl_plan_read(a, i, 1, p);
  tl_plan_check();
  return tl_plan_signed(p, a->elem);
}

double tl_plan_double_at(const tl_plan_array *a, int64_t i) {
  char p[8];
  tl_plan_read(a, i, 1, p);
  tl_plan_check();
  return tl_plan_real(p, a->elem);
}

void tl_plan_text(const char *text) {
  if (tl_plan_out == NULL) tl_out(text, strlen(text));
}

/* The shortest decimal that is read as the number, as Go writes it. */
static void tl_plan_decimal(int elem, double d) {
  char text[40];
  if (d != d || isinf(d)) {
    tl_plan_text(d != d ? "NaN" : d > 0 ? "+Inf" : "-Inf");
    return;
  }
  int digits = 0;
  do {
    snprintf(text, sizeof text, "%.*e", digits, d);
  } while ((elem == TL_PLAN_F32 ? (double)strtof(text, NULL) != d : strtod(text, NULL) != d) && ++digits < 17);
  long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
  if (exponent >= -4 && exponent < 6) snprintf(text, sizeof text, "%.*f", digits > exponent ? (int)(digits - exponent) : 1, d);
  tl_plan_text(text);
}

/* Writes elements to the file that the command line names, as ints, doubles or truth values. */
static void tl_plan_write(int elem, int rank, int64_t n, const char *from) {
  static const tl_site site = {"", ""};
  int kind = elem == TL_PLAN_BOOL ? TL_BOOL : tl_plan_floats(elem) ? TL_F64 : TL_I64;
  int64_t size = tl_plan_types[elem].size, *wide = tl_alloc(n, 8);
  for (int64_t i = 0; i < n; i++) {
    double d = tl_plan_floats(elem) ? tl_plan_real(from + i * size, elem) : 0;
    if (kind == TL_BOOL)
      ((uint8_t *)wide)[i] = (uint8_t)from[i];
    else if (kind == TL_F64)
      memcpy(wide + i, &d, 8);
    else
      wide[i] = tl_plan_signed(from + i * size, elem);
  }
  const tl_view v = {kind, rank, &n, wide};
  tl_save_npy(&site, &v, tl_plan_out);
  tl_free(wide);
}

static void tl_plan_element(const char *p, int elem) {
  if (tl_plan_floats(elem)) {
    tl_plan_decimal(elem, tl_plan_real(p, elem));
    return;
  }
  char text[24];
  int64_t v = tl_plan_signed(p, elem);
  snprintf(text, sizeof text, "%lld", (long long)v);
  tl_plan_text(elem != TL_PLAN_BOOL ? text : v != 0 ? "true" : "false");
}

void tl_plan_show_number(int elem, int64_t i, double d) {
  char p[8];
  const tl_plan_value v = {tl_plan_floats(elem) ? TL_PLAN_F64 : TL_PLAN_I64, 0, i, d};
  tl_plan_put(p, elem, &v);
  tl_plan_element(p, elem);
  if (tl_plan_out != NULL) tl_plan_write(elem, 0, 1, p);
}

void tl_plan_show(const char *format, int64_t n, int columns, const tl_plan_array *const *arrays) {
  char *elems[TL_CL_ARRAYS];
  for (int k = 0; k < columns; k++) {
    elems[k] = tl_alloc(n, tl_plan_types[arrays[k]->elem].size);
    tl_plan_read(arrays[k], 0, n, elems[k]);
  }
  if (tl_plan_out != NULL) tl_plan_write(arrays[0]->elem, 1, n, elems[0]);
  tl_plan_text("[");
  for (int64_t i = 0; tl_plan_out == NULL && i < n; i++) {
    int k = 0;
    if (i > 0) tl_plan_text(", ");
    for (const char *p = format; *p != 0; p++) {
      if (*p != '%') {
        tl_out(p, 1);
        continue;
      }
      tl_plan_element(elems[k] + i * tl_plan_types[arrays[k]->elem].size, arrays[k]->elem);
      k++;
    }
  }
  tl_plan_text("]");
  for (int k = 0; k < columns; k++) tl_free(elems[k]);
}

void tl_plan_single(int single) {
  if (tl_plan_out != NULL && !single) tl_plan_stop("only scalars and arrays of scalars can be written to a file");
}
