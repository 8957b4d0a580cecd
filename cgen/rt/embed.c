/* Calls of a library's functions by other programs: arguments are looked at, faults
 * become errors, and results the caller's. */
#include "rt.h"

#ifdef TAILOR_EMBEDDED
#include "embed.h"

#include <pthread.h>

/* ---- Errors ---- */

static TL_STATE tl_lib_error *tl_lib_failure; /* of the call that this thread makes */
static TL_STATE int32_t tl_lib_code;
TL_STATE int tl_failing, tl_noticing;
static _Thread_local int tl_lib_inside; /* this thread makes a call */

/* Copies a text, and cuts it where a character begins. */
static void tl_lib_copy(tl_lib_error *e, const char *text, size_t n) {
  const size_t most = sizeof e->message - 1;
  if (n > most)
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;) n--;
  while (n > 0 && text[n - 1] == '\n') n--;
  memcpy(e->message, text, n);
  e->message[n] = 0;
}

/* A number that stands in front of end, and where it begins. */
static const char *tl_lib_number(const char *begin, const char *end, int32_t *value) {
  int32_t unit = 1;
  *value = 0;
  while (end > begin && end[-1] >= '0' && end[-1] <= '9' && unit < 1000000000) {
    *value += (*--end - '0') * unit;
    unit *= 10;
  }
  return end;
}

/* Reads the place at the beginning of a message, "file:3:7: …". */
static void tl_lib_place(tl_lib_error *e) {
  for (const char *end = strstr(e->message, ": "); end != NULL; end = strstr(end + 1, ": ")) {
    int32_t line, column;
    const char *c = tl_lib_number(e->message, end, &column);
    if (c == end || c == e->message || c[-1] != ':') continue;
    const char *l = tl_lib_number(e->message, c - 1, &line);
    if (l == c - 1 || l == e->message || l[-1] != ':') continue;
    e->line = line;
    e->column = column;
    return;
  }
}

/* The code that a message ends its first line with, "… [E0301]". */
static int32_t tl_lib_code_in(const char *text, size_t n) {
  for (size_t i = 0; i + 7 < n && text[i] != '\n'; i++)
    if (memcmp(text + i, " [E", 3) == 0 && text[i + 7] == ']') return (int32_t)strtol(text + i + 3, NULL, 10);
  return 1001;
}

static int32_t tl_lib_text(tl_lib_error *e, int32_t code, const char *text, size_t n) {
  if (e == NULL) return code;
  e->code = code;
  e->line = e->column = 0;
  tl_lib_copy(e, text, n);
  tl_lib_place(e);
  return code;
}

int32_t tl_lib_fail(tl_lib_error *error, int32_t code, const char *where, const char *format, ...) {
  char text[1024];
  int n = snprintf(text, sizeof text, "%s", where);
  if (n < 0 || (size_t)n >= sizeof text) n = 0;
  va_list args;
  va_start(args, format);
  int more = vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  size_t all = (size_t)n + (more > 0 ? (size_t)more : 0);
  return tl_lib_text(error, code, text, all < sizeof text ? all : sizeof text - 1);
}

_Noreturn void tl_give_up(const tl_text *message) {
  if (!tl_lib_inside) { /* a thread that helps with a loop: there is no way back */
    static const char none[] = "tailor: floating-point overflow\n";
    tl_write_all(STDERR_FILENO, message != NULL ? message->bytes : none, message != NULL ? message->n : sizeof none - 1);
    abort();
  }
  if (message != NULL) {
    tl_lib_code = tl_lib_code_in(message->bytes, message->n);
    tl_lib_text(tl_lib_failure, tl_lib_code, message->bytes, message->n);
  }
  longjmp(tl_entered, 1);
}

/* ---- Arguments ---- */

static int tl_lib_slot_words(const tl_lib_slot *s) { return s->rank > 0 ? 1 + s->rank : s->elem == TL_LIB_COMPLEX ? 2 : 1; }

static int64_t tl_lib_size(int elem) {
  static const int8_t sizes[] = {0, 1, 8, 8, 16, 4};
  return sizes[elem];
}

static char tl_lib_nothing[64] __attribute__((aligned(64))); /* where arrays without elements are */

