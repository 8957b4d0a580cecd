/* Faults: the messages of operations that fail while the program runs. */
#include "rt.h"

static void tl_text_string(tl_text *t, const char *s) { tl_text_add(t, s, strlen(s)); }

static void tl_text_number(tl_text *t, const tl_number *n) {
  char spelt[3 * sizeof n->bytes];
  tl_text_add(t, spelt, (size_t)tl_spell(spelt, n->bytes, n->n));
}

static void tl_text_int(tl_text *t, int64_t i) {
  tl_number n;
  tl_number_int(&n, i);
  tl_text_number(t, &n);
}

/* A shape as APL writes it; the empty one is "scalar". */
static void tl_text_shape(tl_text *t, int rank, const int64_t *shape) {
  if (rank == 0) tl_text_string(t, "scalar");
  for (int i = 0; i < rank; i++) {
    if (i > 0) tl_text_string(t, " ");
    tl_text_int(t, shape[i]);
  }
}

static void tl_text_arg(tl_text *t, const tl_arg *a) {
  tl_number n;
  switch (a->kind) {
  case TL_ARG_SHAPE: tl_text_shape(t, a->rank, a->shape); break;
  case TL_ARG_INT: tl_text_int(t, a->i); break;
  case TL_ARG_DOUBLE:
    tl_number_double(&n, a->d, 10);
    tl_text_number(t, &n);
    break;
  case TL_ARG_TEXT: tl_text_string(t, a->text); break;
  }
}

static void tl_text_template(tl_text *t, const char *text, int nargs, const tl_arg *args) {
  for (const char *p = text; *p != 0; p++) {
    if (p[0] == '{' && p[1] >= '0' && p[1] < '0' + nargs && p[2] == '}') {
      tl_text_arg(t, &args[p[1] - '0']);
      p += 2;
    } else {
      tl_text_add(t, p, 1);
    }
  }
}

/* The message is built before anything is written, so that it comes in one
 * piece; a fault on the way to reporting a fault ends the program at once. */
static _Noreturn void tl_report(int exit_code, const tl_text *t) {
#ifdef TAILOR_EMBEDDED
  tl_give_up(t);
#endif
  tl_flush();
  tl_write_all(STDERR_FILENO, t->bytes, t->n);
#ifdef TAILOR_PROFILE
  tl_profile_end();
#endif
  _exit(exit_code);
}

#ifdef TAILOR_EMBEDDED
static const tl_text tl_no_room = {.bytes = "WS FULL: out of memory [E0704]\n", .n = 31};
#endif

static void tl_only_once(void) {
#ifdef TAILOR_EMBEDDED
  tl_check_overflow(); /* which came first */
  if (tl_failing++) tl_give_up(&tl_no_room);
#else
  static int failing;
#ifdef TAILOR_LIBRARY
  longjmp(tl_entered, 1);
#endif
  tl_check_overflow(); /* which came first */
  if (failing++) _exit(1);
  tl_lift_limit();
#endif
}

static void tl_text_code(tl_text *t, const char *code) {
  tl_text_string(t, " [");
  tl_text_string(t, code);
  tl_text_string(t, "]\n");
}

/* Whether the interpreter does not meet a fault; the rule of internal/driver/again.go. */
static int tl_goes_on(const char *code, const char *text) {
  static const char *const texts[] = {"the result for ", "no integer is among ", "a function is applied "};
  if (strcmp(code, "E0606") == 0 || strcmp(code, "E0607") == 0 || strcmp(code, "E0612") == 0) return 1;
  if (strcmp(code, "E0611") == 0 && *text == 0) return 1; /* the prelude's, of a text for ⍎ */
  if (strcmp(code, "E0603") != 0 && strcmp(code, "E0608") != 0) return 0;
  for (int i = 0; i < 3; i++) {
    if (strncmp(text, texts[i], strlen(texts[i])) == 0) return 1;
  }
  return 0;
}

static void tl_fault_text(tl_text *t, const char *head, const char *template_text, const char *code, const char *details,
                          int nargs, const tl_arg *args) {
  tl_text_string(t, head);
  tl_text_template(t, template_text, nargs, args);
  tl_text_code(t, code);
  tl_text_string(t, details);
}

