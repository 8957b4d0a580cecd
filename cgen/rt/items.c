/* Equal items of ragged vectors. */
#include "rt.h"

/* The items that differ from all before them, by open addressing; it grows with
 * their number, so that the few different words of a long text stay in the
 * first-level cache. */
typedef struct {
  uint64_t words[2];   /* all bytes of an item of up to 16; else the hash, and 0 */
  uint64_t place : 48; /* from 1; 0 where free */
  uint64_t bytes : 16; /* how many there are, if less than 65535 */
} tl_known_item;

typedef struct {
  tl_known_item *slots;
  uint64_t mask;
  int64_t used;
} tl_items;

static inline uint64_t tl_mixed(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

/* Where an item begins to look for its slot. */
static inline uint64_t tl_item_hash(const tl_known_item *k) {
  if (k->bytes > 16) return k->words[0];
  uint64_t h = tl_mixed(k->bytes, k->words[0]);
  if (k->bytes > 8) h = tl_mixed(h, k->words[1]);
  return h ^ h >> 32;
}

static void tl_items_open(tl_items *t, uint64_t size) {
  t->slots = tl_alloc((int64_t)size, sizeof *t->slots);
  memset(t->slots, 0, size * sizeof *t->slots);
  t->mask = size - 1;
  t->used = 0;
}

static void tl_items_grow(tl_items *t) {
  tl_items old = *t;
  tl_items_open(t, 4 * (old.mask + 1));
  for (uint64_t i = 0; i <= old.mask; i++) {
    if (old.slots[i].place == 0) continue;
    uint64_t at = tl_item_hash(&old.slots[i]) & t->mask;
    while (t->slots[at].place != 0) at = (at + 1) & t->mask;
    t->slots[at] = old.slots[i];
  }
  t->used = old.used;
  tl_free(old.slots);
}

/* The first n bytes of at most 8 that begin at p; none from end on is read. */
static inline uint64_t tl_word_of(const char *p, size_t n, const char *end) {
  uint64_t word = 0;
  if (n == 0) return 0;
  if (end - p >= 8) {
    memcpy(&word, p, 8);
    return word & ~(uint64_t)0 >> 8 * (8 - n);
  }
  for (size_t i = 0; i < n; i++) word |= (uint64_t)(uint8_t)p[i] << 8 * i;
  return word;
}

/* The item of n bytes at p, at a place. */
static inline tl_known_item tl_item_at(const char *p, size_t n, const char *end, int64_t place) {
  tl_known_item k = {{0, 0}, (uint64_t)place, n < 65535 ? n : 65535};
  if (n <= 8) {
    k.words[0] = tl_word_of(p, n, end);
    return k;
  }
  memcpy(&k.words[0], p, 8);
  if (n <= 16) {
    k.words[1] = tl_word_of(p + 8, n - 8, end);
    return k;
  }
  uint64_t h = n * 0x9E3779B97F4A7C15u, word;
  for (; n > 8; p += 8, n -= 8) {
    memcpy(&word, p, 8);
    h = tl_mixed(h, word);
  }
  h = tl_mixed(h, tl_word_of(p, n, end));
  k.words[0] = h ^ h >> 32;
  return k;
}

/* How many items are looked up at once: the slot of each is on its way into the caches
 * while the others are hashed. */
enum { TL_ITEM_GROUP = 32 };

/* Items of few letters as numbers: a letter has a code of so many bits, and a one stands
 * above the codes of an item. */
typedef struct {
  uint8_t *codes; /* of all elements, and of room behind them */
  int bits;
  uint64_t range; /* the numbers are below it */
} tl_letter_codes;

/* An item has up to so many letters. */
enum { TL_SPELLED = 16 };

/* Whether n items of bytes spell numbers of a range that is worth a table. */
static int tl_letter_codes_open(tl_letter_codes *s, const uint8_t *bytes, int64_t count, const tl_view *lengths, int64_t n) {
  enum { few = 1 << 10, most = 24 };
  if (n < few || count / TL_SPELLED > n) return 0;
  int64_t longest = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t length = tl_load_int(lengths, i);
    longest = length > longest ? length : longest;
  }
  if (longest > TL_SPELLED) return 0;
  uint8_t there[256] = {0}, code[256] = {0};
  for (int64_t i = 0; i < count; i++) there[bytes[i]] = 1;
  int letters = 0;
  for (int i = 0; i < 256; i++)
    if (there[i]) code[i] = (uint8_t)letters++;
  for (s->bits = 1; letters > 1 << s->bits;) s->bits++;
  if (longest * s->bits > most) return 0;
  s->range = (uint64_t)2 << longest * s->bits;
  if (s->range > 4 * (uint64_t)n) return 0;
  s->codes = tl_alloc(count + TL_SPELLED, 1);
  for (int64_t i = 0; i < count; i++) s->codes[i] = code[bytes[i]];
  memset(s->codes + count, 0, TL_SPELLED);
  return 1;
}

