/* The text of single numbers; internal/display/number.go in C. */
#include "rt.h"

void tl_number_int(tl_number *t, int64_t i) {
  char digits[20];
  int n = 0, k = 0;
  uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  do {
    digits[n++] = (char)('0' + u % 10);
    u /= 10;
  } while (u > 0);
  if (i < 0) t->bytes[k++] = '-';
  while (n > 0) t->bytes[k++] = digits[--n];
  t->left = t->n = k;
  t->frac = t->special = 0;
}

static void tl_number_add(tl_number *t, const char *bytes, int n) {
  memcpy(t->bytes + t->n, bytes, (size_t)n);
  t->n += n;
}

static void tl_number_zeros(tl_number *t, int n) {
  while (n-- > 0) t->bytes[t->n++] = '0';
}

/* A double rounded to at most pp significant digits: ±0.d₁d₂… × 10*point,
 * without trailing zeros; zero has the digit 0 and point 1. */
typedef struct {
  int negative, n, point;
  char digits[TL_DIGITS];
} tl_decimal;

static const uint64_t tl_powers_of_ten[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u,
    100000000000u, 1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u,
    100000000000000000u, 1000000000000000000u, 10000000000000000000u};

/* The integer nearest to m×10*k, halves to even: exact in 128 bits for a
 * normal m below 2*52 and 0 ≤ k ≤ 19. *below is the integer under
 * it. Returns 0 where the shift is out of range. */
static int tl_scale(double m, int k, uint64_t *nearest, uint64_t *below) {
  uint64_t bits;
  memcpy(&bits, &m, sizeof bits);
  uint64_t f = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  int shift = 1075 - (int)(bits >> 52);
  if (shift < 1 || shift > 120) return 0;
  unsigned __int128 product = (unsigned __int128)f * tl_powers_of_ten[k], one = 1;
  unsigned __int128 rest = product & ((one << shift) - 1), half = one << (shift - 1);
  uint64_t n = (uint64_t)(product >> shift);
  *below = n;
  *nearest = n + (rest > half || (rest == half && (n & 1)));
  return 1;
}

/* Writes the digits of n, which is not 0, without zeros at the end, and returns how many
 * there are with these. */
static int tl_digits_of(tl_decimal *d, uint64_t n) {
  int length = 1;
  while (n >= tl_powers_of_ten[length]) length++;
  int left = length;
  while (n % 10 == 0) {
    n /= 10;
    left--;
  }
  d->n = left;
  for (; left > 0; n /= 10) d->digits[--left] = (char)('0' + n % 10);
  return length;
}

/* The digits of a number that is nearest to one with few digits behind the point: no other
 * of at most 15 digits is as near; 0 where m is not such a number. */
static int tl_round_short(tl_decimal *d, double m, int pp) {
  for (int k = 0; k < 5; k++) {
    double scaled = m * (double)tl_powers_of_ten[k], whole = rint(scaled);
    if (whole >= (double)tl_powers_of_ten[pp]) return 0;
    if (fabs(scaled - whole) > scaled * 0x1p-52 || whole / (double)tl_powers_of_ten[k] != m) continue;
    d->point = tl_digits_of(d, (uint64_t)whole) - k;
    return 1;
  }
  return 0;
}

/* tl_round for the numbers that programs mostly print; 0 where it is not for
 * them. It gives the digits that printf would. */
static int tl_round_quickly(tl_decimal *d, double m, int pp) {
  int exponent;
  if (pp > 15 || !(m >= 1e-4 && m < 1e14)) return 0;
  if (tl_round_short(d, m, pp)) return 1;
  for (exponent = 0; m >= (double)tl_powers_of_ten[exponent + 1]; exponent++) {
  }
  if (m < 1) exponent = m < 1e-3 ? -4 : m < 1e-2 ? -3 : m < 1e-1 ? -2 : -1;
  uint64_t n, below, most = tl_powers_of_ten[pp];
  int k = pp - 1 - exponent;
  if (k < 0 || k > 19 || !tl_scale(m, k, &n, &below)) return 0;
  if (below < most / 10 || below >= most) return 0; /* m is next to a power of ten */
  d->point = exponent + 1;
  if (n == most) {
    n /= 10;
    d->point++;
  }
  int length = pp;
  while (n % 10 == 0) {
    n /= 10;
    length--;
  }
  d->n = length;
  for (; length > 0; n /= 10) d->digits[--length] = (char)('0' + n % 10);
  return 1;
}

static void tl_round(tl_decimal *d, double x, int pp) {
  d->negative = x < 0;
  if (x == 0) {
    d->digits[0] = '0';
    d->n = d->point = 1;
    return;
  }
  if (tl_round_quickly(d, fabs(x), pp)) return;
  char text[TL_DIGITS];
  int length = snprintf(text, sizeof text, "%.*e", pp - 1, fabs(x));
  int e = length - 1;
  while (text[e] != 'e') e--;
  d->point = atoi(text + e + 1) + 1;
  d->digits[0] = text[0];
  d->n = 1;
  if (pp > 1) {
    memcpy(d->digits + 1, text + 2, (size_t)(e - 2));
    d->n += e - 2;
  }
  while (d->n > 1 && d->digits[d->n - 1] == '0') d->n--;
}

