/* What the device holds of the host's arrays. */

typedef struct tl_cl_array {
  struct tl_cl_array *next; /* of those with the same hash */
  char *host;
  const char *name, *head, *template_text, *code, *details; /* for the message where memory is short */
  int rank;
  int64_t shape[TL_MAX_RANK];
  int64_t count;
  int elem, zero;
  int on_host, on_device; /* neither while nothing has been written */
  int peeks;              /* single elements copied since the device wrote it */
  cl_handle buffer;
  int64_t size; /* of the buffer */
} tl_cl_array;

enum { TL_CL_BUCKETS = 1024, TL_CL_PEEKS = 4, TL_CL_SMALL = 64, TL_CL_POKE = 4096 };
static tl_cl_array *tl_cl_table[TL_CL_BUCKETS];

static tl_cl_array **tl_cl_bucket(const void *p) {
  return &tl_cl_table[((uintptr_t)p >> 4 ^ (uintptr_t)p >> 16) % TL_CL_BUCKETS];
}

static tl_cl_array *tl_cl_find(const void *p) {
  for (tl_cl_array *a = *tl_cl_bucket(p); a != NULL; a = a->next)
    if (a->host == p) return a;
  return NULL;
}

static tl_cl_array *tl_cl_add(const void *p, int elem, int64_t count) {
  tl_cl_array *a = calloc(1, sizeof *a), **at = tl_cl_bucket(p);
  if (a == NULL) tl_cl_stop(1, "no memory is left");
  a->host = (char *)(uintptr_t)p;
  a->name = "an array";
  a->head = "";
  a->template_text = "LIMIT ERROR: the device's memory is used up";
  a->code = "";
  a->details = "";
  a->elem = elem;
  a->count = count;
  a->on_host = 1;
  a->next = *at;
  *at = a;
  return a;
}

/* Bytes of an element, and of one on the device. */
static int64_t tl_cl_host_size(const tl_cl_array *a) { return tl_elem_size(a->elem); }
static int tl_cl_of_doubles(int elem) { return elem == TL_F64 || elem == TL_C64; }
static int64_t tl_cl_size(int elem) { return tl_elem_size(elem) / (tl_cl_of_doubles(elem) && tl_cl->narrow ? 2 : 1); }
static int64_t tl_cl_bytes(const tl_cl_array *a) { return a->count * tl_cl_size(a->elem); }
static int tl_cl_converts(const tl_cl_array *a) { return tl_cl_of_doubles(a->elem) && tl_cl->narrow; }

/* ---- Buffers ---- */

/* Buffers that are not in use, kept for arrays of the same size. */
enum { TL_CL_POOL = 64 };
static struct {
  cl_handle buffer;
  int64_t size;
} tl_cl_pool[TL_CL_POOL];

static void tl_cl_give_back(cl_handle buffer, int64_t size) {
  for (int i = 0; i < TL_CL_POOL; i++)
    if (tl_cl_pool[i].buffer == NULL) {
      tl_cl_pool[i].buffer = buffer;
      tl_cl_pool[i].size = size;
      return;
    }
  clReleaseMemObject(buffer);
}

static void tl_cl_drain(void) {
  for (int i = 0; i < TL_CL_POOL; i++) {
    if (tl_cl_pool[i].buffer != NULL) clReleaseMemObject(tl_cl_pool[i].buffer);
    tl_cl_pool[i].buffer = NULL;
  }
}

static cl_handle tl_cl_try(int64_t size, int32_t *code) {
  *code = -61;
  if (tl_cl_largest > 0 && size > tl_cl_largest) return NULL;
  return clCreateBuffer(tl_cl_context, 1, (size_t)size, NULL, code);
}

