/* NumPy's .npy files, versions 1 to 3, little-endian. */
#include "rt.h"

/* What the header of a file says. */
typedef struct {
  char type[16]; /* descr, like <f8 */
  int fortran, rank;
  int64_t shape[TL_MAX_RANK];
  size_t data; /* where the elements begin */
} tl_npy;

/* The value of a key in the header's dictionary, or NULL. */
static const char *tl_npy_value(const char *header, const char *key) {
  const char *p = strstr(header, key);
  if (p == NULL) return NULL;
  p += strlen(key);
  if (*p != '\'' && *p != '"') return NULL;
  p++;
  while (*p == ' ') p++;
  if (*p++ != ':') return NULL;
  while (*p == ' ') p++;
  return p;
}

static int tl_npy_shape(const char *p, tl_npy *h) {
  if (*p++ != '(') return 0;
  for (;;) {
    while (*p == ' ' || *p == ',') p++;
    if (*p == ')') return 1;
    if (!tl_digit(*p) || h->rank == TL_MAX_RANK) return 0;
    int64_t n = 0;
    for (; tl_digit(*p); p++)
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *p - '0', &n)) return 0;
    h->shape[h->rank++] = n;
  }
}

static int tl_npy_header(const char *header, tl_npy *h) {
  const char *type = tl_npy_value(header, "descr"), *order = tl_npy_value(header, "fortran_order");
  const char *shape = tl_npy_value(header, "shape");
  if (type == NULL || order == NULL || shape == NULL || (*type != '\'' && *type != '"')) return 0;
  const char *end = strchr(type + 1, *type);
  if (end == NULL || end == type + 1 || end - type > (ptrdiff_t)sizeof h->type) return 0;
  memcpy(h->type, type + 1, (size_t)(end - type - 1));
  h->fortran = strncmp(order, "True", 4) == 0;
  if (!h->fortran && strncmp(order, "False", 5) != 0) return 0;
  return tl_npy_shape(shape, h);
}

static void tl_npy_open(const tl_site *site, const char *name, const tl_text *t, tl_npy *h) {
  const unsigned char *b = (const unsigned char *)t->bytes;
  memset(h, 0, sizeof *h);
  if (t->n < 10 || memcmp(t->bytes, "\x93NUMPY", 6) != 0) tl_fault_at(site, TL_NOT_NUMBER, "%s: not a NumPy file", name);
  if (b[6] < 1 || b[6] > 3) tl_fault_at(site, TL_NOT_NUMBER, "%s: version %d of NumPy's format is not supported", name, b[6]);
  size_t start = b[6] == 1 ? 10 : 12, length = b[8] | (size_t)b[9] << 8;
  if (b[6] > 1 && t->n >= 12) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  h->data = start + length;
  if (h->data > t->n) tl_fault_at(site, TL_NOT_NUMBER, "%s: the file is cut off", name);
  char *header = tl_alloc((int64_t)length + 1, 1);
  memcpy(header, t->bytes + start, length);
  header[length] = 0;
  int good = tl_npy_header(header, h);
  tl_free(header);
  if (!good) tl_fault_at(site, TL_NOT_NUMBER, "%s: the header is malformed", name);
}

/* The types of elements that can be read. */
enum { TL_NPY_BOOL, TL_NPY_INT, TL_NPY_DOUBLE, TL_NPY_COMPLEX, TL_NPY_CHAR };
typedef struct {
  const char *name;
  int kind, size, is_signed;
} tl_npy_type;
static const tl_npy_type tl_npy_types[] = {
    {"b1", TL_NPY_BOOL, 1, 0}, {"i1", TL_NPY_INT, 1, 1}, {"i2", TL_NPY_INT, 2, 1},    {"i4", TL_NPY_INT, 4, 1},
    {"i8", TL_NPY_INT, 8, 1},  {"u1", TL_NPY_INT, 1, 0}, {"u2", TL_NPY_INT, 2, 0},    {"u4", TL_NPY_INT, 4, 0},
    {"f4", TL_NPY_DOUBLE, 4, 1}, {"f8", TL_NPY_DOUBLE, 8, 1}, {"U1", TL_NPY_CHAR, 4, 0},
    {"c8", TL_NPY_COMPLEX, 8, 1}, {"c16", TL_NPY_COMPLEX, 16, 1},
};

static const tl_npy_type *tl_npy_type_of(const tl_npy *h) {
  for (size_t i = 0; i < sizeof tl_npy_types / sizeof *tl_npy_types; i++) {
    const tl_npy_type *t = &tl_npy_types[i];
    if (strcmp(h->type + 1, t->name) == 0 && h->type[0] != 0 &&
        (strchr("<=|", h->type[0]) != NULL || (t->size == 1 && h->type[0] == '>')))
      return t;
  }
  return NULL;
}

static const char *tl_elem_name(int elem) {
  return elem == TL_BOOL ? "bool" : elem == TL_F64 ? "double" : elem == TL_CHAR ? "char" : elem == TL_C64 ? "complex" : "int";
}

/* May elements of that kind become elements of type elem without loss? */
static int tl_npy_fits(int kind, int elem) {
  if (kind == TL_NPY_CHAR || elem == TL_CHAR) return kind == TL_NPY_CHAR && elem == TL_CHAR;
  return kind <= (elem == TL_BOOL ? TL_NPY_BOOL : elem == TL_I64 ? TL_NPY_INT : elem == TL_F64 ? TL_NPY_DOUBLE : TL_NPY_COMPLEX);
}

static int64_t tl_npy_int(const char *p, const tl_npy_type *t) {
  uint64_t u = 0;
  memcpy(&u, p, (size_t)t->size);
  int shift = 64 - 8 * t->size;
  return t->is_signed ? (int64_t)(u << shift) >> shift : (int64_t)u;
}

