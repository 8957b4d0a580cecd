/* Searches on the device, by the kernels of clgen/rt/search.cl and near.cl;
 * package clgen does the same in search.go. */

/* The kinds of elements that are searched, in the order of kernels' names. */
static int tl_cl_kind(int elem) { return elem == TL_F64 ? 1 : elem == TL_CHAR ? 2 : elem == TL_BOOL ? 3 : 0; }
#define TL_CL_KINDS(stem) \
  { stem "_i64", stem "_f64", stem "_c32", stem "_u8" }

/* A search under way. */
typedef struct {
  int fn, kind, tolerant;
  tl_cl_array *table, *items;
  int64_t n, count, cell, parts, local, mask;
  cl_handle slots, buckets, heads, next;
  int lent;
  cl_handle buffers[8];
  int64_t sizes[8];
} tl_cl_searching;

static int64_t tl_cl_nkept;
int64_t tl_cl_kept(void) { return tl_cl_nkept; }

/* A buffer for the time of the search; one that is cleared. */
static cl_handle tl_cl_lend(tl_cl_searching *q, int64_t bytes) {
  int64_t size = bytes;
  cl_handle b = tl_cl_alloc(&size, "a search");
  if (b == NULL) tl_cl_check(-4, "allocating", "a search");
  q->buffers[q->lent] = b;
  q->sizes[q->lent++] = size;
  return b;
}
static cl_handle tl_cl_cleared(tl_cl_searching *q, int64_t bytes) {
  cl_handle b = tl_cl_lend(q, bytes);
  tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, b, "", 1, 0, (size_t)bytes, 0, NULL, NULL), "clearing", "a search");
  return b;
}

/* Word i of a buffer of 32-bit words. */
static int64_t tl_cl_word(cl_handle b, int64_t i, const char *what) {
  uint32_t word;
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, b, 1, (size_t)(4 * i), 4, &word, 0, NULL, NULL), "reading", what);
  tl_cl_read_bytes += 4;
  tl_cl_note("read", what, 4);
  return word;
}

static void tl_cl_neighbours(tl_cl_call *c, const tl_cl_searching *q) {
  tl_cl_buffer(c, q->buckets);
  tl_cl_buffer(c, q->heads);
  tl_cl_buffer(c, q->next);
  tl_cl_int(c, q->mask);
}

/* The tables. */
static void tl_cl_tables(tl_cl_searching *q) {
  static const char *const put[] = TL_CL_KINDS("tl_search_put");
  int64_t size = 16;
  while (size < 2 * q->n) size *= 2;
  q->mask = size - 1;
  q->slots = tl_cl_cleared(q, 4 * size);
  tl_cl_call c = tl_cl_calls(put[q->kind]);
  tl_cl_buffer(&c, q->table->buffer);
  tl_cl_int(&c, q->n);
  tl_cl_int(&c, q->cell);
  tl_cl_buffer(&c, q->slots);
  tl_cl_int(&c, q->mask);
  tl_cl_enqueue(&c, q->parts, q->local);
  if (!q->tolerant) return;
  q->buckets = tl_cl_cleared(q, 4 * size);
  q->heads = tl_cl_cleared(q, 4 * size);
  q->next = tl_cl_lend(q, 4 * q->n);
  tl_cl_call d = tl_cl_calls("tl_search_chain");
  tl_cl_buffer(&d, q->table->buffer);
  tl_cl_int(&d, q->n);
  tl_cl_buffer(&d, q->slots);
  tl_cl_neighbours(&d, q);
  tl_cl_enqueue(&d, q->parts, q->local);
}

/* Index of, or with an opposite of 0 or 1 membership. */
static void tl_cl_look_up(const tl_cl_searching *q, int64_t opposite, cl_handle out) {
  static const char *const names[][4] = {TL_CL_KINDS("tl_search_index"), TL_CL_KINDS("tl_search_member")};
  int member = opposite >= 0;
  tl_cl_call c = tl_cl_calls(!q->tolerant ? names[member][q->kind] : member ? "tl_search_near_member" : "tl_search_near_index");
  tl_cl_buffer(&c, q->items->buffer);
  tl_cl_int(&c, q->count);
  tl_cl_buffer(&c, q->table->buffer);
  if (q->tolerant || !member) tl_cl_int(&c, q->n);
  if (q->tolerant) {
    tl_cl_neighbours(&c, q);
  } else {
    tl_cl_buffer(&c, q->slots);
    tl_cl_int(&c, q->mask);
  }
  if (member) tl_cl_int(&c, opposite);
  tl_cl_buffer(&c, out);
  tl_cl_enqueue(&c, q->parts, q->local);
}

/* Whether values that are not the same are equal. */
static int tl_cl_at_stake(tl_cl_searching *q) {
  cl_handle stake = tl_cl_cleared(q, 4);
  tl_cl_call c = tl_cl_calls("tl_search_stake");
  tl_cl_buffer(&c, q->table->buffer);
  tl_cl_int(&c, q->n);
  tl_cl_buffer(&c, q->slots);
  tl_cl_neighbours(&c, q);
  tl_cl_buffer(&c, stake);
  tl_cl_enqueue(&c, q->parts, q->local);
  return tl_cl_word(stake, 0, "what is at stake") != 0;
}