/* A buffer of at least *size bytes, NULL where the memory is used up. */
static cl_handle tl_cl_alloc(int64_t *size, const char *name) {
  *size = (*size + 255) & ~(int64_t)255;
  if (*size == 0) *size = 256;
  for (int i = 0; i < TL_CL_POOL; i++)
    if (tl_cl_pool[i].buffer != NULL && tl_cl_pool[i].size == *size) {
      cl_handle buffer = tl_cl_pool[i].buffer;
      tl_cl_pool[i].buffer = NULL;
      return buffer;
    }
  int32_t code;
  cl_handle buffer = tl_cl_try(*size, &code);
  if (code == -4 || code == -5 || code == -6 || code == -61) {
    tl_cl_drain();
    buffer = tl_cl_try(*size, &code);
  }
  if (code == -4 || code == -5 || code == -6 || code == -61) return NULL;
  tl_cl_check(code, "allocating", name);
  return buffer;
}

/* ---- Copies ---- */

static void tl_cl_from_device(tl_cl_array *a, int64_t from, int64_t count) {
  int64_t bytes = count * tl_cl_size(a->elem);
  char *to = a->host + from * tl_cl_host_size(a);
  if (count <= 0) return;
  float *floats = tl_cl_converts(a) ? tl_alloc(bytes / 4, 4) : NULL;
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, a->buffer, 1, (size_t)(from * tl_cl_size(a->elem)), (size_t)bytes,
                                  floats != NULL ? (void *)floats : to, 0, NULL, NULL), "reading", a->name);
  for (int64_t i = 0; floats != NULL && i < bytes / 4; i++) ((double *)to)[i] = floats[i];
  tl_free(floats);
  tl_cl_read_bytes += bytes;
  tl_cl_note(count == a->count ? "read" : "read an element of", a->name, bytes);
}

static void tl_cl_to_device(tl_cl_array *a, int64_t from, int64_t count) {
  int64_t bytes = count * tl_cl_size(a->elem);
  const char *source = a->host + from * tl_cl_host_size(a);
  if (count <= 0) return;
  float *floats = tl_cl_converts(a) ? tl_alloc(bytes / 4, 4) : NULL;
  for (int64_t i = 0; floats != NULL && i < bytes / 4; i++) floats[i] = (float)((const double *)source)[i];
  tl_cl_check(clEnqueueWriteBuffer(tl_cl_queue, a->buffer, 1, (size_t)(from * tl_cl_size(a->elem)), (size_t)bytes,
                                   floats != NULL ? (const void *)floats : source, 0, NULL, NULL), "writing", a->name);
  tl_free(floats);
  tl_cl_written_bytes += bytes;
  tl_cl_note(count == a->count ? "write" : "write an element of", a->name, bytes);
}

/* Makes the host's copy valid. */
static void tl_cl_fetch(tl_cl_array *a) {
  if (a->on_host) return;
  if (a->on_device)
    tl_cl_from_device(a, 0, a->count);
  else if (a->zero)
    memset(a->host, 0, (size_t)(a->count * tl_cl_host_size(a)));
  a->on_host = 1;
}

/* Makes the device's copy valid; a fresh one is wholly written. */
static void tl_cl_send(tl_cl_array *a, int fresh) {
  if (a->on_device) return;
  if (a->buffer == NULL) {
    a->size = tl_cl_bytes(a);
    a->buffer = tl_cl_alloc(&a->size, a->name);
    if (a->buffer == NULL) {
      const tl_arg shape = tl_arg_shape(a->rank, a->shape);
      tl_fault(1, a->head, a->template_text, a->code, a->details, 1, &shape);
    }
  }
  if (a->on_host)
    tl_cl_to_device(a, 0, a->count);
  else if (a->zero && !fresh)
    tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, a->buffer, "", 1, 0, (size_t)tl_cl_bytes(a), 0, NULL, NULL), "clearing", a->name);
  a->on_device = 1;
}

static void tl_cl_device_wrote(tl_cl_array *a) {
  a->on_host = 0;
  a->on_device = 1;
  a->peeks = 0;
}

/* ---- What generated code calls ---- */