/* The number that 4 or 8 bytes hold. */
static double tl_npy_double(const char *p, int size) {
  float f;
  double d;
  memcpy(size == 4 ? (void *)&f : (void *)&d, p, (size_t)size);
  return size == 4 ? (double)f : d;
}

static void tl_npy_element(tl_array *result, int64_t i, const char *p, const tl_npy_type *t) {
  if (t->kind == TL_NPY_COMPLEX) {
    int half = t->size / 2;
    ((tl_c64 *)result->data)[i] = TL_Z(tl_npy_double(p, half), tl_npy_double(p + half, half));
    return;
  }
  if (t->kind == TL_NPY_DOUBLE) {
    double d = tl_npy_double(p, t->size);
    if (result->elem == TL_C64)
      ((tl_c64 *)result->data)[i] = TL_Z(d, 0);
    else
      ((double *)result->data)[i] = d;
    return;
  }
  int64_t v = tl_npy_int(p, t);
  switch (result->elem) {
  case TL_BOOL: ((uint8_t *)result->data)[i] = v != 0; break;
  case TL_I64: ((int64_t *)result->data)[i] = t->kind == TL_NPY_BOOL ? v != 0 : v; break;
  case TL_C64: ((tl_c64 *)result->data)[i] = TL_Z(t->kind == TL_NPY_BOOL ? v != 0 : (double)v, 0); break;
  case TL_F64: ((double *)result->data)[i] = t->kind == TL_NPY_BOOL ? v != 0 : (double)v; break;
  default: ((uint32_t *)result->data)[i] = (uint32_t)v;
  }
}

/* Copies the elements; a Fortran file has its first axis fastest. */
static void tl_npy_elements(tl_array *result, const tl_npy *h, const char *bytes, const tl_npy_type *t) {
  int64_t n = tl_count(h->rank, h->shape), index[TL_MAX_RANK] = {0}, at = 0;
  for (int64_t i = 0; i < n; i++) {
    tl_npy_element(result, i, bytes + (h->fortran ? at : i) * t->size, t);
    if (!h->fortran) continue;
    int k = h->rank - 1;
    for (; k >= 0 && ++index[k] == h->shape[k]; k--) index[k] = 0;
    at = 0;
    for (k = h->rank - 1; k >= 0; k--) at = at * h->shape[k] + index[k];
  }
}

void tl_read_npy(const tl_site *site, const tl_view *name_view, int elem, int rank, tl_array *result) {
  tl_text t = {0};
  tl_npy h;
  char *name = tl_name(name_view);
  tl_read_file(site, name, &t);
  tl_npy_open(site, name, &t, &h);
  const tl_npy_type *type = tl_npy_type_of(&h);
  if (type == NULL) tl_fault_at(site, TL_NOT_NUMBER, "%s: elements of type %s are not supported", name, h.type);
  if (!tl_npy_fits(type->kind, elem))
    tl_fault_at(site, TL_UNKNOWN_TYPE, "%s holds elements of type %s, not %s", name, h.type, tl_elem_name(elem));
  if (h.rank != rank) tl_fault_at(site, TL_UNKNOWN_TYPE, "%s holds an array of rank %d, not %d", name, h.rank, rank);
  int64_t n = tl_try_count(h.rank, h.shape);
  if (n < 0 || n > (int64_t)(t.n - h.data) / type->size) tl_fault_at(site, TL_NOT_NUMBER, "%s: the file is cut off", name);
  for (int64_t i = 0; type->kind == TL_NPY_CHAR && i < n; i++) {
    uint32_t c;
    memcpy(&c, t.bytes + h.data + 4 * i, sizeof c);
    if (c > 0x10FFFF) tl_fault_at(site, TL_NOT_NUMBER, "%s: the file holds what is no character", name);
  }
  tl_new(result, elem, h.rank, h.shape);
  tl_npy_elements(result, &h, t.bytes + h.data, type);
  tl_text_free(&t);
  tl_free(name);
}

static const char *tl_npy_descr(int elem) {
  switch (elem) {
  case TL_BOOL: return "|b1";
  case TL_I8: return "|i1";
  case TL_I16: return "<i2";
  case TL_I32: return "<i4";
  case TL_F64: return "<f8";
  case TL_CHAR: return "<U1";
  case TL_C64: return "<c16";
  }
  return "<i8";
}

static int64_t tl_save_npy(const tl_site *site, const tl_view *a, const char *name) {
  tl_text t = {0};
  char text[64];
  tl_text_add(&t, "\x93NUMPY\1\0\0\0", 10);
  tl_text_add(&t, text, (size_t)sprintf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (", tl_npy_descr(a->elem)));
  for (int k = 0; k < a->rank; k++)
    tl_text_add(&t, text, (size_t)sprintf(text, a->rank == 1 ? "%lld," : k == 0 ? "%lld" : ", %lld", (long long)a->shape[k]));
  tl_text_add(&t, "), }", 4);
  while ((t.n + 1) % 64 != 0) tl_text_add(&t, " ", 1);
  tl_text_add(&t, "\n", 1);
  t.bytes[8] = (char)((t.n - 10) & 255);
  t.bytes[9] = (char)((t.n - 10) >> 8);
  int64_t n = tl_count(a->rank, a->shape) * tl_elem_size(a->elem);
  if (n > 0) tl_text_add(&t, a->data, (size_t)n);
  tl_write_file(site, name, &t, 1);
  n = (int64_t)t.n;
  tl_text_free(&t);
  return n;
}

int64_t tl_write_npy(const tl_site *site, const tl_view *a, const tl_view *name_view) {
  char *name = tl_name(name_view);
  int64_t n = tl_save_npy(site, a, name);
  tl_free(name);
  return n;
}