/* The codes of up to eight letters, side by side. */
static inline uint64_t tl_letter_codes_word(const tl_letter_codes *s, const uint8_t *p, int64_t n) {
  uint64_t number = 0;
#ifdef __BMI2__
  uint64_t word, lanes = 0x0101010101010101u * (uint64_t)((1 << s->bits) - 1);
  memcpy(&word, p, 8);
  if (n < 8) word &= ((uint64_t)1 << 8 * n) - 1;
  number = __builtin_ia32_pext_di(word, lanes);
#else
  for (int64_t i = 0; i < n; i++) number |= (uint64_t)p[i] << s->bits * (int)i;
#endif
  return number;
}

/* The first places of items by a table over the numbers that they spell. */
static void tl_letter_codes_items(const tl_letter_codes *s, const tl_view *offsets, const tl_view *lengths, int64_t n, int width, void *out) {
  int32_t *first = tl_alloc((int64_t)s->range, sizeof *first);
  memset(first, 0, (size_t)s->range * sizeof *first);
  for (int64_t i = 0; i < n; i++) {
    int64_t length = tl_load_int(lengths, i);
    const uint8_t *p = s->codes + (length > 0 ? tl_load_int(offsets, i) : 0);
    uint64_t number = tl_letter_codes_word(s, p, tl_least(length, 8));
    if (length > 8) number |= tl_letter_codes_word(s, p + 8, length - 8) << 8 * s->bits;
    number |= (uint64_t)1 << length * s->bits;
    int32_t place = first[number] == 0 ? (int32_t)(i + 1) : first[number];
    first[number] = place;
    tl_put_place(out, width, i, place);
  }
  tl_free(first);
  tl_free(s->codes);
}

/* Elements are compared by their bytes: no doubles. */
void tl_first_item(const tl_view *elements, const tl_view *offsets, const tl_view *lengths, int width, void *out) {
  int64_t n = tl_count(lengths->rank, lengths->shape);
  size_t size = (size_t)tl_elem_size(elements->elem);
  const char *bytes = elements->data, *end = bytes + (size_t)tl_count(elements->rank, elements->shape) * size;
  tl_letter_codes letters;
  if (size == 1 && n < INT32_MAX && tl_letter_codes_open(&letters, (const uint8_t *)bytes, end - bytes, lengths, n)) {
    tl_letter_codes_items(&letters, offsets, lengths, n, width, out);
    return;
  }
  tl_known_item group[TL_ITEM_GROUP];
  uint64_t hashes[TL_ITEM_GROUP];
  tl_items t;
  tl_items_open(&t, 64);
  for (int64_t from = 0; from < n; from += TL_ITEM_GROUP) {
    int64_t to = n - from < TL_ITEM_GROUP ? n : from + TL_ITEM_GROUP;
    for (int64_t i = from; i < to; i++) {
      int64_t length = tl_load_int(lengths, i);
      const char *mine = length > 0 ? bytes + (size_t)tl_load_int(offsets, i) * size : bytes;
      group[i - from] = tl_item_at(mine, (size_t)length * size, end, i + 1);
      hashes[i - from] = tl_item_hash(&group[i - from]);
      __builtin_prefetch(&t.slots[hashes[i - from] & t.mask]);
    }
    for (int64_t i = from; i < to; i++) {
      const tl_known_item *k = &group[i - from];
      uint64_t at = hashes[i - from] & t.mask;
      for (; t.slots[at].place != 0; at = (at + 1) & t.mask) {
        const tl_known_item *s = &t.slots[at];
        if (s->words[0] != k->words[0] || s->words[1] != k->words[1] || s->bytes != k->bytes) continue;
        if (k->bytes <= 16) break;
        int64_t length = tl_load_int(lengths, i), other = (int64_t)s->place - 1;
        if (tl_load_int(lengths, other) == length &&
            memcmp(bytes + (size_t)tl_load_int(offsets, i) * size, bytes + (size_t)tl_load_int(offsets, other) * size, (size_t)length * size) == 0) break;
      }
      if (t.slots[at].place == 0) {
        t.slots[at] = *k;
        tl_put_place(out, width, i, i + 1);
        if (++t.used * 2 > (int64_t)t.mask) tl_items_grow(&t);
      } else
        tl_put_place(out, width, i, (int64_t)t.slots[at].place);
    }
  }
  tl_free(t.slots);
}
