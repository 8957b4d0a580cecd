/* Comma-separated numbers. */
#include "rt.h"

/* tl_csv is a reader's state: where it is, and what it has read. */
typedef struct {
  const tl_site *site;
  const char *name;
  const char *line; /* start of the current line */
  int64_t line_number, first_line, first_fields, rows;
  int elem;
  tl_text values; /* elements of the result */
} tl_csv;

/* The column of p in its line, from 1, in characters. */
static int64_t tl_csv_column(const tl_csv *r, const char *p) {
  int64_t column = 1;
  for (const char *q = r->line; q < p; q++) column += ((unsigned char)*q & 0xC0) != 0x80;
  return column;
}

static void tl_csv_field(tl_csv *r, const char *s, int64_t n) {
  tl_trim(&s, &n);
  const char *start = s;
  if (n >= 2 && s[0] == '"' && s[n - 1] == '"') {
    s++;
    n -= 2;
    tl_trim(&s, &n);
  }
  double d = 0;
  int64_t i = 0;
  const char *wrong = tl_field_value(s, n, r->elem, &d, &i);
  if (wrong != NULL)
    tl_fault_at(r->site, TL_NOT_NUMBER, "%s:%lld:%lld: \"%s\" %s", r->name, (long long)r->line_number,
                (long long)tl_csv_column(r, start), tl_quoted(s, n), wrong);
  uint8_t b = (uint8_t)i;
  if (r->elem == TL_F64)
    tl_text_add(&r->values, (const char *)&d, sizeof d);
  else if (r->elem == TL_I64)
    tl_text_add(&r->values, (const char *)&i, sizeof i);
  else
    tl_text_add(&r->values, (const char *)&b, 1);
}

static void tl_csv_line(tl_csv *r, const char *end) {
  const char *s = r->line;
  int64_t n = end - s, fields = 1;
  tl_trim(&s, &n);
  if (n == 0) return;
  s = r->line;
  for (;;) {
    const char *comma = memchr(s, ',', (size_t)(end - s));
    tl_csv_field(r, s, (comma == NULL ? end : comma) - s);
    if (comma == NULL) break;
    s = comma + 1;
    fields++;
  }
  if (r->rows++ == 0) {
    r->first_fields = fields;
    r->first_line = r->line_number;
  } else if (fields != r->first_fields) {
    tl_fault_at(r->site, TL_NOT_NUMBER, "%s:%lld:1: %lld fields where line %lld has %lld", r->name,
                (long long)r->line_number, (long long)fields, (long long)r->first_line, (long long)r->first_fields);
  }
}

void tl_read_csv(const tl_site *site, const tl_view *name_view, int elem, tl_array *result) {
  tl_text t = {0};
  char *name = tl_name(name_view);
  tl_read_file(site, name, &t);
  tl_csv r = {site, name, NULL, 0, 0, 0, 0, elem, {0}};
  for (size_t at = tl_after_bom(&t); at < t.n;) {
    const char *newline = memchr(t.bytes + at, '\n', t.n - at);
    const char *end = newline == NULL ? t.bytes + t.n : newline;
    r.line = t.bytes + at;
    r.line_number++;
    tl_csv_line(&r, end);
    at = (size_t)(end - t.bytes) + 1;
  }
  int64_t shape[2] = {r.rows, r.first_fields};
  tl_new(result, elem, 2, shape);
  if (r.values.n > 0) memcpy(result->data, r.values.bytes, r.values.n);
  tl_text_free(&r.values);
  tl_text_free(&t);
  tl_free(name);
}

/* ---- Writing ---- */

/* The fewest of 15 to 17 digits that are read as the same number. */
static void tl_csv_number(tl_text *t, const tl_view *a, int64_t i) {
  tl_number n;
  if (a->elem != TL_F64) {
    tl_number_int(&n, tl_load_int(a, i));
  } else {
    double x = tl_load_double(a, i);
    for (int pp = 15; pp <= 17; pp++) {
      tl_number_double(&n, x, pp);
      n.bytes[n.n] = 0;
      if (strtod(n.bytes, NULL) == x) break;
    }
  }
  tl_text_add(t, n.bytes, (size_t)n.n);
}

static void tl_csv_char(tl_text *t, uint32_t c) {
  char bytes[4];
  if (c == ' ') return;
  if (c == '"')
    tl_text_add(t, "\"\"\"\"", 4);
  else if (c == ',' || c == '\n' || c == '\r') {
    char quoted[3] = {'"', (char)c, '"'};
    tl_text_add(t, quoted, 3);
  } else
    tl_text_add(t, bytes, (size_t)tl_utf8(bytes, c));
}

/* internal/data has the same. */
void tl_csv_text(const tl_view *a, tl_array *result) {
  tl_text t = {0};
  for (int64_t i = 0; i < a->shape[0]; i++) {
    for (int64_t j = 0; j < a->shape[1]; j++) {
      if (j > 0) tl_text_add(&t, ",", 1);
      if (a->elem == TL_CHAR)
        tl_csv_char(&t, tl_load_char(a, i * a->shape[1] + j));
      else
        tl_csv_number(&t, a, i * a->shape[1] + j);
    }
    tl_text_add(&t, "\n", 1);
  }
  int64_t count = 0, at = 0;
  for (size_t i = 0; i < t.n; i++) count += ((unsigned char)t.bytes[i] & 0xC0) != 0x80;
  tl_new(result, TL_CHAR, 1, &count);
  for (int64_t i = 0; i < count; i++) ((uint32_t *)result->data)[i] = (uint32_t)tl_utf8_next(t.bytes, (int64_t)t.n, &at);
  tl_text_free(&t);
}
