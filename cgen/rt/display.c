/* The display of arrays; internal/display in C, byte for byte. */
#include "rt.h"

enum { TL_PW = 80, TL_INDENT = 6, TL_WHOLE_DIGITS = 10 };

/* tl_sink takes the text of a display: standard output, or a text. */
typedef struct {
  tl_text *text; /* NULL: standard output */
} tl_sink;

static void tl_put(tl_sink *s, const char *bytes, size_t n) {
  if (s->text != NULL)
    tl_text_add(s->text, bytes, n);
  else
    tl_out(bytes, n);
}

static void tl_blanks(tl_sink *s, int64_t n) {
  static const char blanks[] = "                                ";
  for (; n > 32; n -= 32) tl_put(s, blanks, 32);
  if (n > 0) tl_put(s, blanks, (size_t)n);
}

static void tl_put_ascii(tl_sink *s, const char *bytes, int n) {
  char spelt[3 * 2 * TL_DIGITS];
  tl_put(s, spelt, (size_t)tl_spell(spelt, bytes, n));
}

static void tl_put_char(tl_sink *s, uint32_t c) {
  char spelt[4];
  tl_put(s, spelt, (size_t)tl_utf8(spelt, c));
}

/* pp, clamped; enough for all digits where all elements are integers of 32 bits
 * that are stored as doubles. */
static int tl_significant(const tl_view *a, int pp) {
  pp = pp < 1 ? 1 : pp > TL_MAX_PP ? TL_MAX_PP : pp;
  if (pp >= TL_WHOLE_DIGITS || a->elem != TL_F64) return pp;
  const double *data = a->data;
  int64_t n = tl_count(a->rank, a->shape);
  for (int64_t i = 0; i < n; i++)
    if (!(data[i] >= INT32_MIN && data[i] <= INT32_MAX && data[i] == trunc(data[i]))) return pp;
  return TL_WHOLE_DIGITS;
}

/* A complex number is a real one where its imaginary part is zero. */
static void tl_add_imaginary(tl_number *t, tl_c64 z, int pp) {
  tl_number im;
  if (tl_imz(z) == 0) return;
  tl_number_double(&im, tl_imz(z), pp);
  t->bytes[t->n++] = 'J';
  memcpy(t->bytes + t->n, im.bytes, (size_t)im.n);
  t->n += im.n;
}

static void tl_item_complex(tl_number *t, tl_c64 z, int pp) {
  tl_number_double(t, tl_rez(z), pp);
  tl_add_imaginary(t, z, pp);
  t->left = t->n;
  t->frac = 0;
}

/* tl_item is the text of a number that stands on its own; wide is tl_wide(a). */
static void tl_item(tl_number *t, const tl_view *a, int64_t i, int pp, int wide) {
  if (a->elem == TL_F64)
    tl_number_double(t, ((const double *)a->data)[i], pp);
  else if (a->elem == TL_C64)
    tl_item_complex(t, ((const tl_c64 *)a->data)[i], pp);
  else if (wide)
    tl_number_wide(t, tl_load_int(a, i), pp);
  else
    tl_number_int(t, tl_load_int(a, i));
}

/* ---- Scalars and vectors ---- */

static void tl_char_line(tl_sink *s, const tl_view *a, int64_t pw) {
  int64_t n = tl_count(a->rank, a->shape), column = 0;
  for (int64_t i = 0; i < n; i++) {
    uint32_t c = tl_load_char(a, i);
    if (column >= pw && c != '\n') {
      tl_put(s, "\n", 1);
      tl_blanks(s, TL_INDENT);
      column = TL_INDENT;
    }
    tl_put_char(s, c);
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  }
}

static void tl_number_line(tl_sink *s, const tl_view *a, int pp, int64_t pw) {
  int64_t n = tl_count(a->rank, a->shape), column = 0;
  int wide = tl_wide(a);
  tl_number t;
  for (int64_t i = 0; i < n; i++) {
    tl_item(&t, a, i, pp, wide);
    if (i > 0 && column + 1 + t.n > pw) {
      tl_put(s, "\n", 1);
      tl_blanks(s, TL_INDENT);
      column = TL_INDENT;
    } else if (i > 0) {
      tl_put(s, " ", 1);
      column++;
    }
    tl_put_ascii(s, t.bytes, t.n);
    column += t.n;
  }
}

