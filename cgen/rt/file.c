/* Files as bytes and as text, arguments, numbers in texts; internal/data in C,
 * with the same messages. */
#include "rt.h"

#include <fcntl.h>
#include <sys/stat.h>

/* tl_name is a file's name in UTF-8; the caller frees it. */
static char *tl_name(const tl_view *name) {
  tl_text t = {0};
  char c[4];
  int64_t n = tl_count(name->rank, name->shape);
  for (int64_t i = 0; i < n; i++) tl_text_add(&t, c, (size_t)tl_utf8(c, tl_load_char(name, i)));
  tl_text_add(&t, "", 1);
  if (strlen(t.bytes) + 1 != t.n) t.bytes[0] = 0; /* a NUL within: no such file */
  return t.bytes;
}

static _Noreturn void tl_file_fault(const tl_site *site, const char *verb, const char *name, int error) {
  char text[256];
  tl_error_text(text, sizeof text, error);
  tl_fault_at(site, TL_FILE_OR_TOOL, "cannot %s %s: %s", verb, name, text);
}

/* What bytes a text has, beyond those of ASCII that stand for themselves. */
enum { TL_SEEN_HIGH = 1, TL_SEEN_RETURN = 2, TL_SEEN_WIDE = 4 };

/* Which of these n bytes have: 0x80 and above, carriage returns, and lead bytes
 * of characters that do not fit in a byte. */
static int tl_look(const char *bytes, size_t n) {
  typedef uint8_t some __attribute__((vector_size(32), aligned(1), may_alias));
  some high = {0}, back = {0}, wide = {0};
  size_t i = 0;
  for (; i + sizeof(some) <= n; i += sizeof(some)) {
    some b = *(const some *)(bytes + i);
    high |= b;
    back |= (some)(b == '\r');
    wide |= (some)(b >= 0xC4);
  }
  uint8_t h = 0, r = 0, w = 0;
  for (size_t k = 0; k < sizeof(some); k++) h |= high[k], r |= back[k], w |= wide[k];
  for (; i < n; i++) {
    uint8_t b = (uint8_t)bytes[i];
    h |= b, r |= b == '\r', w |= b >= 0xC4;
  }
  return (h & 0x80 ? TL_SEEN_HIGH : 0) | (r ? TL_SEEN_RETURN : 0) | (w ? TL_SEEN_WIDE : 0);
}

/* tl_read_file reads a whole file, and looks at each piece while it is in the
 * caches. */
static void tl_read_file(const tl_site *site, const char *name, tl_text *t) {
  double from = tl_now();
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) tl_file_fault(site, "read", name, errno);
  struct stat about;
  if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
    t->cap = (size_t)about.st_size + 1;
    t->bytes = tl_alloc((int64_t)t->cap, 1);
  }
  for (;;) {
    if (t->n == t->cap) {
      tl_text_add(t, "", 1);
      t->n--;
    }
    size_t room = t->cap - t->n, piece = (size_t)1 << 18;
    ssize_t got = read(fd, t->bytes + t->n, room < piece ? room : piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) tl_file_fault(site, "read", name, errno);
    if (got == 0) break;
    t->seen |= tl_look(t->bytes + t->n, (size_t)got);
    t->n += (size_t)got;
  }
  close(fd);
  tl_since_outside(from);
}

/* Writes a file; one that is there is an error unless replace. */
static void tl_write_file(const tl_site *site, const char *name, const tl_text *t, int replace) {
  tl_check_overflow();
  if (tl_drops_file()) return;
  int fd = open(name, O_WRONLY | O_CREAT | (replace ? O_TRUNC : O_EXCL) | O_CLOEXEC, 0666);
  if (fd < 0 || !tl_write_all(fd, t->bytes, t->n) || close(fd) < 0) tl_file_fault(site, "write", name, errno);
}