_Noreturn void tl_fault(int exit_code, const char *head, const char *template_text, const char *code,
                        const char *details, int nargs, const tl_arg *args) {
  tl_only_once();
  if (tl_goes_on(code, template_text)) tl_interpret_again();
  tl_text t = {0};
  tl_fault_text(&t, head, template_text, code, details, nargs, args);
  tl_report(exit_code, &t);
}

/* Whether a fault is noted for a step; then the lock is taken. */
static int tl_first_held(tl_held *held, int64_t at) {
  while (__atomic_test_and_set(&held->lock, __ATOMIC_ACQUIRE)) {
  }
  if (at < held->at) return 1;
  __atomic_clear(&held->lock, __ATOMIC_RELEASE);
  return 0;
}

static void tl_put_held(tl_held *held, int64_t at, int exit_code, int again, tl_text *t) {
  tl_text_add(t, "", 1);
  held->text = t->bytes;
  held->exit_code = exit_code;
  held->again = (char)again;
  __atomic_store_n(&held->at, at, __ATOMIC_RELAXED);
  __atomic_clear(&held->lock, __ATOMIC_RELEASE);
}

void tl_hold(tl_held *held, int64_t at, int exit_code, const char *head, const char *template_text, const char *code,
             const char *details, int nargs, const tl_arg *args) {
  if (!tl_first_held(held, at)) return;
  tl_text t = {0};
  tl_fault_text(&t, head, template_text, code, details, nargs, args);
  tl_put_held(held, at, exit_code, tl_goes_on(code, template_text), &t);
}

_Noreturn void tl_raise(const tl_held *held) {
  tl_only_once();
  if (held->again) tl_interpret_again();
  tl_text t = {0};
  tl_text_string(&t, held->text);
  tl_report(held->exit_code, &t);
}

_Noreturn void tl_fault_at(const tl_site *site, const char *kind, const char *code, const char *format, ...) {
  tl_only_once();
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  tl_text t = {0};
  tl_text_string(&t, site->where);
  tl_text_string(&t, kind);
  tl_text_string(&t, ": ");
  tl_text_string(&t, text);
  tl_text_code(&t, code);
  tl_text_string(&t, site->details);
  tl_report(1, &t);
}

/* ---- ⎕SIGNAL and ⎕OFF ---- */

static const char *tl_signal_kind(int64_t number) {
  switch (number) {
  case 1: return TL_SPACE;
  case 10: return TL_LIMIT;
  case 2: return "SYNTAX ERROR";
  case 3: return TL_INDEX;
  case 4: return TL_RANK;
  case 5: return TL_LENGTH;
  case 6: return TL_VALUE;
  case 11: return TL_DOMAIN;
  }
  return NULL;
}

int64_t tl_stop(const tl_site *site, const tl_view *text, int64_t number, const char *code) {
  if (number == 0) return 0;
  if (number == -1) {
#ifdef TAILOR_EMBEDDED
    tl_fault_at(site, TL_FILE_OR_TOOL, "a function of a library cannot end the program");
#endif
#ifdef TAILOR_LIBRARY
    longjmp(tl_entered, 1);
#endif
    tl_check_overflow();
    exit(tl_finish());
  }
  tl_only_once();
  if (tl_goes_on(code, "")) tl_interpret_again();
  const char *kind = tl_signal_kind(number);
  int64_t n = tl_count(text->rank, text->shape);
  char c[4];
  tl_text t = {0};
  tl_text_string(&t, site->where);
  tl_text_string(&t, kind == NULL ? TL_SYSTEM : kind);
  tl_text_string(&t, ": ");
  if (kind == NULL) {
    tl_text_string(&t, "error ");
    tl_text_int(&t, number);
    tl_text_string(&t, ": ");
  }
  for (int64_t i = 0; i < n; i++) tl_text_add(&t, c, (size_t)tl_utf8(c, tl_load_char(text, i)));
  if (n == 0) tl_text_string(&t, "signalled by the program");
  tl_text_code(&t, code);
  tl_text_string(&t, site->details);
  tl_report(1, &t);
}
