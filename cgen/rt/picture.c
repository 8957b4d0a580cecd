/* The display of nested arrays; internal/display/nested.go and layout.go in C. */
#include "rt.h"

/* tl_nested is an array as its display sees it: simple, or of items. */
typedef struct tl_nested {
  tl_view simple; /* elem is -1 where there are items */
  int64_t n;      /* how many items */
  struct tl_nested *items;
  int64_t shape[TL_MAX_RANK];
} tl_nested;

/* tl_form reads the text that says how a nested array is made of its parts. */
typedef struct {
  const tl_view *form;
  int64_t at;
  const tl_view *const *parts;
} tl_form;

static uint32_t tl_form_next(tl_form *f) { return tl_load_char(f->form, f->at++); }

/* Numbers up to a colon; the result is how many. */
static int tl_form_shape(tl_form *f, int64_t *shape) {
  int rank = 0, open = 0;
  for (;;) {
    uint32_t c = tl_form_next(f);
    if (c == ':') return rank;
    if (c == ' ') {
      open = 0;
      continue;
    }
    if (!open) shape[rank++] = 0;
    open = 1;
    shape[rank - 1] = 10 * shape[rank - 1] + (int64_t)(c - '0');
  }
}

static tl_nested *tl_nested_many(int64_t n) { return tl_alloc(n, sizeof(tl_nested)); }

static void tl_nested_free(tl_nested *x) {
  if (x->items == NULL) return;
  for (int64_t i = 0; i < x->n; i++) tl_nested_free(&x->items[i]);
  tl_free(x->items);
}

/* The array of the elements of v from one on. */
static void tl_nested_cut(tl_nested *x, const tl_view *v, int64_t from, int rank, const int64_t *shape) {
  for (int i = 0; i < rank; i++) x->shape[i] = shape[i];
  x->simple = (tl_view){v->elem, rank, x->shape, (const char *)v->data + from * tl_elem_size(v->elem)};
  x->items = NULL;
  x->n = 0;
}

static void tl_nested_of(tl_nested *x, int rank, int64_t n, tl_nested *items) {
  x->simple = (tl_view){-1, rank, x->shape, NULL};
  x->items = items;
  x->n = n;
}

/* The items of a matrix, in row-major order, whose columns are read. */
static tl_nested *tl_form_column(tl_form *f, int64_t *n);
static void tl_form_value(tl_form *f, tl_nested *x);
static tl_nested *tl_form_rows(tl_form *f, int64_t columns, int64_t *rows) {
  tl_nested *all = NULL;
  for (int64_t j = 0; j < columns; j++) {
    tl_nested *column = tl_form_column(f, rows);
    if (all == NULL) all = tl_nested_many(*rows * columns);
    for (int64_t i = 0; i < *rows; i++) all[i * columns + j] = column[i];
    tl_free(column);
  }
  return all;
}

/* The items that are made of parts, of which there is a column each. */
static tl_nested *tl_form_each(tl_form *f, int64_t *n) {
  int64_t count = 0, end = f->at, room = 0;
  for (int64_t i = f->at; tl_load_char(f->form, i) != '|'; i++) room++;
  tl_nested **parts = tl_alloc(room, sizeof *parts);
  while (tl_load_char(f->form, f->at) != '|') parts[count++] = tl_form_column(f, n);
  end = ++f->at;
  for (int depth = 1; depth > 0; end++) {
    uint32_t c = tl_load_char(f->form, end);
    depth += (c == '<') - (c == '>');
  }
  const tl_view **own = tl_alloc(count, sizeof *own);
  tl_nested *items = tl_nested_many(*n);
  for (int64_t i = 0; i < *n; i++) {
    for (int64_t k = 0; k < count; k++) {
      parts[k][i].simple.shape = parts[k][i].shape;
      own[k] = &parts[k][i].simple;
    }
    tl_form g = {f->form, f->at, own};
    tl_form_value(&g, &items[i]);
  }
  for (int64_t k = 0; k < count; k++) tl_free(parts[k]);
  tl_free(parts);
  tl_free(own);
  f->at = end;
  return items;
}

