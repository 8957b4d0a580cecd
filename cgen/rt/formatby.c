/* Dyadic ⍕; internal/display/formatby.go in C. */
#include "rt.h"

/* The longest text of a double: 309 digits, a sign, a point and decimals. */
enum { TL_FIELD = 320 + TL_DIGITS };

/* Element i in ASCII with a number of decimals, or in scaled form with fewer
 * than 0; returns the length. */
static int tl_decimals(char *out, const tl_view *a, int64_t i, int64_t decimals) {
  int places = (int)tl_maxi(-TL_DIGITS, tl_mini(decimals, TL_DIGITS)), n;
  tl_number t;
  if (a->elem != TL_F64 && places >= 0) {
    tl_number_int(&t, tl_load_int(a, i));
    memcpy(out, t.bytes, (size_t)t.n);
    n = t.n;
    if (places > 0) out[n++] = '.';
    for (int k = 0; k < places; k++) out[n++] = '0';
    return n;
  }
  double x = tl_load_double(a, i) + 0.0;
  if (!(fabs(x) <= DBL_MAX)) {
    tl_number_double(&t, x, 1);
    memcpy(out, t.bytes, (size_t)t.n);
    return t.n;
  }
  if (places >= 0) return snprintf(out, TL_FIELD, "%.*f", places, x);
  n = snprintf(out, TL_FIELD, "%.*e", -places - 1, x);
  int e = n - 1;
  while (out[e] != 'e') e--;
  return e + sprintf(out + e, "E%d", atoi(out + e + 1));
}

static uint32_t tl_ascii_char(char c) { return c == '-' ? 0xAF : c == 'I' ? 0x221E : (unsigned char)c; }

/* A text right-justified in its field, asterisks where it is too long. */
static uint32_t *tl_put_field(uint32_t *to, const char *text, int n, int64_t width) {
  for (int64_t k = 0; k < width; k++) {
    int64_t at = k - (width - n);
    *to++ = n > width ? '*' : at < 0 ? ' ' : tl_ascii_char(text[at]);
  }
  return to;
}

void tl_format_by(const tl_site *site, const tl_view *by, const tl_view *a, tl_array *result) {
  int rank = a->rank == 0 ? 1 : a->rank;
  int64_t shape[TL_MAX_RANK] = {1}, count = tl_count(a->rank, a->shape), length = tl_count(by->rank, by->shape);
  if (a->rank > 0) memcpy(shape, a->shape, (size_t)rank * sizeof *shape);
  int64_t columns = shape[rank - 1], total = 0, *widths = tl_alloc(columns, 8), *places = tl_alloc(columns, 8);
  if (a->elem == TL_CHAR || (length != 1 && length != 2 && length != 2 * columns)) {
    tl_arg args[] = {tl_arg_int(length), tl_arg_shape(a->rank, a->shape)};
    char head[1024];
    snprintf(head, sizeof head, "%s%s: ", site->where, TL_LENGTH);
    tl_fault(1, head, "{0} counts for an array of shape {1}", "E0304", site->details, 2, args);
  }
  char text[TL_FIELD];
  for (int64_t j = 0; j < columns; j++) {
    int64_t k = 2 * j % length;
    widths[j] = length == 1 ? 0 : tl_load_int(by, k);
    places[j] = tl_load_int(by, length == 1 ? 0 : k + 1);
    int64_t need = 0;
    for (int64_t i = j; widths[j] <= 0 && i < count; i += columns) need = tl_maxi(need, tl_decimals(text, a, i, places[j]));
    widths[j] = widths[j] <= 0 ? need + 1 : tl_mini(widths[j], INT32_MAX);
    total += widths[j];
  }
  shape[rank - 1] = total;
  tl_new(result, TL_CHAR, rank, shape);
  uint32_t *to = result->data;
  for (int64_t i = 0; i < count; i++)
    to = tl_put_field(to, text, tl_decimals(text, a, i, places[i % columns]), widths[i % columns]);
  tl_free(widths);
  tl_free(places);
}