/* Looks at the words of an argument, number i of n. */
static int32_t tl_lib_argument(const tl_lib_function *f, int i, int64_t *words, tl_lib_error *error) {
  const tl_lib_slot *s = &f->slots[i];
  if (s->rank == 0) return 0;
  int64_t n = tl_try_count(s->rank, words + 1);
  for (int k = 0; k < s->rank; k++)
    if (words[1 + k] < 0)
      return tl_lib_fail(error, TL_LIB_EXTENT, f->where, "LENGTH ERROR: argument %d of %s has the extent %lld", i + 1, f->name, (long long)words[1 + k]);
  if (n < 0 || n > INT64_MAX / 64)
    return tl_lib_fail(error, TL_LIB_EXTENT, f->where, "LIMIT ERROR: argument %d of %s has too many elements", i + 1, f->name);
  if (n > 0 && words[0] == 0)
    return tl_lib_fail(error, TL_LIB_NULL, f->where, "VALUE ERROR: argument %d of %s is a NULL pointer, but has %lld elements", i + 1, f->name, (long long)n);
  if (words[0] == 0) words[0] = (int64_t)(intptr_t)tl_lib_nothing;
  return 0;
}

/* ---- Results ---- */

/* Whether the stored elements are those that the caller sees. */
static int tl_lib_same(const tl_lib_slot *s) {
  switch (s->elem) {
  case TL_LIB_BOOL: return s->stored == TL_BOOL;
  case TL_LIB_INT: return s->stored == TL_I64;
  case TL_LIB_DOUBLE: return s->stored == TL_F64;
  case TL_LIB_COMPLEX: return s->stored == TL_C64;
  default: return s->stored == TL_CHAR;
  }
}

/* Copies n elements as those that the caller sees. */
static void tl_lib_convert(const tl_lib_slot *s, const void *from, int64_t n, void *to) {
  tl_view v = {s->stored, 1, &n, from};
  if (n == 0) return;
  if (tl_lib_same(s)) {
    memcpy(to, from, (size_t)(n * tl_lib_size(s->elem)));
    return;
  }
  for (int64_t i = 0; i < n; i++) switch (s->elem) {
    case TL_LIB_BOOL: ((uint8_t *)to)[i] = tl_load_int(&v, i) != 0; break;
    case TL_LIB_INT: ((int64_t *)to)[i] = s->stored == TL_F64 ? (int64_t)((const double *)from)[i] : tl_load_int(&v, i); break;
    case TL_LIB_DOUBLE: ((double *)to)[i] = tl_load_double(&v, i); break;
    case TL_LIB_COMPLEX: ((tl_c64 *)to)[i] = tl_load_complex(&v, i); break;
    default: ((uint32_t *)to)[i] = tl_load_char(&v, i);
    }
}

/* Makes the words of a scalar those that the caller sees, in place. */
static void tl_lib_scalar(const tl_lib_slot *s, const int64_t *from, int64_t *to) {
  int64_t w = from[0];
  to[0] = w;
  if (s->stored == TL_C64) {
    to[1] = from[1];
  } else if (s->elem == TL_LIB_COMPLEX) {
    to[0] = s->stored == TL_F64 ? w : tl_double_word((double)w);
    to[1] = 0;
  } else if (s->elem == TL_LIB_DOUBLE && s->stored != TL_F64) {
    to[0] = tl_double_word((double)w);
  } else if (s->elem == TL_LIB_INT && s->stored == TL_F64) {
    to[0] = (int64_t)tl_word_double(w);
  }
}

/* The words that a stored result takes. */
static int tl_lib_stored_words(const tl_lib_slot *s) { return s->rank > 0 ? 1 + s->rank : s->stored == TL_C64 ? 2 : 1; }

static int tl_lib_given(const tl_lib_allocator *a) { return a != NULL && a->allocate != NULL; }

/* What a function has returned is no longer freed with the call. */
static void tl_lib_hand_over(const tl_lib_function *f, const int64_t *made) {
  for (int i = f->nargs; i < f->nargs + f->nresults; i++) {
    if (f->slots[i].rank > 0) tl_hand_over((void *)(intptr_t)made[0]);
    made += tl_lib_stored_words(&f->slots[i]);
  }
}

