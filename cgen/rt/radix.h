/* A radix sort from the least digit, of words of type TL_WORD; order.c includes
 * this file once for each type. */

/* Words of count elements, from an element on: those of in or, where there are
 * none yet, a key's leading bits, above its place where low is not 0. */
static inline const TL_WORD *TL_OF(words)(const tl_keys *k, const TL_WORD *in, int64_t from, int64_t count, int low, int shift, TL_WORD *block) {
  if (in != NULL) return in + from;
  uint64_t keys[TL_BLOCK];
  tl_load_keys(k, from, count, keys);
  if (low == 0)
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) block[i] = (TL_WORD)(keys[i] >> shift);
  else
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) block[i] = (TL_WORD)(keys[i] >> shift << low | (uint64_t)(from + i));
  return block;
}

/* Counts the digits of part p for passes first … last-1, in place[0] …; digits
 * have width bits. */
static void TL_OF(count)(const tl_keys *k, const TL_WORD *in, int p, int low, int shift, int width, int first, int last, tl_buckets *place) {
  TL_WORD block[TL_BLOCK], mask = ((TL_WORD)1 << width) - 1;
  int64_t to = tl_part(k->n, p + 1, k->parts);
  memset(place, 0, (size_t)(last - first) * sizeof *place);
  for (int64_t from = tl_part(k->n, p, k->parts), count; from < to; from += count) {
    count = tl_least(to - from, TL_BLOCK);
    const TL_WORD *v = TL_OF(words)(k, in, from, count, low, shift, block);
    for (int pass = first; pass < last; pass++) {
      uint32_t *mine = place[pass - first];
      int digit = low + width * pass;
      for (int64_t i = 0; i < count; i++) mine[v[i] >> digit & mask]++;
    }
  }
}

/* Makes the places where parts put their words from their counts. */
static void TL_OF(places)(tl_buckets *place, int parts) {
  uint32_t sum = 0;
  for (int b = 0; b < TL_BUCKETS; b++)
    for (int p = 0; p < parts; p++) {
      uint32_t count = place[p][b];
      place[p][b] = sum;
      sum += count;
    }
}

static void TL_OF(scatter)(const tl_keys *k, const TL_WORD *in, TL_WORD *restrict out, int p, int low, int shift, int digit, int width, uint32_t *restrict mine) {
  TL_WORD block[TL_BLOCK], mask = ((TL_WORD)1 << width) - 1;
  int64_t to = tl_part(k->n, p + 1, k->parts);
  for (int64_t from = tl_part(k->n, p, k->parts), count; from < to; from += count) {
    count = tl_least(to - from, TL_BLOCK);
    const TL_WORD *v = TL_OF(words)(k, in, from, count, low, shift, block);
    for (int64_t i = 0; i < count; i++) out[mine[v[i] >> digit & mask]++] = v[i];
  }
}

/* The sorted words of k's elements, bits of them above the place. One thread
 * counts the digits of all passes at once, as no pass changes them; several
 * count those of their parts before each pass. */
static TL_WORD *TL_OF(radix)(const tl_keys *k, int low, int shift, int bits) {
  int passes = (bits + TL_DIGIT - 1) / TL_DIGIT, width = (bits + passes - 1) / passes;
  /* What is made of it when it is free may need a huge page more. */
  int64_t room = k->n + (k->n < 1 << 18 ? 0 : (1 << 21) / (int64_t)sizeof(TL_WORD));
  tl_buckets *place = tl_alloc(k->parts > passes ? k->parts : passes, sizeof *place);
  TL_WORD *in = NULL, *out = tl_alloc(room, sizeof *out), *next = NULL;
  if (k->parts == 1) TL_OF(count)(k, NULL, 0, low, shift, width, 0, passes, place);
  for (int pass = 0; pass < passes; pass++) {
    tl_buckets *mine = k->parts == 1 ? place + pass : place;
    if (k->parts > 1) TL_EACH_PART(TL_OF(count)(k, in, p, low, shift, width, pass, pass + 1, place + p));
    TL_OF(places)(mine, k->parts);
    TL_EACH_PART(TL_OF(scatter)(k, in, out, p, low, shift, low + width * pass, width, mine[p]));
    next = in;
    in = out;
    out = next == NULL && pass + 1 < passes ? tl_alloc(room, sizeof *out) : next;
  }
  tl_free(place);
  tl_free(out);
  return in;
}

/* Writes the elements of part p of sorted words. */
static void TL_OF(put_values)(const tl_keys *k, const tl_wanted *w, int p, const TL_WORD *v) {
  uint64_t keys[TL_BLOCK];
  int64_t to = tl_part(k->n, p + 1, k->parts);
  for (int64_t from = tl_part(k->n, p, k->parts), count; from < to; from += count) {
    count = tl_least(to - from, TL_BLOCK);
    const TL_WORD *words = v + from;
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = words[i];
    tl_store_keys(k, keys, count, w->sorted, from);
  }
}

/* Sorts the elements alone. */
static inline void TL_OF(sort_values)(const tl_keys *k, tl_wanted *w) {
  TL_WORD *v = TL_OF(radix)(k, 0, 0, tl_bit_length(k->range));
  tl_wanted_open(k, w);
  TL_EACH_PART(TL_OF(put_values)(k, w, p, v));
  tl_free(v);
}