/* The items of a vector that is stored by columns. */
static tl_nested *tl_form_column(tl_form *f, int64_t *n) {
  uint32_t kind = tl_form_next(f);
  if (kind == '<') return tl_form_each(f, n);
  const tl_view *v = *f->parts++;
  if (kind == 'a') {
    *n = tl_count(v->rank, v->shape);
    tl_nested *items = tl_nested_many(*n);
    for (int64_t i = 0; i < *n; i++) tl_nested_cut(&items[i], v, i, 0, NULL);
    return items;
  }
  const tl_view *offsets = *f->parts++, *lengths = *f->parts++, *shapes = kind == 'h' ? *f->parts++ : NULL;
  *n = offsets->shape[0];
  tl_nested *items = tl_nested_many(*n);
  for (int64_t i = 0; i < *n; i++) {
    int rank = shapes == NULL ? 1 : (int)shapes->shape[1];
    int64_t shape[TL_MAX_RANK] = {tl_load_int(lengths, i)};
    for (int k = 0; shapes != NULL && k < rank; k++) shape[k] = tl_load_int(shapes, i * rank + k);
    tl_nested_cut(&items[i], v, tl_load_int(offsets, i), rank, shape);
  }
  return items;
}

static void tl_form_value(tl_form *f, tl_nested *x) {
  int64_t n = 0;
  switch (tl_form_next(f)) {
  case '(': {
    int rank = tl_form_shape(f, x->shape);
    n = tl_count(rank, x->shape);
    tl_nested *items = tl_nested_many(n);
    for (int64_t i = 0; i < n; i++) tl_form_value(f, &items[i]);
    tl_form_next(f);
    tl_nested_of(x, rank, n, items);
    return;
  }
  case '*': {
    tl_nested *items = tl_form_column(f, &n);
    x->shape[0] = n;
    tl_nested_of(x, 1, n, items);
    return;
  }
  case '#': {
    int64_t columns;
    tl_form_shape(f, &columns);
    tl_nested *items = tl_form_rows(f, columns, &n);
    x->shape[0] = n;
    x->shape[1] = columns;
    tl_nested_of(x, 2, n * columns, items);
    return;
  }
  case '@': { /* of the items of an array, and its shape */
    tl_nested *items = tl_form_column(f, &n);
    const tl_view *shape = *f->parts++;
    int rank = (int)shape->shape[0];
    for (int k = 0; k < rank; k++) x->shape[k] = tl_load_int(shape, k);
    tl_nested_of(x, rank, n, items);
    return;
  }
  case 'e': { /* of a vector, or of its scalar */
    tl_form_value(f, x);
    if (!tl_load_int(*f->parts++, 0)) return;
    x->simple.rank = 0;
    return;
  }
  }
  const tl_view *v = *f->parts++;
  tl_nested_cut(x, v, 0, v->rank, v->shape);
}

/* ---- Layout ---- */

/* tl_sheet is the display of an array: lines of one width. */
typedef struct {
  uint32_t *chars;
  int64_t height, width;
} tl_sheet;

static void tl_sheet_new(tl_sheet *b, int64_t height, int64_t width) {
  b->height = height;
  b->width = width;
  b->chars = tl_alloc(height * width, sizeof *b->chars);
  for (int64_t i = 0; i < height * width; i++) b->chars[i] = ' ';
}

/* The lines of one block are written into another one, from a place on. */
static void tl_sheet_put(tl_sheet *to, int64_t line, int64_t column, const tl_sheet *from) {
  for (int64_t i = 0; i < from->height && from->width > 0; i++)
    memcpy(to->chars + (line + i) * to->width + column, from->chars + i * from->width, (size_t)from->width * sizeof *to->chars);
}

/* The lines of blanks before row i of an array, as many as axes start anew. */
static int64_t tl_planes(int rank, const int64_t *shape, int64_t i) {
  int64_t n = 0;
  if (i == 0) return 0;
  for (int axis = rank - 2; axis > 0 && shape[axis] > 0 && i % shape[axis] == 0; axis--) {
    i /= shape[axis];
    n++;
  }
  return n;
}