/* Makes an array result the caller's: data may be replaced by memory of the allocator.
 * What the function stored is freed or handed over. NULL where there is no memory. */
static void *tl_lib_own(const tl_lib_slot *s, const int64_t *words, const tl_lib_allocator *a) {
  void *stored = (void *)(intptr_t)words[0], *data = stored;
  int64_t n = tl_count(s->rank, words + 1);
  int given = tl_lib_given(a);
  if (given || !tl_lib_same(s)) {
    int64_t bytes = n * tl_lib_size(s->elem);
    data = given ? a->allocate(a->context, (size_t)(bytes > 0 ? bytes : 1)) : tl_try_alloc(n, tl_lib_size(s->elem));
    if (data != NULL) tl_lib_convert(s, stored, n, data);
    tl_free(stored);
    if (given) return data;
  }
  if (data != NULL) tl_hand_over(data);
  return data;
}

void tl_lib_free(void *data) { tl_free(data); }

void tl_lib_take(const tl_lib_slot *s, const int64_t *words, tl_lib_array *result) {
  result->elem = s->elem;
  result->rank = s->rank;
  result->data = (void *)(intptr_t)words[0];
  for (int k = 0; k < TL_LIB_RANK; k++) result->extents[k] = k < s->rank ? words[1 + k] : 0;
}

/* ---- Calls ---- */

static pthread_mutex_t tl_lib_turn = PTHREAD_MUTEX_INITIALIZER;

static void tl_lib_begin(const tl_lib_function *f) {
  if (f->turns) pthread_mutex_lock(&tl_lib_turn);
}

static void tl_lib_end(const tl_lib_function *f) {
  if (f->turns) pthread_mutex_unlock(&tl_lib_turn);
}

#ifdef TAILOR_OPENCL
/* What the device has to know of the arrays of a call, and what it holds of the results
 * (embedcl.c). */
static void tl_lib_lend_all(const tl_lib_function *f, int64_t *words);
static void tl_lib_take_back(int failed);
static int32_t tl_lib_fetch(const tl_lib_function *f, const int64_t *words, tl_lib_error *error);
#endif

/* Calls the compiled function, and that with tests where doubles overflowed. */
static int32_t tl_lib_enter(const tl_lib_function *f, int64_t *words, tl_lib_error *error) {
  jmp_buf here, *before = tl_entered_at;
  uint64_t random = tl_random_state;
  tl_begin_chain();
  tl_entered_at = &here;
  tl_lib_failure = error;
  tl_lib_code = 0;
  tl_failing = 0;
  tl_lib_inside = 1;
  tl_noticing = f->tested != NULL;
#ifdef TAILOR_OPENCL
  int32_t failed = _setjmp(here) != 0;
  if (!failed) {
    tl_lib_lend_all(f, words);
    failed = f->entry(words);
  }
#else
  int32_t failed = f->entry(words);
#endif
  if (failed && tl_lib_code == 0) {
    tl_noticing = 0;
    tl_random_state = random;
    failed = f->tested(words);
  }
#ifdef TAILOR_OPENCL
  tl_lib_take_back(failed);
#endif
  tl_lib_inside = 0;
  tl_entered_at = before;
  if (f->turns) tl_flush();
  return failed ? tl_lib_code : 0;
}

/* Makes the results of a call the caller's: words from the function become words for the
 * caller. 0 where there is no memory. */
static int tl_lib_results(const tl_lib_function *f, const int64_t *from, int64_t *to, const tl_lib_allocator *allocator) {
  const tl_lib_slot *slots = f->slots + f->nargs;
  int64_t *first = to;
  int ok = 1;
  for (int i = 0; i < f->nresults; i++) {
    const tl_lib_slot *s = &slots[i];
    if (s->rank > 0) {
      memcpy(to, from, (size_t)(1 + s->rank) * sizeof *to);
      to[0] = (int64_t)(intptr_t)tl_lib_own(s, from, allocator);
      ok = ok && to[0] != 0;
    } else {
      tl_lib_scalar(s, from, to);
    }
    from += tl_lib_stored_words(s);
    to += tl_lib_slot_words(s);
  }
  if (ok || tl_lib_given(allocator)) return ok;
  for (int i = 0; i < f->nresults; i++) {
    if (slots[i].rank > 0) tl_free((void *)(intptr_t)first[0]);
    first += tl_lib_slot_words(&slots[i]);
  }
  return 0;
}

