/* Equal items of ragged vectors. */
#include "rt.h"

/* The items that differ from all before them, by open addressing; it grows with
 * their number, so that the few different words of a long text stay in the
 * first-level cache. */
typedef struct {
  uint64_t hash;
  uint64_t place : 48; /* from 1; 0 where free */
  uint64_t bytes : 16; /* how many there are, if less than 65535 */
} tl_known_item;

typedef struct {
  tl_known_item *slots;
  uint64_t mask;
  int64_t used;
} tl_items;

static void tl_items_open(tl_items *t, uint64_t size) {
  t->slots = tl_alloc((int64_t)size, sizeof *t->slots);
  memset(t->slots, 0, size * sizeof *t->slots);
  t->mask = size - 1;
  t->used = 0;
}

static void tl_items_grow(tl_items *t) {
  tl_items old = *t;
  tl_items_open(t, 2 * (old.mask + 1));
  for (uint64_t i = 0; i <= old.mask; i++) {
    if (old.slots[i].place == 0) continue;
    uint64_t at = old.slots[i].hash & t->mask;
    while (t->slots[at].place != 0) at = (at + 1) & t->mask;
    t->slots[at] = old.slots[i];
  }
  t->used = old.used;
  tl_free(old.slots);
}

/* A hash of n bytes, eight at a time; no byte from end on is read. */
static inline uint64_t tl_hash_bytes(const char *p, size_t n, const char *end) {
  uint64_t h = n * 0x9E3779B97F4A7C15u, word = 0;
  for (; n > 8; p += 8, n -= 8) {
    memcpy(&word, p, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  if (n > 0 && end - p >= 8) {
    memcpy(&word, p, 8);
    word &= ~(uint64_t)0 >> 8 * (8 - n);
  } else {
    word = 0;
    for (size_t i = 0; i < n; i++) word |= (uint64_t)(uint8_t)p[i] << 8 * i;
  }
  h = (h ^ word) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
}

static inline int tl_same_bytes(const char *a, const char *b, size_t n) {
  if (n > 16) return memcmp(a, b, n) == 0;
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return 0;
  return 1;
}

/* Elements are compared by their bytes: no doubles. */
void tl_first_item(const tl_view *elements, const tl_view *offsets, const tl_view *lengths, int width, void *out) {
  int64_t n = tl_count(lengths->rank, lengths->shape);
  size_t size = (size_t)tl_elem_size(elements->elem);
  const char *bytes = elements->data, *end = bytes + (size_t)tl_count(elements->rank, elements->shape) * size;
  tl_items t;
  tl_items_open(&t, 64);
  for (int64_t i = 0; i < n; i++) {
    int64_t length = tl_load_int(lengths, i);
    const char *mine = length > 0 ? bytes + (size_t)tl_load_int(offsets, i) * size : bytes;
    size_t count = (size_t)length * size;
    uint64_t hash = tl_hash_bytes(mine, count, end), at = hash & t.mask, most = count < 65535 ? count : 65535;
    for (; t.slots[at].place != 0; at = (at + 1) & t.mask) {
      if (t.slots[at].hash != hash || t.slots[at].bytes != most) continue;
      if (count <= 8) break; /* of so many bytes each has a hash of its own */
      int64_t other = (int64_t)t.slots[at].place - 1;
      if (tl_load_int(lengths, other) == length && tl_same_bytes(mine, bytes + (size_t)tl_load_int(offsets, other) * size, count)) break;
    }
    if (t.slots[at].place == 0) {
      t.slots[at] = (tl_known_item){hash, (uint64_t)i + 1, most};
      tl_put_place(out, width, i, i + 1);
      if (++t.used * 2 > (int64_t)t.mask) tl_items_grow(&t);
    } else
      tl_put_place(out, width, i, (int64_t)t.slots[at].place);
  }
  tl_free(t.slots);
}