/* An integer rounded to at most pp significant digits, halves to even. */
static void tl_round_int(tl_decimal *d, int64_t i, int pp) {
  uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i, unit = 1;
  int length = 1;
  while (length < 20 && u >= tl_powers_of_ten[length]) length++;
  d->negative = i < 0;
  d->point = length;
  if (length > pp) {
    unit = tl_powers_of_ten[length - pp];
    uint64_t rest = u % unit, half = unit / 2;
    u /= unit;
    u += rest > half || (rest == half && (u & 1));
    length = pp;
    if (u == tl_powers_of_ten[pp]) {
      u /= 10;
      d->point++;
    }
  }
  while (length > 1 && u % 10 == 0) {
    u /= 10;
    length--;
  }
  d->n = length;
  for (; length > 0; u /= 10) d->digits[--length] = (char)('0' + u % 10);
}

static int tl_scaled(const tl_decimal *d, int pp) { return d->point > pp || d->point < -5; }

static void tl_fixed_text(tl_number *t, const tl_decimal *d) {
  t->n = t->special = 0;
  if (d->negative) t->bytes[t->n++] = '-';
  if (d->point <= 0) {
    tl_number_zeros(t, 1);
  } else if (d->point >= d->n) {
    tl_number_add(t, d->digits, d->n);
    tl_number_zeros(t, d->point - d->n);
  } else {
    tl_number_add(t, d->digits, d->point);
  }
  t->left = t->n;
  if (d->point < d->n) {
    int from = d->point > 0 ? d->point : 0;
    t->bytes[t->n++] = '.';
    tl_number_zeros(t, -d->point);
    tl_number_add(t, d->digits + from, d->n - from);
  }
  t->frac = t->n - t->left;
}

static void tl_scaled_text(tl_number *t, const tl_decimal *d) {
  t->n = t->special = 0;
  if (d->negative) t->bytes[t->n++] = '-';
  t->bytes[t->n++] = d->digits[0];
  t->left = t->n;
  if (d->n > 1) {
    t->bytes[t->n++] = '.';
    tl_number_add(t, d->digits + 1, d->n - 1);
  }
  t->frac = t->n - t->left;
  t->n += sprintf(t->bytes + t->n, "E%d", d->point - 1);
}

static void tl_special_text(tl_number *t, double x) {
  const char *text = isnan(x) ? "NaN" : x < 0 ? "-I" : "I";
  t->n = 0;
  tl_number_add(t, text, (int)strlen(text));
  t->left = t->n;
  t->frac = 0;
  t->special = 1;
}

/* tl_small_whole: an integer of so few digits that rounding leaves it alone. */
static int tl_small_whole(double x, int pp) {
  static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};
  return fabs(x) < powers[pp < 10 ? pp : 10] && x == (double)(int64_t)x;
}

static void tl_decimal_text(tl_number *t, const tl_decimal *d, int scaled) {
  if (scaled)
    tl_scaled_text(t, d);
  else
    tl_fixed_text(t, d);
}

int tl_number_scaled(double x, int pp) {
  double m = fabs(x);
  if (!(m <= DBL_MAX) || tl_small_whole(x, pp)) return 0;
  if (pp >= 5 && m >= 1e-5 && m < 99999) return 0;
  tl_decimal d;
  tl_round(&d, x, pp);
  return tl_scaled(&d, pp);
}

int tl_wide_scaled(int64_t i, int pp) {
  tl_decimal d;
  tl_round_int(&d, i, pp);
  return tl_scaled(&d, pp);
}

void tl_number_column(tl_number *t, double x, int pp, int scaled) {
  if (!(fabs(x) <= DBL_MAX)) {
    tl_special_text(t, x);
    return;
  }
  if (!scaled && tl_small_whole(x, pp)) {
    tl_number_int(t, (int64_t)x);
    return;
  }
  tl_decimal d;
  tl_round(&d, x, pp);
  tl_decimal_text(t, &d, scaled);
}

void tl_wide_column(tl_number *t, int64_t i, int pp, int scaled) {
  tl_decimal d;
  tl_round_int(&d, i, pp);
  tl_decimal_text(t, &d, scaled);
}

void tl_number_double(tl_number *t, double x, int pp) {
  if (!(fabs(x) <= DBL_MAX)) {
    tl_special_text(t, x);
    return;
  }
  if (tl_small_whole(x, pp)) {
    tl_number_int(t, (int64_t)x);
    return;
  }
  tl_decimal d;
  tl_round(&d, x, pp);
  tl_decimal_text(t, &d, tl_scaled(&d, pp));
}

void tl_number_wide(tl_number *t, int64_t i, int pp) {
  tl_decimal d;
  tl_round_int(&d, i, pp);
  tl_decimal_text(t, &d, tl_scaled(&d, pp));
}

/* Arrays stored in fewer bits hold no such integer. */
int tl_wide(const tl_view *a) {
  if (a->elem != TL_I64) return 0;
  const int64_t *data = a->data;
  int64_t n = tl_count(a->rank, a->shape);
  for (int64_t i = 0; i < n; i++)
    if (data[i] != (int32_t)data[i]) return 1;
  return 0;
}