int32_t tl_lib_run(const tl_lib_function *f, int64_t *words, const tl_lib_allocator *allocator, tl_lib_error *error) {
  int64_t inner[TL_LIB_WORDS];
  int in = 0, ok = 1;
  if (error != NULL) error->code = error->line = error->column = error->message[0] = 0;
  for (int i = 0; i < f->nargs; i++) {
    int32_t code = tl_lib_argument(f, i, words + in, error);
    if (code != 0) return code;
    in += tl_lib_slot_words(&f->slots[i]);
  }
  memcpy(inner, words, (size_t)in * sizeof *inner);
  for (int i = 0; i < f->ncaptured; i++) inner[in + i] = f->captured[i].word;
  const int64_t *made = inner + in + f->ncaptured;
  /* Blocks of the library's are made in this call's turn; the allocator, which may call
   * the library, is called behind it. */
  tl_lib_begin(f);
  int32_t code = tl_lib_enter(f, inner, error);
#ifdef TAILOR_OPENCL
  if (code == 0) code = tl_lib_fetch(f, made, error);
#endif
  if (code == 0) tl_lib_hand_over(f, made);
  if (code == 0 && !tl_lib_given(allocator)) ok = tl_lib_results(f, made, words + in, allocator);
  tl_lib_end(f);
  if (code != 0) return code;
  if (tl_lib_given(allocator)) ok = tl_lib_results(f, made, words + in, allocator);
  if (!ok) return tl_lib_fail(error, TL_LIB_ALLOCATION, f->where, "WS FULL: no memory for a result of %s", f->name);
  return 0;
}

/* ---- Calls with arrays ---- */

static const char *tl_lib_elem_name(int elem) {
  static const char *const names[] = {"bool", "int", "double", "complex", "char"};
  return elem >= TL_LIB_BOOL && elem <= TL_LIB_CHAR ? names[elem - 1] : "an unknown type";
}

/* Whether the arguments have the ranks, and the types, of an instance. */
static int tl_lib_fits(const tl_lib_function *f, const tl_lib_array *args, int types, int *bad) {
  for (*bad = 0; *bad < f->nargs; ++*bad) {
    const tl_lib_slot *s = &f->slots[*bad];
    if (types ? args[*bad].elem != s->elem : args[*bad].rank != s->rank) return 0;
  }
  return 1;
}

/* The words of an argument. */
static int32_t tl_lib_give(const tl_lib_function *f, int i, const tl_lib_array *a, int64_t *words, tl_lib_error *error) {
  const tl_lib_slot *s = &f->slots[i];
  if (s->rank > 0) {
    words[0] = (int64_t)(intptr_t)a->data;
    memcpy(words + 1, a->extents, (size_t)s->rank * sizeof *words);
    return 0;
  }
  if (a->data == NULL) return tl_lib_fail(error, TL_LIB_NULL, f->where, "VALUE ERROR: argument %d of %s is a NULL pointer", i + 1, f->name);
  switch (s->elem) {
  case TL_LIB_BOOL: words[0] = *(const uint8_t *)a->data; break;
  case TL_LIB_CHAR: words[0] = *(const uint32_t *)a->data; break;
  default: memcpy(words, a->data, (size_t)tl_lib_size(s->elem));
  }
  return 0;
}

/* A scalar result as an array: its element has memory of its own. */
static int tl_lib_take_scalar(const tl_lib_function *f, const tl_lib_slot *s, const int64_t *words, const tl_lib_allocator *a, tl_lib_array *result) {
  *result = (tl_lib_array){.elem = s->elem};
  int64_t size = tl_lib_size(s->elem);
  if (tl_lib_given(a)) {
    result->data = a->allocate(a->context, (size_t)size);
  } else {
    tl_lib_begin(f);
    if ((result->data = tl_try_alloc(1, size)) != NULL) tl_hand_over(result->data);
    tl_lib_end(f);
  }
  if (result->data == NULL) return 0;
  if (s->elem == TL_LIB_BOOL)
    *(uint8_t *)result->data = (uint8_t)words[0];
  else if (s->elem == TL_LIB_CHAR)
    *(uint32_t *)result->data = (uint32_t)words[0];
  else
    memcpy(result->data, words, (size_t)size);
  return 1;
}

