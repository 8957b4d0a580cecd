/* Grades on the device, by the kernels of clgen/rt/sort.cl; package
 * clgen does the same in sort.go. */

enum { TL_SORT_CHUNK_DIGIT = 8, TL_SORT_GROUP_DIGIT = 4, TL_SORT_EACH = 256, TL_SORT_PARTS = 1 << 14, TL_SORT_COLUMNS = 64 };

/* What sorting needs beside the vector and its grade. */
enum { TL_KEYS, TL_KEYS_TO, TL_PLACES, TL_PLACES_TO, TL_COUNTS, TL_BITS_OF, TL_SORT_BUFFERS };

static cl_handle tl_cl_sorter(const char *name) {
  static struct {
    const char *name;
    cl_handle kernel;
  } made[64];
  for (int i = 0; i < 64; i++) {
    if (made[i].name == NULL) {
      int32_t code;
      made[i].name = name;
      made[i].kernel = clCreateKernel(tl_cl_built, name, &code);
      tl_cl_check(code, "making kernel", name);
    }
    if (strcmp(made[i].name, name) == 0) return made[i].kernel;
  }
  return NULL;
}

static tl_cl_call tl_cl_calls(const char *name) { return (tl_cl_call){tl_cl_sorter(name), name, 0}; }

static void tl_cl_swap(cl_handle *x, cl_handle *y) {
  cl_handle t = *x;
  *x = *y;
  *y = t;
}

/* The bits in which the keys differ. */
static uint64_t tl_cl_differing(cl_handle bits, int64_t parts) {
  uint64_t all = 0, *words = tl_alloc(parts, 8);
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, bits, 1, 0, (size_t)(8 * parts), words, 0, NULL, NULL), "reading", "the bits that differ");
  tl_cl_read_bytes += 8 * parts;
  tl_cl_note("read", "the bits that differ", 8 * parts);
  for (int64_t i = 0; i < parts; i++) all |= words[i];
  tl_free(words);
  return all;
}

/* A pass: orders keys and places by the digit at shift. */
static void tl_cl_pass(cl_handle *b, int64_t n, int64_t shift, int64_t parts, int64_t counts, int64_t local) {
  tl_cl_call count = tl_cl_calls("tl_sort_count");
  tl_cl_buffer(&count, b[TL_KEYS]);
  tl_cl_int(&count, n);
  tl_cl_int(&count, shift);
  tl_cl_buffer(&count, b[TL_COUNTS]);
  tl_cl_enqueue(&count, parts, local);
  tl_cl_call scan = tl_cl_calls("tl_sort_scan");
  tl_cl_buffer(&scan, b[TL_COUNTS]);
  tl_cl_int(&scan, counts);
  tl_cl_enqueue(&scan, local, local);
  tl_cl_call move = tl_cl_calls("tl_sort_move");
  tl_cl_buffer(&move, b[TL_KEYS]);
  tl_cl_buffer(&move, b[TL_PLACES]);
  tl_cl_int(&move, n);
  tl_cl_int(&move, shift);
  tl_cl_buffer(&move, b[TL_COUNTS]);
  tl_cl_buffer(&move, b[TL_KEYS_TO]);
  tl_cl_buffer(&move, b[TL_PLACES_TO]);
  tl_cl_enqueue(&move, parts, local);
  tl_cl_swap(&b[TL_KEYS], &b[TL_KEYS_TO]);
  tl_cl_swap(&b[TL_PLACES], &b[TL_PLACES_TO]);
}

/* How many work-items sort or search n elements, and how many are in a group. */
static void tl_cl_shares(int64_t n, int64_t *parts, int64_t *local) {
  *local = tl_cl->groups ? tl_cl->group_size : 1;
  *parts = tl_cl->items_a_unit * tl_cl_most(tl_cl_units, 1);
  if (tl_cl->groups) *parts = (tl_cl_least(n / TL_SORT_EACH, TL_SORT_PARTS) + *local - 1) / *local * *local;
  *parts = tl_cl_most(*parts, *local);
}

/* Kernels by the kinds of elements. */
static const char *tl_cl_keys_of(int elem, int next) {
  static const char *const names[][2] = {{"tl_sort_keys_i64", "tl_sort_next_i64"}, {"tl_sort_keys_f64", "tl_sort_next_f64"},
                                         {"tl_sort_keys_c32", "tl_sort_next_c32"}, {"tl_sort_keys_u8", "tl_sort_next_u8"}};
  return names[elem == TL_F64 ? 1 : elem == TL_CHAR ? 2 : elem == TL_I64 ? 0 : 3][next];
}

int tl_cl_grade(const void *p, int elem, int64_t n, int64_t columns, int down, void *result) {
  tl_cl_array *x = tl_cl_find(p), *out;
  if (x == NULL || n < 2 || columns < 1 || columns > TL_SORT_COLUMNS || n >= INT32_MAX || n * columns > x->count ||
      (x->on_host && n * columns < tl_cl->sort_length))
    return 0;
  tl_cl_ready();
  tl_cl_send(x, 0);
  int64_t local, parts, digit = tl_cl->groups ? TL_SORT_GROUP_DIGIT : TL_SORT_CHUNK_DIGIT;
  tl_cl_shares(n, &parts, &local);
  int64_t counts = parts << digit;
  int64_t sizes[TL_SORT_BUFFERS] = {8 * n, 8 * n, 4 * n, 4 * n, 4 * counts, 8 * parts};
  cl_handle b[TL_SORT_BUFFERS];
  for (int i = 0; i < TL_SORT_BUFFERS; i++) {
    b[i] = tl_cl_alloc(&sizes[i], "a grade");
    if (b[i] != NULL) continue;
    while (i-- > 0) tl_cl_give_back(b[i], sizes[i]);
    return 0; /* the host has memory */
  }
  for (int64_t j = columns - 1; j >= 0; j--) {
    tl_cl_call keys = tl_cl_calls(tl_cl_keys_of(elem, j < columns - 1));
    tl_cl_buffer(&keys, x->buffer);
    tl_cl_int(&keys, n);
    tl_cl_int(&keys, columns);
    tl_cl_int(&keys, j);
    tl_cl_int(&keys, down ? -1 : 0);
    tl_cl_buffer(&keys, b[TL_KEYS]);
    tl_cl_buffer(&keys, b[TL_PLACES]);
    tl_cl_buffer(&keys, b[TL_BITS_OF]);
    tl_cl_enqueue(&keys, parts, local);
    uint64_t differ = tl_cl_differing(b[TL_BITS_OF], parts);
    for (int64_t shift = 0; shift < 64; shift += digit)
      if ((differ >> shift & ((UINT64_C(1) << digit) - 1)) != 0) tl_cl_pass(b, n, shift, parts, counts, local);
  }
  out = tl_cl_add(result, TL_I64, n);
  out->on_host = 0;
  tl_cl_send(out, 1);
  tl_cl_call done = tl_cl_calls("tl_sort_done");
  tl_cl_buffer(&done, b[TL_PLACES]);
  tl_cl_int(&done, n);
  tl_cl_buffer(&done, out->buffer);
  tl_cl_enqueue(&done, parts, local);
  tl_cl_device_wrote(out);
  for (int i = 0; i < TL_SORT_BUFFERS; i++) tl_cl_give_back(b[i], sizes[i]);
  return 1;
}
