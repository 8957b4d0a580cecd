/* Dyadic ⍕; internal/display/formatby.go in C. */
#include "rt.h"

enum {
  TL_DECIMALS = 1000,           /* shown at most */
  TL_FIELD = 320 + TL_DECIMALS, /* the longest text of a double: 309 digits, a sign, a point and decimals */
  TL_PRECISION = 16             /* digits of a double */
};

/* From here on integers have more digits than doubles. */
static const double tl_exact = 1e16;

/* n digits of x, which is not 0, and the exponent of the first; returns how
 * many there are. A half is rounded away from 0, and judged on the digits that
 * x has; what follows those is _. */
static int tl_rounded(char *digits, double x, int n, int *exponent) {
  char text[TL_PRECISION + 16];
  snprintf(text, sizeof text, "%.*e", TL_PRECISION - 1, fabs(x));
  digits[0] = text[0];
  memcpy(digits + 1, text + 2, TL_PRECISION - 1);
  *exponent = atoi(text + TL_PRECISION + 2);
  if (n >= TL_PRECISION) {
    memset(digits + TL_PRECISION, '_', (size_t)(n - TL_PRECISION));
    return n;
  }
  if (n < 0) return 0;
  if (digits[n] < '5') return n;
  for (int i = n - 1; i >= 0; i--) {
    if (++digits[i] <= '9') return n;
    digits[i] = '0';
  }
  digits[0] = '1';
  for (int i = 1; i < n; i++) digits[i] = '0';
  ++*exponent;
  return n == 0 ? 1 : n;
}

/* x with a number of decimals; returns the length. */
static int tl_fixed(char *out, double x, int places) {
  char digits[TL_FIELD];
  int e = -places - 1, have = 0, n = 0;
  if (x != 0) {
    char text[TL_PRECISION + 16];
    snprintf(text, sizeof text, "%.*e", TL_PRECISION - 1, fabs(x));
    have = tl_rounded(digits, x, atoi(text + TL_PRECISION + 2) + 1 + places, &e);
  }
  if (e < -places) have = 0;
  if (x < 0 && have > 0) out[n++] = '-';
  for (int power = e > 0 ? e : 0; power >= -places; power--) {
    int k = e - power;
    if (power == -1) out[n++] = '.';
    out[n++] = k >= 0 && k < have ? digits[k] : '0';
  }
  return n;
}

/* Element i in ASCII with a number of decimals, or in scaled form with fewer
 * than 0; returns the length, and that of the exponent, 0 where there is none. */
static int tl_decimals(char *out, const tl_view *a, int64_t i, int64_t decimals, int *exponent) {
  int places = (int)tl_maxi(-TL_DECIMALS, tl_mini(decimals, TL_DECIMALS)), n = 0;
  tl_number t;
  *exponent = 0;
  if (a->elem != TL_F64 && places >= 0 && fabs(tl_load_double(a, i)) < tl_exact) {
    tl_number_int(&t, tl_load_int(a, i));
    memcpy(out, t.bytes, (size_t)t.n);
    n = t.n;
    if (places > 0) out[n++] = '.';
    for (int k = 0; k < places; k++) out[n++] = '0';
    return n;
  }
  double x = tl_load_double(a, i);
  if (!(fabs(x) <= DBL_MAX)) {
    tl_number_double(&t, x, 1);
    memcpy(out, t.bytes, (size_t)t.n);
    return t.n;
  }
  if (places >= 0) return tl_fixed(out, x, places);
  char digits[TL_FIELD];
  int e = 0, have = tl_rounded(digits, x, -places, &e);
  if (x < 0) out[n++] = '-';
  out[n++] = digits[0];
  if (have > 1) out[n++] = '.';
  for (int k = 1; k < have; k++) out[n++] = digits[k];
  *exponent = sprintf(out + n, "E%d", e) - 1;
  return n + 1 + *exponent;
}

static uint32_t tl_ascii_char(char c) { return c == '-' ? 0xAF : c == 'I' ? 0x221E : (unsigned char)c; }

/* A text right-justified in its field with blanks after it, asterisks where it
 * is too long. */
static uint32_t *tl_put_field(uint32_t *to, const char *text, int n, int64_t width, int64_t after) {
  for (int64_t k = 0; k < width; k++) {
    int64_t at = k - (width - n - tl_mini(after, width - n));
    *to++ = n > width ? '*' : at < 0 || at >= n ? ' ' : tl_ascii_char(text[at]);
  }
  return to;
}

void tl_format_by(const tl_site *site, const tl_view *by, const tl_view *a, tl_array *result) {
  int rank = a->rank == 0 ? 1 : a->rank;
  int64_t shape[TL_MAX_RANK] = {1}, count = tl_count(a->rank, a->shape), length = tl_count(by->rank, by->shape);
  if (a->rank > 0) memcpy(shape, a->shape, (size_t)rank * sizeof *shape);
  int64_t columns = shape[rank - 1], total = 0, *widths = tl_alloc(columns, 8), *places = tl_alloc(columns, 8), *exponents = tl_alloc(columns, 8);
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
    int64_t need = 0, most = 0;
    for (int64_t i = j; i < count; i += columns) {
      int exponent, n = tl_decimals(text, a, i, places[j], &exponent);
      need = tl_maxi(need, n - exponent);
      most = tl_maxi(most, exponent);
    }
    exponents[j] = widths[j] > 0 && most > 0 ? tl_maxi(most, 2) : most;
    widths[j] = widths[j] <= 0 ? need + most + 1 : tl_mini(widths[j], INT32_MAX);
    total += widths[j];
  }
  shape[rank - 1] = total;
  tl_new(result, TL_CHAR, rank, shape);
  uint32_t *to = result->data;
  for (int64_t i = 0; i < count; i++) {
    int64_t j = i % columns;
    int exponent, n = tl_decimals(text, a, i, places[j], &exponent);
    to = tl_put_field(to, text, n, widths[j], exponent > 0 ? exponents[j] - exponent : 0);
  }
  tl_free(exponents);
  tl_free(widths);
  tl_free(places);
}