static void tl_line(tl_sink *s, const tl_view *a, int pp, int64_t pw) {
  if (tl_is_char(a))
    tl_char_line(s, a, pw);
  else
    tl_number_line(s, a, pp, pw);
}

/* ---- Higher ranks ---- */

/* tl_column is the format that the numbers of a column share: the widths of
 * their three parts, whether they have an exponent, and whether all have as many
 * decimals. An imaginary part counts as part of the exponent. */
typedef struct {
  int left, frac, exp, scaled, padded;
} tl_column;

typedef struct {
  const tl_view *array;
  int pp, gap, wide; /* gap: blanks between columns; wide: tl_wide(array) */
  int64_t rows, n;
  tl_column *format; /* n of them */
} tl_columns;

static int tl_column_width(const tl_column *c) { return c->left + c->frac + c->exp; }

static int tl_int_width(int64_t i) {
  uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  int n = 1 + (i < 0);
  for (; u >= 10; u /= 10) n++;
  return n;
}

/* Ints: only the range of a column matters. */
static void tl_int_columns(tl_columns *cs) {
  for (int64_t i = 0; i < cs->rows; i++) {
    for (int64_t j = 0; j < cs->n; j++) {
      int w = tl_int_width(tl_load_int(cs->array, i * cs->n + j));
      if (w > cs->format[j].left) cs->format[j].left = w;
    }
  }
}

static int tl_needs_exponent(const tl_columns *cs, int64_t at) {
  if (cs->wide) return tl_wide_scaled(tl_load_int(cs->array, at), cs->pp);
  if (cs->array->elem == TL_C64) return tl_number_scaled(tl_rez(((const tl_c64 *)cs->array->data)[at]), cs->pp);
  return tl_number_scaled(((const double *)cs->array->data)[at], cs->pp);
}

static void tl_complex_item(tl_number *t, tl_c64 z, int pp, int scaled) {
  if (fabs(tl_rez(z)) <= DBL_MAX) {
    tl_number_column(t, tl_rez(z), pp, scaled);
    tl_add_imaginary(t, z, pp);
  } else
    tl_item_complex(t, z, pp);
}

/* The number at a place, in the form of its column. */
static void tl_column_item(tl_number *t, const tl_columns *cs, int64_t at, int scaled) {
  if (cs->wide)
    tl_wide_column(t, tl_load_int(cs->array, at), cs->pp, scaled);
  else if (cs->array->elem == TL_F64)
    tl_number_column(t, ((const double *)cs->array->data)[at], cs->pp, scaled);
  else if (cs->array->elem == TL_C64)
    tl_complex_item(t, ((const tl_c64 *)cs->array->data)[at], cs->pp, scaled);
  else
    tl_item(t, cs->array, at, cs->pp, 0);
}

static void tl_double_columns(tl_columns *cs) {
  for (int64_t i = 0; i < cs->rows; i++)
    for (int64_t j = 0; j < cs->n; j++)
      cs->format[j].scaled = cs->format[j].scaled || tl_needs_exponent(cs, i * cs->n + j);
  for (int64_t i = 0; i < cs->rows * cs->n; i++) {
    tl_column *c = &cs->format[i % cs->n];
    c->padded = c->padded || c->scaled || (cs->array->elem == TL_C64 && tl_imz(((const tl_c64 *)cs->array->data)[i]) != 0);
  }
  tl_number t;
  for (int64_t i = 0; i < cs->rows; i++) {
    for (int64_t j = 0; j < cs->n; j++) {
      tl_column *c = &cs->format[j];
      tl_column_item(&t, cs, i * cs->n + j, c->scaled);
      int exp = t.n - t.left - t.frac;
      if (t.left > c->left) c->left = t.left;
      if (t.frac > c->frac) c->frac = t.frac;
      if (exp > c->exp) c->exp = exp;
    }
  }
}