static void tl_sheet_simple(tl_sheet *b, const tl_view *a, int pp) {
  tl_array text;
  tl_format(a, pp, &text);
  int64_t width = text.rank == 0 ? 1 : text.shape[text.rank - 1];
  int64_t rows = a->rank < 2 ? 1 : tl_count(text.rank - 1, text.shape), height = 0;
  for (int64_t i = 0; i < rows; i++) height += 1 + tl_planes(a->rank, a->shape, i);
  tl_sheet_new(b, height, width);
  int64_t line = 0;
  for (int64_t i = 0; i < rows; i++) {
    line += tl_planes(a->rank, a->shape, i);
    tl_sheet row = {(uint32_t *)text.data + i * width, 1, width};
    tl_sheet_put(b, line++, 0, &row);
  }
  tl_drop(&text);
}

/* tl_stack is a column of an array of items. */
typedef struct {
  tl_sheet *cells;
  int64_t width;
  int numeric, chars, nested; /* it has numbers, characters, arrays */
} tl_stack;

/* The blanks between two columns. Those with arrays have blanks of their own. */
static int tl_stack_gap(const tl_stack *a, const tl_stack *b) {
  return (a->numeric && (!a->nested || b->chars)) || (b->numeric && (!b->nested || a->chars));
}

static int tl_nested_scalar(const tl_nested *x) { return x->simple.elem >= 0 && x->simple.rank == 0; }
static int tl_nested_number(const tl_nested *x) { return tl_nested_scalar(x) && !tl_is_char(&x->simple); }

static void tl_sheet_of(tl_sheet *b, const tl_nested *x, int pp);

/* A blank on the left and on the right of the lines. */
static void tl_sheet_framed(tl_sheet *b) {
  tl_sheet f;
  tl_sheet_new(&f, b->height, b->width + 2);
  tl_sheet_put(&f, 0, 1, b);
  tl_free(b->chars);
  *b = f;
}

/* The numbers of a column, which are formatted together. */
static void tl_stack_numbers(tl_stack *s, const tl_nested *y, int64_t j, int64_t n, int64_t rows, int64_t count, int pp) {
  int elem = TL_I64;
  for (int64_t i = 0; i < rows; i++) {
    const tl_nested *x = &y->items[i * n + j];
    if (!tl_nested_number(x)) continue;
    if (x->simple.elem == TL_C64 || (x->simple.elem == TL_F64 && elem != TL_C64)) elem = x->simple.elem;
  }
  char *data = tl_alloc(count, elem == TL_C64 ? 16 : 8);
  int64_t k = 0;
  for (int64_t i = 0; i < rows; i++) {
    const tl_nested *x = &y->items[i * n + j];
    if (!tl_nested_number(x)) continue;
    if (elem == TL_C64)
      ((tl_c64 *)data)[k] = tl_load_complex(&x->simple, 0);
    else if (elem == TL_F64)
      ((double *)data)[k] = tl_load_double(&x->simple, 0);
    else
      ((int64_t *)data)[k] = tl_load_int(&x->simple, 0);
    k++;
  }
  const int64_t shape[] = {count, 1};
  const tl_view all = {elem, 2, shape, data};
  tl_array text;
  tl_format(&all, pp, &text);
  int64_t width = text.shape[1];
  k = 0;
  for (int64_t i = 0; i < rows; i++) {
    if (!tl_nested_number(&y->items[i * n + j])) continue;
    tl_sheet row = {(uint32_t *)text.data + k++ * width, 1, width};
    tl_sheet_new(&s->cells[i], 1, width);
    tl_sheet_put(&s->cells[i], 0, 0, &row);
    if (s->nested) tl_sheet_framed(&s->cells[i]);
  }
  tl_drop(&text);
  tl_free(data);
  s->width = tl_maxi(s->width, width + 2 * s->nested);
}

/* Where there are numbers the items stand at the right. In a column with arrays there
 * is a blank on the left and on the right of all items. */