static void tl_cl_forget(const void *p) {
  for (tl_cl_array **at = tl_cl_bucket(p); *at != NULL; at = &(*at)->next) {
    tl_cl_array *a = *at;
    if (a->host != p) continue;
    *at = a->next;
    if (a->buffer != NULL) tl_cl_give_back(a->buffer, a->size);
    free(a);
    return;
  }
}

void tl_cl_new(void *p, int elem, int64_t count, int zero, const char *name, const char *head,
               const char *template_text, const char *code, const char *details, int rank, const int64_t *shape) {
  tl_cl_forget(p);
  tl_cl_array *a = tl_cl_add(p, elem, count);
  a->name = name;
  a->head = head;
  a->template_text = template_text;
  a->code = code;
  a->details = details;
  a->zero = zero;
  a->on_host = 0;
  a->rank = rank < TL_MAX_RANK ? rank : TL_MAX_RANK;
  for (int i = 0; i < a->rank; i++) a->shape[i] = shape[i];
}

void tl_cl_known(const void *p, int elem, int64_t count) {
  if (tl_cl_find(p) == NULL) tl_cl_add(p, elem, count)->name = "a constant";
}

void tl_cl_free(void *p) {
  if (p == NULL) return;
  tl_cl_forget(p);
  tl_free(p);
}

void tl_cl_read(const void *p) {
  tl_cl_array *a = tl_cl_find(p);
  if (a != NULL) tl_cl_fetch(a);
}

void tl_cl_write(void *p) {
  tl_cl_array *a = tl_cl_find(p);
  if (a == NULL) return;
  tl_cl_fetch(a);
  a->on_device = 0;
}

void tl_cl_element(const void *p, int64_t i) {
  tl_cl_array *a = tl_cl_find(p);
  if (a == NULL || a->on_host) return;
  if (!a->on_device || a->peeks >= TL_CL_PEEKS || tl_cl_bytes(a) <= TL_CL_SMALL) {
    tl_cl_fetch(a);
    return;
  }
  a->peeks++;
  tl_cl_from_device(a, i, 1);
}

/* The host has stored element i: a few elements of a large array go to the
 * device, rather than all to the host. */
void tl_cl_stored(void *p, int64_t i) {
  tl_cl_array *a = tl_cl_find(p);
  if (a == NULL) return;
  if (a->on_host) {
    a->on_device = 0;
    return;
  }
  if (a->peeks < TL_CL_PEEKS && tl_cl_bytes(a) >= TL_CL_POKE) {
    char kept[16];
    int64_t n = tl_cl_host_size(a);
    memcpy(kept, a->host + i * n, (size_t)n);
    tl_cl_send(a, 0);
    memcpy(a->host + i * n, kept, (size_t)n);
    a->peeks++;
    tl_cl_to_device(a, i, 1);
    return;
  }
  char kept[16];
  int64_t n = tl_cl_host_size(a);
  memcpy(kept, a->host + i * n, (size_t)n);
  tl_cl_fetch(a);
  memcpy(a->host + i * n, kept, (size_t)n);
  a->on_device = 0;
}

/* Copies on the device what is only there. */
void tl_cl_copy(void *to, int64_t to_index, const void *from, int64_t from_index, int64_t count, int elem) {
  if (count <= 0) return;
  tl_cl_array *a = tl_cl_find(from), *b = tl_cl_find(to);
  if (a != NULL && b != NULL && a != b && a->on_device && (!a->on_host || (b->on_device && !b->on_host))) {
    int64_t n = tl_cl_size(elem);
    tl_cl_send(b, to_index == 0 && count == b->count);
    tl_cl_check(clEnqueueCopyBuffer(tl_cl_queue, a->buffer, b->buffer, (size_t)(from_index * n), (size_t)(to_index * n),
                                    (size_t)(count * n), 0, NULL, NULL), "copying", a->name);
    tl_cl_device_wrote(b);
    return;
  }
  if (a != NULL) tl_cl_fetch(a);
  tl_cl_write(to);
  int64_t n = tl_elem_size(elem);
  memmove((char *)to + to_index * n, (const char *)from + from_index * n, (size_t)(count * n));
}
