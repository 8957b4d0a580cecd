/* What the library's own files share; generated code does not include it. */
#ifndef TAILOR_RT_H
#define TAILOR_RT_H

#define TL_CT tl_ct
#include "tailor.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Element i of the ravel of a bool or integer array. */
static inline int64_t tl_load_int(const tl_view *a, int64_t i) {
  switch (a->elem) {
  case TL_BOOL: return ((const uint8_t *)a->data)[i];
  case TL_I8: return ((const int8_t *)a->data)[i];
  case TL_I16: return ((const int16_t *)a->data)[i];
  case TL_I32: return ((const int32_t *)a->data)[i];
  default: return ((const int64_t *)a->data)[i];
  }
}
static inline double tl_load_double(const tl_view *a, int64_t i) {
  return a->elem == TL_F64 ? ((const double *)a->data)[i] : (double)tl_load_int(a, i);
}
static inline tl_c64 tl_load_complex(const tl_view *a, int64_t i) {
  return a->elem == TL_C64 ? ((const tl_c64 *)a->data)[i] : tl_d2z(tl_load_double(a, i));
}
static inline uint32_t tl_load_char(const tl_view *a, int64_t i) {
  return a->elem == TL_BYTE ? ((const uint8_t *)a->data)[i] : ((const uint32_t *)a->data)[i];
}

static inline int tl_is_char(const tl_view *a) { return a->elem == TL_CHAR || a->elem == TL_BYTE; }

/* A number's text, one byte a column of the display: '-' stands for the high
 * minus and 'I' for infinity until it is written out. The text has three
 * parts: sign and integer part, point and decimals, exponent; left and frac
 * are the lengths of the first two, n of all. */
enum { TL_MAX_PP = 34, TL_DIGITS = TL_MAX_PP + 16 };
typedef struct {
  int left, frac, n, special; /* special: infinity or NaN */
  char bytes[2 * TL_DIGITS];
} tl_number;

void tl_number_int(tl_number *t, int64_t i);
void tl_number_double(tl_number *t, double x, int pp);
/* A number of a column of doubles that has an exponent, or has none. */
void tl_number_column(tl_number *t, double x, int pp, int scaled);
int tl_number_scaled(double x, int pp); /* does x ask for an exponent? */
/* Does an array hold an integer of more than 32 bits? Dyalog keeps it and its
 * neighbours as floating-point numbers: they are wide, and print as doubles. */
int tl_wide(const tl_view *a);
void tl_number_wide(tl_number *t, int64_t i, int pp);
void tl_wide_column(tl_number *t, int64_t i, int pp, int scaled);
int tl_wide_scaled(int64_t i, int pp);

void tl_lift_limit(void); /* of memory, for the last message */
extern char *tl_huge_from; /* where the huge pages of malloc's heap begin, until a program uses them, or NULL */

/* tl_write_all writes n bytes to file descriptor fd; 0 on failure. tl_error_text is the
 * text of an error number. */
int tl_write_all(int fd, const char *bytes, size_t n);
void tl_error_text(char *text, size_t size, int error);

extern int tl_argc; /* the arguments of the program */
extern char **tl_argv;

/* gamma of y+1 for a y that is no integer, and x!y where one of x, y and y-x is
 * none. */
double tl_gamma1(double y);
void tl_pair_power(double a, double b, double c, double d, double *re, double *im);
void tl_pair_whole_power(double a, double b, int n, double *re, double *im);
double tl_binomial(double x, double y);

/* tl_utf8 writes c, U+FFFD if it is no scalar value; it returns the length. */
int tl_utf8(char *out, uint32_t c);
/* tl_utf8_next decodes the character at s[*i] and steps over it. It gives -1
 * where the bytes are not UTF-8, and does not step. */
int32_t tl_utf8_next(const char *s, int64_t n, int64_t *i);

/* tl_spell expands a number's text to UTF-8; out has room for 3×n bytes. */
int tl_spell(char *out, const char *bytes, int n);

/* tl_text is text that grows; tl_text_free releases it. Of what was read from
 * a file, seen says what kinds of bytes are in it. */
typedef struct {
  char *bytes;
  size_t n, cap;
  int seen;
} tl_text;
void tl_text_add(tl_text *t, const char *bytes, size_t n);
void tl_text_free(tl_text *t);

/* tl_reserve gives room for n ≤ TL_OUT_ROOM bytes in the output buffer;
 * tl_reserved says how many were written there. */
enum { TL_OUT_ROOM = 4096 };
char *tl_reserve(void);
void tl_reserved(const char *end);

/* tl_begin_output begins to count what is written, tl_repeat_output begins to drop
 * as much. tl_drops_file is 1 for a file that has been written already. */
void tl_begin_output(void);
void tl_repeat_output(void);

/* tl_interpret_again runs the program again in the interpreter, where the command that does is
 * known (internal/cli/again.go); it returns where it is not. */
void tl_interpret_again(void);
int tl_drops_file(void);

#ifdef TAILOR_EMBEDDED
/* tl_give_up leaves the call of a library with a message, or with NULL where a double
 * overflowed. tl_failing counts the messages of a call. tl_begin_chain prepares a thread for allocating;
 * tl_hand_over makes a block the caller's, whom the end of the call does not concern. */
_Noreturn void tl_give_up(const tl_text *message);
extern TL_STATE int tl_failing;
/* The function that runs leaves doubles that overflow to the processor's flag. */
extern TL_STATE int tl_noticing;
void tl_begin_chain(void);
void tl_hand_over(void *p);
#endif

/* Infinity, as the processor makes it: its flag is raised (overflow.c). */
static inline double tl_beyond(void) {
  volatile double most = DBL_MAX;
  return most * 2;
}

/* Where a result is infinite. */
_Noreturn void tl_overflow_found(const tl_site *site);

/* Whether the output goes to a terminal, which shows each display at once. */
extern int tl_interactive;

/* Whether output is dropped: the program runs again to be timed. */
extern int tl_muted;

/* tl_since_outside takes the time since from out of what tl_report_time
 * reports. */
void tl_since_outside(double from);

/* tl_new fills in result with a new array of the given type and shape. */
void tl_new(tl_array *result, int elem, int rank, const int64_t *shape);

/* Calls a function for each part p of k, which threads share. For one part there are
 * no threads: a region of one costs as much as some hundred elements. */
enum { TL_PARTS = 64 };
#ifdef _OPENMP
#define TL_SHARED_PARTS _Pragma("omp parallel for num_threads(k->parts) schedule(static, 1)")
#else
#define TL_SHARED_PARTS
#endif
#define TL_EACH_PART(call)                                  \
  do {                                                      \
    if (k->parts == 1) {                                    \
      const int p = 0;                                      \
      call;                                                 \
    } else {                                                \
      TL_SHARED_PARTS for (int p = 0; p < k->parts; p++) call; \
    }                                                       \
  } while (0)

/* The loop that follows is vector code, which gcc makes of few others in the
 * library. */
#define TL_LOOP_VECTOR _Pragma("omp simd")

static inline int64_t tl_least(int64_t x, int64_t y) { return x < y ? x : y; }

#endif