static void tl_columns_of(tl_columns *cs, const tl_view *a, int pp) {
  cs->array = a;
  cs->pp = pp;
  cs->gap = !tl_is_char(a);
  cs->wide = tl_wide(a);
  cs->rows = tl_count(a->rank - 1, a->shape);
  cs->n = cs->rows == 0 ? 0 : a->shape[a->rank - 1]; /* nothing is displayed of no rows */
  cs->format = tl_alloc(cs->n, sizeof *cs->format);
  memset(cs->format, 0, (size_t)cs->n * sizeof *cs->format);
  if (tl_is_char(a))
    for (int64_t j = 0; j < cs->n; j++) cs->format[j].left = 1;
  else if (a->elem == TL_F64 || a->elem == TL_C64 || cs->wide)
    tl_double_columns(cs);
  else
    tl_int_columns(cs);
}

/* Columns from…to-1 with the blanks between them. */
static int64_t tl_columns_width(const tl_columns *cs, int64_t from, int64_t to) {
  int64_t w = 0;
  for (int64_t j = from; j < to; j++) w += (j > from ? cs->gap : 0) + tl_column_width(&cs->format[j]);
  return w;
}

/* The end of the longest run of columns from a given one that fits in width;
 * at least one column. */
static int64_t tl_columns_fit(const tl_columns *cs, int64_t from, int64_t width) {
  int64_t w = 0;
  for (int64_t j = from; j < cs->n; j++) {
    w += (j > from ? cs->gap : 0) + tl_column_width(&cs->format[j]);
    if (w > width && j > from) return j;
  }
  return cs->n;
}

/* A number in its column. */
static void tl_put_number(tl_sink *s, const tl_column *c, const tl_number *t) {
  int exp = t->n - t->left - t->frac;
  tl_blanks(s, c->left - t->left);
  if (!c->padded || t->special) {
    tl_put_ascii(s, t->bytes, t->n);
    tl_blanks(s, c->frac + c->exp - (t->n - t->left));
    return;
  }
  tl_put_ascii(s, t->bytes, t->left + t->frac);
  for (int k = t->frac; k < c->frac; k++) tl_put(s, k == 0 ? "." : "0", 1);
  tl_put_ascii(s, t->bytes + t->left + t->frac, exp);
  tl_blanks(s, c->exp - exp);
}

static void tl_put_row(tl_sink *s, const tl_columns *cs, int64_t i, int64_t from, int64_t to) {
  int64_t base = i * cs->n;
  tl_number t;
  for (int64_t j = from; j < to; j++) {
    if (tl_is_char(cs->array)) {
      tl_put_char(s, tl_load_char(cs->array, base + j));
      continue;
    }
    if (j > from) tl_put(s, " ", 1);
    tl_column_item(&t, cs, base + j, cs->format[j].scaled);
    tl_put_number(s, &cs->format[j], &t);
  }
}

/* The lines of blanks before row i: as many as axes, the last two aside, that
 * start anew there. */
static int tl_separators(const tl_columns *cs, int64_t i) {
  int n = 0;
  if (i == 0) return 0;
  for (int axis = cs->array->rank - 2; axis > 0 && i % cs->array->shape[axis] == 0; axis--) {
    i /= cs->array->shape[axis];
    n++;
  }
  return n;
}

static void tl_put_block(tl_sink *s, const tl_columns *cs, int64_t from, int64_t to, int margin) {
  int64_t width = margin + tl_columns_width(cs, from, to);
  for (int64_t i = 0; i < cs->rows; i++) {
    for (int k = tl_separators(cs, i); k > 0; k--) {
      tl_blanks(s, width);
      tl_put(s, "\n", 1);
    }
    tl_blanks(s, margin);
    tl_put_row(s, cs, i, from, to);
    tl_put(s, "\n", 1);
  }
}

/* One block of lines for each run of columns between two folds. */
static void tl_put_rows(tl_sink *s, const tl_columns *cs) {
  int64_t from = 0;
  int margin = 0;
  for (;;) {
    int64_t to = tl_columns_fit(cs, from, TL_PW - margin);
    tl_put_block(s, cs, from, to, margin);
    if (to >= cs->n) return;
    from = to;
    margin = TL_INDENT;
  }
}

/* ---- Entry points ---- */