static int32_t tl_lib_call_one(const tl_lib_function *f, const tl_lib_array *args, tl_lib_array *results,
                               const tl_lib_allocator *allocator, tl_lib_error *error) {
  int64_t words[TL_LIB_WORDS];
  int n = 0, ok = 1;
  for (int i = 0; i < f->nargs; i++) {
    int32_t code = tl_lib_give(f, i, &args[i], words + n, error);
    if (code != 0) return code;
    n += tl_lib_slot_words(&f->slots[i]);
  }
  int32_t code = tl_lib_run(f, words, allocator, error);
  for (int i = 0; i < f->nresults && code == 0; i++) {
    const tl_lib_slot *s = &f->slots[f->nargs + i];
    if (s->rank > 0)
      tl_lib_take(s, words + n, &results[i]);
    else
      ok = tl_lib_take_scalar(f, s, words + n, allocator, &results[i]) && ok;
    n += tl_lib_slot_words(s);
  }
  if (code == 0 && !ok) return tl_lib_fail(error, TL_LIB_ALLOCATION, f->where, "WS FULL: no memory for a result of %s", f->name);
  return code;
}

/* The instance of a function for the types and ranks of arguments; NULL, with the code of
 * the error, where there is none. */
static const tl_lib_function *tl_lib_find(const tl_lib_function *all, int count, int32_t function, const tl_lib_array *args,
                                          int nargs, int nresults, tl_lib_error *error, int32_t *code) {
  const tl_lib_function *found = NULL;
  int bad = 0, ranks = 0;
  for (int i = 0; i < count; i++) {
    const tl_lib_function *f = &all[i];
    if (f->function != function) continue;
    if (f->nargs != nargs || f->nresults != nresults) {
      *code = tl_lib_fail(error, TL_LIB_UNKNOWN, f->where, "SYNTAX ERROR: %s takes %d arrays and gives %d, not %d and %d", f->name, f->nargs, f->nresults, nargs, nresults);
      return NULL;
    }
    int at;
    found = ranks ? found : f;
    if (!tl_lib_fits(f, args, 0, &at)) {
      if (!ranks) bad = at;
      continue;
    }
    ranks = 1;
    found = f;
    if (!tl_lib_fits(f, args, 1, &at)) {
      bad = at;
      continue;
    }
    return f;
  }
  if (found == NULL)
    *code = tl_lib_fail(error, TL_LIB_UNKNOWN, "", "VALUE ERROR: the library has no function %d", (int)function);
  else if (ranks)
    *code = tl_lib_fail(error, TL_LIB_ELEM, found->where, "TYPE ERROR: argument %d of %s has elements of type %s, for which there is no instance", bad + 1, found->name, tl_lib_elem_name(args[bad].elem));
  else
    *code = tl_lib_fail(error, TL_LIB_RANKS, found->where, "RANK ERROR: argument %d of %s has rank %d, for which there is no instance", bad + 1, found->name, (int)args[bad].rank);
  return NULL;
}

int32_t tl_lib_call(const tl_lib_function *all, int count, int32_t function, const tl_lib_array *args, int nargs,
                    tl_lib_array *results, int nresults, const tl_lib_allocator *allocator, tl_lib_error *error) {
  int32_t code = 0;
  if (nargs > 0 && args == NULL) return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the arguments are a NULL pointer");
  const tl_lib_function *f = tl_lib_find(all, count, function, args, nargs, nresults, error, &code);
  if (f == NULL) return code;
  if (results == NULL) return tl_lib_fail(error, TL_LIB_NULL, f->where, "VALUE ERROR: the results of %s are a NULL pointer", f->name);
  return tl_lib_call_one(f, args, results, allocator, error);
}
#endif
