/* Arrays and memory. */
#include "rt.h"

int64_t tl_elem_size(int elem) {
  static const int8_t sizes[] = {0, 1, 1, 2, 4, 8, 8, 4};
  return sizes[elem];
}

int64_t tl_count(int rank, const int64_t *shape) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++) n *= shape[i];
  return n;
}

int64_t tl_try_count(int rank, const int64_t *shape) {
  int64_t n = 1;
  int empty = 0;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0) return -1;
    empty |= shape[i] == 0;
  }
  if (empty) return 0;
  for (int i = 0; i < rank; i++)
    if (__builtin_mul_overflow(n, shape[i], &n)) return -1;
  return n;
}

tl_view tl_view_of(const tl_array *a) {
  tl_view v = {a->elem, a->rank, a->shape, a->data};
  return v;
}

void tl_drop(tl_array *a) {
  tl_free(a->data);
  a->data = NULL;
}

void tl_new(tl_array *result, int elem, int rank, const int64_t *shape) {
  result->elem = elem;
  result->rank = rank;
  for (int i = 0; i < rank; i++) result->shape[i] = shape[i];
  result->data = tl_alloc(tl_try_count(rank, shape), tl_elem_size(elem));
}

/* Each block is preceded by 64 bytes that hold its size, so that the memory in
 * use is known: Linux grants more than there is and kills whoever touches it,
 * which is no way to report LIMIT ERROR. */
enum { TL_HEADER = 64 };
static int64_t tl_in_use;

/* The memory that a program may use: what the machine has, or TAILOR_MEMORY
 * bytes where that is set. */
static int64_t tl_memory_limit(void) {
  static int64_t limit;
  if (limit == 0) {
    const char *text = getenv("TAILOR_MEMORY");
    if (text != NULL && *text != 0) limit = strtoll(text, NULL, 10);
    if (limit <= 0) limit = (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
    if (limit <= 0) limit = (int64_t)1 << 46;
  }
  return limit;
}

void *tl_try_alloc(int64_t count, int64_t size) {
  int64_t bytes;
  if (count < 0 || __builtin_mul_overflow(count, size, &bytes) || bytes > (int64_t)1 << 46) return NULL;
  bytes = (bytes + 127) & ~(int64_t)63;
  int64_t used = __atomic_add_fetch(&tl_in_use, bytes, __ATOMIC_RELAXED);
  char *block = used > tl_memory_limit() ? NULL : aligned_alloc(64, (size_t)bytes);
  if (block == NULL) {
    __atomic_sub_fetch(&tl_in_use, bytes, __ATOMIC_RELAXED);
    return NULL;
  }
  memcpy(block, &bytes, sizeof bytes);
  return block + TL_HEADER;
}

void *tl_alloc(int64_t count, int64_t size) {
  void *p = tl_try_alloc(count, size);
  if (p == NULL) {
    static const tl_site nowhere = {"", ""};
    if (count < 0) tl_fault_at(&nowhere, TL_LIMIT, "an array is too large");
    tl_fault_at(&nowhere, TL_LIMIT, "out of memory for %lld elements of %lld bytes",
                (long long)count, (long long)size);
  }
  return p;
}

void tl_free(void *p) {
  if (p == NULL) return;
  char *block = (char *)p - TL_HEADER;
  int64_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  __atomic_sub_fetch(&tl_in_use, bytes, __ATOMIC_RELAXED);
  free(block);
}