static void tl_stack_of(tl_stack *s, const tl_nested *y, int64_t j, int64_t n, int64_t rows, int pp) {
  int64_t count = 0;
  *s = (tl_stack){tl_alloc(rows, sizeof(tl_sheet)), 0, 0, 0, 0};
  for (int64_t i = 0; i < rows; i++) {
    const int number = tl_nested_number(&y->items[i * n + j]), scalar = tl_nested_scalar(&y->items[i * n + j]);
    count += number;
    s->nested |= !scalar;
    s->chars |= scalar && !number;
  }
  s->numeric = count > 0;
  for (int64_t i = 0; i < rows; i++) {
    const tl_nested *x = &y->items[i * n + j];
    if (tl_nested_number(x)) continue;
    tl_sheet_of(&s->cells[i], x, pp);
    if (s->nested) tl_sheet_framed(&s->cells[i]);
    s->width = tl_maxi(s->width, s->cells[i].width);
  }
  if (s->numeric) tl_stack_numbers(s, y, j, n, rows, count, pp);
}

static int64_t tl_row_height(const tl_stack *columns, int64_t n, int64_t i) {
  int64_t height = 1;
  for (int64_t j = 0; j < n; j++) height = tl_maxi(height, columns[j].cells[i].height);
  return height;
}

/* Columns of one width, rows of one height. */
static void tl_sheet_layout(tl_sheet *b, const tl_nested *y, int pp) {
  const int rank = y->simple.rank;
  int64_t n = rank == 0 ? 1 : y->shape[rank - 1], rows = n > 0 ? y->n / n : 0, width = 0, height = 0;
  tl_stack *columns = tl_alloc(n, sizeof *columns);
  for (int64_t j = 0; j < n; j++) {
    tl_stack_of(&columns[j], y, j, n, rows, pp);
    width += columns[j].width + (j > 0 && tl_stack_gap(&columns[j - 1], &columns[j]));
  }
  for (int64_t i = 0; i < rows; i++) height += tl_planes(rank, y->shape, i) + tl_row_height(columns, n, i);
  if (y->n == 0) height = rank < 2;
  tl_sheet_new(b, height, width);
  int64_t line = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t at = 0;
    line += tl_planes(rank, y->shape, i);
    for (int64_t j = 0; j < n; j++) {
      tl_sheet *cell = &columns[j].cells[i];
      at += j > 0 && tl_stack_gap(&columns[j - 1], &columns[j]);
      tl_sheet_put(b, line, at + (columns[j].numeric ? columns[j].width - cell->width : 0), cell);
      at += columns[j].width;
    }
    line += tl_row_height(columns, n, i);
  }
  for (int64_t j = 0; j < n; j++) {
    for (int64_t i = 0; i < rows; i++) tl_free(columns[j].cells[i].chars);
    tl_free(columns[j].cells);
  }
  tl_free(columns);
}

static void tl_sheet_of(tl_sheet *b, const tl_nested *x, int pp) {
  if (x->simple.elem >= 0)
    tl_sheet_simple(b, &x->simple, pp);
  else
    tl_sheet_layout(b, x, pp);
}

/* An item keeps the pointer to its own shape where it is moved: make it right. */
static void tl_nested_settle(tl_nested *x) {
  x->simple.shape = x->shape;
  for (int64_t i = 0; i < x->n; i++) tl_nested_settle(&x->items[i]);
}

void tl_picture(const tl_view *const *parts, int pp, tl_array *result) {
  tl_form f = {parts[0], 0, parts + 1};
  tl_nested x;
  tl_form_value(&f, &x);
  tl_nested_settle(&x);
  tl_sheet b;
  tl_sheet_of(&b, &x, pp);
  const int64_t shape[] = {b.height, b.width};
  tl_new(result, TL_CHAR, 2, shape);
  if (b.height * b.width > 0) memcpy(result->data, b.chars, (size_t)(b.height * b.width) * sizeof *b.chars);
  tl_free(b.chars);
  tl_nested_free(&x);
}