/* Which elements are the first of those like them. */
static void tl_cl_marks(tl_cl_searching *q, cl_handle marks) {
  static const char *const names[] = TL_CL_KINDS("tl_search_marks");
  tl_cl_call c = tl_cl_calls(names[q->kind]);
  tl_cl_buffer(&c, q->table->buffer);
  tl_cl_int(&c, q->n);
  tl_cl_buffer(&c, q->slots);
  tl_cl_int(&c, q->mask);
  tl_cl_buffer(&c, marks);
  tl_cl_enqueue(&c, q->parts, q->local);
}

/* The result, of count elements. */
static tl_cl_array *tl_cl_result(void *result, int elem, int64_t count) {
  tl_cl_array *out = tl_cl_add(result, elem, count);
  if (count == 0) return out;
  out->on_host = 0;
  tl_cl_send(out, 1);
  tl_cl_device_wrote(out);
  return out;
}

/* Leaves the items that are marked. */
static void tl_cl_keep(tl_cl_searching *q, cl_handle marks, void *result) {
  static const char *const names[] = TL_CL_KINDS("tl_search_keep");
  cl_handle counts = tl_cl_lend(q, 4 * (q->parts + 1));
  tl_cl_call c = tl_cl_calls("tl_search_count");
  tl_cl_buffer(&c, marks);
  tl_cl_int(&c, q->count);
  tl_cl_buffer(&c, counts);
  tl_cl_enqueue(&c, q->parts, q->local);
  tl_cl_call scan = tl_cl_calls("tl_sort_scan");
  tl_cl_buffer(&scan, counts);
  tl_cl_int(&scan, q->parts + 1);
  tl_cl_enqueue(&scan, q->local, q->local);
  tl_cl_nkept = tl_cl_word(counts, q->parts, "how many are kept");
  tl_cl_array *out = tl_cl_result(result, q->items->elem, tl_cl_nkept);
  if (tl_cl_nkept == 0) return;
  tl_cl_call keep = tl_cl_calls(names[q->kind]);
  tl_cl_buffer(&keep, q->items->buffer);
  tl_cl_int(&keep, q->count);
  tl_cl_buffer(&keep, marks);
  tl_cl_buffer(&keep, counts);
  tl_cl_buffer(&keep, out->buffer);
  tl_cl_enqueue(&keep, q->parts, q->local);
}

static void tl_cl_first(const tl_cl_searching *q, cl_handle out) {
  static const char *const names[] = TL_CL_KINDS("tl_search_first");
  tl_cl_call c = tl_cl_calls(names[q->kind]);
  tl_cl_buffer(&c, q->table->buffer);
  tl_cl_int(&c, q->n);
  tl_cl_int(&c, q->cell);
  tl_cl_buffer(&c, q->slots);
  tl_cl_int(&c, q->mask);
  tl_cl_buffer(&c, out);
  tl_cl_enqueue(&c, q->parts, q->local);
}

int tl_cl_search(int fn, int elem, const void *table, int64_t n, int64_t cell, const void *items, int64_t count, int exact,
                 void *result) {
  tl_cl_searching q = {.fn = fn, .kind = tl_cl_kind(elem), .tolerant = elem == TL_F64 && !exact && fn != TL_CL_FIRST,
                       .table = tl_cl_find(table), .items = tl_cl_find(items), .n = n, .count = count, .cell = cell};
  int done = 1;
  if (q.table == NULL || q.items == NULL || n < 1 || count < 1 || cell < 1 || n > INT32_MAX / 2 || count >= INT32_MAX ||
      n * cell > q.table->count || count > q.items->count ||
      (q.table->on_host && q.items->on_host && n * cell + count < tl_cl->sort_length))
    return 0;
  tl_cl_ready();
  tl_cl_send(q.table, 0);
  tl_cl_send(q.items, 0);
  tl_cl_shares(tl_cl_most(n, count), &q.parts, &q.local);
  tl_cl_tables(&q);
  switch (fn) {
  case TL_CL_INDEX: tl_cl_look_up(&q, -1, tl_cl_result(result, TL_I64, count)->buffer); break;
  case TL_CL_MEMBER: tl_cl_look_up(&q, 0, tl_cl_result(result, TL_BOOL, count)->buffer); break;
  case TL_CL_FIRST: tl_cl_first(&q, tl_cl_result(result, TL_I64, n)->buffer); break;
  case TL_CL_WITHOUT: {
    cl_handle marks = tl_cl_lend(&q, count);
    tl_cl_look_up(&q, 1, marks);
    tl_cl_keep(&q, marks, result);
    break;
  }
  default:
    done = !q.tolerant || !tl_cl_at_stake(&q);
    if (done) {
      cl_handle marks = tl_cl_lend(&q, count);
      tl_cl_marks(&q, marks);
      tl_cl_keep(&q, marks, result);
    }
  }
  for (int i = 0; i < q.lent; i++) tl_cl_give_back(q.buffers[i], q.sizes[i]);
  return done;
}