static size_t tl_after_bom(const tl_text *t) {
  return t->n >= 3 && memcmp(t->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* ---- Texts ---- */

/* Makes characters of the bytes of a file, its line ends newlines, in out32 or,
 * where that is NULL, in the bytes themselves, which go before what is still
 * to be read. Gives how many; -1 where one does not fit in a byte. */
static int64_t tl_decode_text(const tl_site *site, const char *name, const tl_text *t, uint8_t *out8, uint32_t *out32) {
  int64_t size = (int64_t)t->n, n = 0;
  for (int64_t i = (int64_t)tl_after_bom(t); i < size; n++) {
    int32_t c = (signed char)t->bytes[i];
    if (c > '\r') {
      i++;
    } else {
      c = tl_utf8_next(t->bytes, size, &i);
      if (c < 0) tl_fault_at(site, TL_NOT_NUMBER, "%s: not UTF-8 at byte %lld", name, (long long)i + 1);
      if (c == '\r' && i < size && t->bytes[i] == '\n') {
        n--;
        continue;
      }
      c = c == '\r' ? '\n' : c;
    }
    if (out32 != NULL)
      out32[n] = (uint32_t)c;
    else if (c > 255)
      return -1;
    else
      out8[n] = (uint8_t)c;
  }
  return n;
}

/* Whether the greatest character of a text is below limit, 128 or 256. Below
 * U+0100 all lead bytes are below 0xC4; the mark at the beginning is no
 * character. */
static int tl_fits_bytes(const tl_text *t, int64_t limit) {
  if (!(t->seen & (limit < 256 ? TL_SEEN_HIGH | TL_SEEN_WIDE : TL_SEEN_WIDE))) return 1;
  const uint8_t *b = (const uint8_t *)t->bytes;
  for (size_t i = tl_after_bom(t); i < t->n; i++)
    if (b[i] >= (limit < 256 ? 0x80 : 0xC4)) return 0;
  return 1;
}

/* The characters of a file, its line ends made to be newlines. */
void tl_read_text(const tl_site *site, const tl_view *name_view, tl_array *result) {
  tl_text t = {0};
  char *name = tl_name(name_view);
  tl_read_file(site, name, &t);
  uint32_t *chars = tl_alloc((int64_t)t.n, 4);
  int64_t n = tl_decode_text(site, name, &t, NULL, chars);
  *result = (tl_array){TL_CHAR, 1, {n}, chars};
  tl_text_free(&t);
  tl_free(name);
}

int tl_read_chars(const tl_site *site, const tl_view *name_view, int64_t limit, tl_array *bytes, tl_array *chars) {
  tl_text t = {0};
  char *name = tl_name(name_view);
  tl_read_file(site, name, &t);
  *bytes = (tl_array){TL_CHAR, 1, {0}, NULL};
  *chars = (tl_array){TL_CHAR, 1, {0}, NULL};
  int narrow = t.n <= TL_MAX_BYTES && tl_fits_bytes(&t, limit);
  int64_t n = (int64_t)t.n;
  if (narrow) {
    if (t.bytes == NULL) t.bytes = tl_alloc(0, 1);
    if (t.seen & (TL_SEEN_HIGH | TL_SEEN_RETURN)) n = tl_decode_text(site, name, &t, (uint8_t *)t.bytes, NULL);
    bytes->data = t.bytes;
  } else {
    chars->data = tl_alloc(n, 4);
    n = tl_decode_text(site, name, &t, NULL, chars->data);
    tl_text_free(&t);
  }
  bytes->shape[0] = chars->shape[0] = n;
  tl_free(name);
  return narrow;
}

int64_t tl_write_text(const tl_site *site, const tl_view *text, const tl_view *name_view, int64_t replace) {
  tl_text t = {0};
  char *name = tl_name(name_view), c[4];
  int64_t n = tl_count(text->rank, text->shape);
  for (int64_t i = 0; i < n; i++) tl_text_add(&t, c, (size_t)tl_utf8(c, tl_load_char(text, i)));
  tl_write_file(site, name, &t, replace != 0);
  n = (int64_t)t.n;
  tl_text_free(&t);
  tl_free(name);
  return n;
}

int64_t tl_arg_count(void) { return tl_argc > 0 ? tl_argc - 1 : 0; }

void tl_arg_text(int64_t number, tl_array *result) {
  const char *s = tl_argv[number];
  int64_t size = (int64_t)strlen(s), n = 0;
  uint32_t *chars = tl_alloc(size, 4);
  for (int64_t i = 0; i < size;) {
    int32_t c = tl_utf8_next(s, size, &i);
    i += c < 0;
    chars[n++] = c < 0 ? 0xFFFD : (uint32_t)c;
  }
  tl_new(result, TL_CHAR, 1, &n);
  if (n > 0) memcpy(result->data, chars, (size_t)n * 4);
  tl_free(chars);
}

/* ---- Numbers ---- */

static int tl_digit(char c) { return c >= '0' && c <= '9'; }

/* The sign at s, which may be -, + or ¯, is stepped over: 1 if negative. */
static int tl_sign(const char **s, const char *end) {
  if (end - *s >= 2 && memcmp(*s, "\xC2\xAF", 2) == 0) {
    *s += 2;
    return 1;
  }
  if (*s < end && (**s == '-' || **s == '+')) return *(*s)++ == '-';
  return 0;
}

/* The parts of a number's spelling. */
typedef struct {
  int negative, whole; /* whole: neither point nor exponent */
  uint64_t mantissa;   /* of the first 19 digits */
  int64_t digits;      /* how many after leading zeros */
  int64_t exponent;    /* of the mantissa's last digit, if digits ≤ 19 */
} tl_spelling;

/* 1 if the n bytes at s spell a number: digits with an optional sign, point
 * and exponent. */
static int tl_scan_number(const char *s, int64_t n, tl_spelling *p) {
  const char *end = s + n;
  int64_t seen = 0;
  memset(p, 0, sizeof *p);
  p->whole = 1;
  p->negative = tl_sign(&s, end);
  for (; s < end && (tl_digit(*s) || (*s == '.' && p->whole)); s++) {
    if (*s == '.') {
      p->whole = 0;
      continue;
    }
    seen++;
    if (p->digits > 0 || *s != '0') p->digits++;
    if (p->digits <= 19) p->mantissa = 10 * p->mantissa + (uint64_t)(*s - '0');
    if (!p->whole) p->exponent--;
  }
  if (seen == 0) return 0;
  if (s == end) return 1;
  if (*s != 'e' && *s != 'E') return 0;
  s++;
  p->whole = 0;
  int negative = tl_sign(&s, end);
  int64_t e = 0;
  if (s == end) return 0;
  for (; s < end && tl_digit(*s); s++) e = e < 100000 ? 10 * e + (*s - '0') : e;
  p->exponent += negative ? -e : e;
  return s == end;
}

/* The value of a spelling that strtod reads, the high minus aside. */
static double tl_slow_double(const char *s, int64_t n) {
  char small[64], *copy = n < 64 ? small : tl_alloc(n + 1, 1);
  int64_t k = 0;
  for (int64_t i = 0; i < n; i++) {
    if ((unsigned char)s[i] == 0xC2) continue;
    copy[k++] = (unsigned char)s[i] == 0xAF ? '-' : s[i];
  }
  copy[k] = 0;
  double x = strtod(copy, NULL);
  if (copy != small) tl_free(copy);
  return x;
}

/* A product or quotient of two exact doubles is the number rounded once. */
static double tl_spelt_double(const char *s, int64_t n, const tl_spelling *p) {
  static const double powers[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (p->digits > 19 || p->mantissa > (uint64_t)1 << 53 || p->exponent < -22 || p->exponent > 22)
    return tl_slow_double(s, n);
  double x = (double)p->mantissa;
  x = p->exponent < 0 ? x / powers[-p->exponent] : x * powers[p->exponent];
  return p->negative ? -x : x;
}

static int tl_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void tl_trim(const char **s, int64_t *n) {
  while (*n > 0 && tl_is_blank(**s)) {
    ++*s;
    --*n;
  }
  while (*n > 0 && tl_is_blank((*s)[*n - 1])) --*n;
}

/* The part of a field that a message quotes: 40 bytes at most, whole
 * characters, with ? for control characters. The result is static. */
static const char *tl_quoted(const char *s, int64_t size) {
  static char shown[41];
  int64_t n = size < 40 ? size : 40;
  while (n > 0 && n < size && ((unsigned char)s[n] & 0xC0) == 0x80) n--;
  for (int64_t i = 0; i < n; i++) shown[i] = (unsigned char)s[i] < ' ' ? '?' : s[i];
  shown[n] = 0;
  return shown;
}

/* What is wrong with a field as an element of the given type, or NULL; *out is
 * its value. */
static const char *tl_field_value(const char *s, int64_t n, int elem, double *d, int64_t *i) {
  tl_spelling p;
  if (!tl_scan_number(s, n, &p)) return "is not a number";
  if (elem == TL_I64 && p.whole) {
    uint64_t most = (uint64_t)INT64_MAX + (uint64_t)p.negative;
    if (p.digits > 19 || p.mantissa > most) return "is too large for an int";
    *i = (int64_t)(p.negative ? 0 - p.mantissa : p.mantissa);
    return NULL;
  }
  *d = tl_spelt_double(s, n, &p);
  if (!(fabs(*d) <= DBL_MAX)) return "is too large";
  if (elem == TL_F64) return NULL;
  if (*d != rint(*d)) return elem == TL_BOOL ? "is not 0 or 1" : "is not an integer";
  if (tl_bad_toi(*d)) return elem == TL_BOOL ? "is not 0 or 1" : "is too large for an int";
  *i = (int64_t)*d;
  return elem == TL_BOOL && *i != 0 && *i != 1 ? "is not 0 or 1" : NULL;
}

#if defined(__SANITIZE_ADDRESS__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
static int64_t tl_digits(const char *s, int64_t n) {
  (void)s, (void)n;
  return -1;
}
#else
/* The number that up to eight bytes spell, all digits; -1 where they are none, or stand at the
 * end of a page. A word of them and of bytes behind, of which nothing comes in, has pairs of
 * digits, which become numbers of two, and these of four and eight. */
static int64_t tl_digits(const char *s, int64_t n) {
  enum { page = 4096 };
  uint64_t x;
  if (n < 1 || n > 8 || ((uintptr_t)s & (page - 1)) > page - sizeof x) return -1;
  memcpy(&x, s, sizeof x);
  x = (x ^ 0x3030303030303030u) << (64 - 8 * n);
  if (((x + 0x7676767676767676u) | x) & 0x8080808080808080u) return -1;
  x = 10 * x + (x >> 8);
  return (int64_t)(((x & 0x000000FF000000FFu) * 0x000F424000000064u + (x >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >> 32);
}
#endif

/* Reads digits, perhaps with a point between them, few enough for the quotient of a whole
 * number and a power of ten to be the nearest double; 0 where text is something else. */
static int tl_plain_number(const tl_view *text, int64_t n, double *x) {
  static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  int64_t whole = 0, point = -1;
  if (n < 1 || n > 16) return 0;
  for (int64_t i = 0; i < n; i++) {
    uint32_t c = tl_load_char(text, i);
    if (c - '0' < 10)
      whole = 10 * whole + (int64_t)(c - '0');
    else if (c == '.' && point < 0 && i > 0 && i < n - 1)
      point = i;
    else
      return 0;
  }
  if (whole >= (int64_t)1 << 53) return 0;
  *x = (double)whole / powers[point < 0 ? 0 : n - 1 - point];
  return 1;
}

double tl_parse_number(const tl_site *site, const tl_view *text) {
  tl_text t = {0};
  char c[4];
  int64_t n = tl_count(text->rank, text->shape), whole, unused;
  double x = 0;
  if (text->elem == TL_BYTE && (whole = tl_digits(text->data, n)) >= 0) return (double)whole;
  if (tl_plain_number(text, n, &x)) return x;
  for (int64_t i = 0; i < n; i++) tl_text_add(&t, c, (size_t)tl_utf8(c, tl_load_char(text, i)));
  const char *s = t.bytes;
  int64_t size = (int64_t)t.n;
  tl_trim(&s, &size);
  const char *wrong = tl_field_value(s, size, TL_F64, &x, &unused);
  if (wrong != NULL) {
    tl_interpret_again();
    tl_fault_at(site, TL_NOT_NUMBER, "\"%s\" %s", tl_quoted(s, size), wrong);
  }
  tl_text_free(&t);
  return x;
}