/* What is displayed is finite. */
static void tl_expect_finite(const tl_view *a) {
  static const tl_site nowhere = {"", ""};
  tl_check_overflow();
  if (a->elem != TL_F64 && a->elem != TL_C64) return;
  const double *d = a->data;
  int64_t n = tl_count(a->rank, a->shape) * (a->elem == TL_C64 ? 2 : 1);
  int bad = 0;
  for (int64_t i = 0; i < n; i++) bad |= tl_infinite(d[i]);
  if (bad) tl_overflow_found(&nowhere);
}

void tl_display_pp(const tl_view *a, int pp) {
  double from = tl_now();
  tl_expect_finite(a);
  tl_sink s = {NULL};
  pp = tl_significant(a, pp);
  if (a->rank < 2) {
    tl_line(&s, a, pp, TL_PW);
    tl_put(&s, "\n", 1);
  } else {
    tl_columns cs;
    tl_columns_of(&cs, a, pp);
    tl_put_rows(&s, &cs);
    tl_free(cs.format);
  }
  if (tl_interactive) tl_flush();
  tl_since_outside(from);
}

void tl_print_bare(const tl_view *a, int pp) {
  double from = tl_now();
  tl_expect_finite(a);
  tl_text t = {0};
  tl_sink s = {&t};
  pp = tl_significant(a, pp);
  if (a->rank < 2) {
    tl_line(&s, a, pp, INT64_MAX);
  } else {
    tl_columns cs;
    tl_columns_of(&cs, a, pp);
    tl_put_block(&s, &cs, 0, cs.n, 0);
    tl_free(cs.format);
    if (t.n > 0) t.n--;
  }
  tl_out(t.bytes, t.n);
  tl_text_free(&t);
  tl_flush();
  tl_since_outside(from);
}

/* The characters of UTF-8 that the library itself made. */
static void tl_chars_of(const tl_text *t, uint32_t *out) {
  int64_t i = 0;
  while (i < (int64_t)t->n) *out++ = (uint32_t)tl_utf8_next(t->bytes, (int64_t)t->n, &i);
}

static int64_t tl_columns_of_text(const tl_text *t) {
  int64_t n = 0;
  for (size_t i = 0; i < t->n; i++) n += ((unsigned char)t->bytes[i] & 0xC0) != 0x80;
  return n;
}

/* The characters of one number. */
static void tl_format_number(const tl_view *a, int pp, tl_array *result) {
  tl_number t;
  tl_item(&t, a, 0, tl_significant(a, pp), tl_wide(a));
  char spelt[3 * 2 * TL_DIGITS];
  int64_t length = tl_spell(spelt, t.bytes, t.n), n = 0, i = 0;
  uint32_t chars[3 * 2 * TL_DIGITS];
  while (i < length) chars[n++] = (uint32_t)tl_utf8_next(spelt, length, &i);
  tl_new(result, TL_CHAR, 1, &n);
  memcpy(result->data, chars, (size_t)n * sizeof *chars);
}

void tl_format(const tl_view *a, int pp, tl_array *result) {
  if (tl_is_char(a)) {
    tl_new(result, TL_CHAR, a->rank, a->shape);
    int64_t n = tl_count(a->rank, a->shape);
    for (int64_t i = 0; i < n; i++) ((uint32_t *)result->data)[i] = tl_load_char(a, i);
    return;
  }
  if (a->rank == 0) {
    tl_format_number(a, pp, result);
    return;
  }
  tl_text t = {0};
  tl_sink s = {&t};
  pp = tl_significant(a, pp);
  if (a->rank == 1) {
    tl_line(&s, a, pp, INT64_MAX);
    int64_t n = tl_columns_of_text(&t);
    tl_new(result, TL_CHAR, 1, &n);
  } else {
    tl_columns cs;
    tl_columns_of(&cs, a, pp);
    for (int64_t i = 0; i < cs.rows; i++) tl_put_row(&s, &cs, i, 0, cs.n);
    int64_t shape[TL_MAX_RANK];
    memcpy(shape, a->shape, (size_t)a->rank * sizeof *shape);
    shape[a->rank - 1] = tl_columns_width(&cs, 0, cs.n);
    tl_new(result, TL_CHAR, a->rank, shape);
    tl_free(cs.format);
  }
  tl_chars_of(&t, result->data);
  tl_text_free(&t);
}
