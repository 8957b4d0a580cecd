/* Tailor's run-time library: what generated C needs.
 *
 * Generated code includes this file and nothing else. The functions declared
 * here live in the .c files beside it; rt.c includes them all, so that the
 * library is one translation unit. It needs C11 with GNU extensions (gcc or
 * clang), libc and libm.
 *
 * Naming: tl_ for everything. A scalar function that can fail comes in two
 * parts that both have no side effects and no undefined behaviour: tl_bad_X
 * says whether the arguments are a fault, tl_X gives the value (some value,
 * where they are). Loops OR the first and go on; nothing branches.
 */
#ifndef TAILOR_H
#define TAILOR_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef _OPENMP
#include <omp.h>
#endif
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#error "the run-time is C"
#endif

/* ---- Arrays ------------------------------------------------------------ */

/* Element types. A bool is a byte, 0 or 1; a char is a code point. */
enum {
  TL_BOOL = 1, /* uint8_t */
  TL_I8,       /* int8_t */
  TL_I16,      /* int16_t */
  TL_I32,      /* int32_t */
  TL_I64,      /* int64_t */
  TL_F64,      /* double */
  TL_CHAR,     /* uint32_t */
  TL_C64,      /* tl_c64 */
  TL_BYTE      /* uint8_t: a char below 256, of what is searched and sorted */
};

enum { TL_MAX_RANK = 15 };

/* tl_view is somebody's array in row-major order; shape may be NULL where
 * rank is 0, and data where there are no elements. */
typedef struct {
  int elem;
  int rank;
  const int64_t *shape;
  const void *data;
} tl_view;

/* tl_array is an array made by the library; its owner frees it by tl_drop. */
typedef struct {
  int elem;
  int rank;
  int64_t shape[TL_MAX_RANK];
  void *data; /* from tl_alloc */
} tl_array;

int64_t tl_elem_size(int elem);
int64_t tl_count(int rank, const int64_t *shape); /* product of the extents */
tl_view tl_view_of(const tl_array *a);
void tl_drop(tl_array *a);

/* ---- Start and end ----------------------------------------------------- */

/* tl_init is called first in main; tl_finish last, main returns its result.
 * tl_finish writes out what is buffered. */
void tl_init(int argc, char **argv);
int tl_finish(void);

/* ---- Faults ------------------------------------------------------------ */

/* The kinds of fault, as the messages spell them. */
#define TL_LENGTH "LENGTH ERROR"
#define TL_RANK "RANK ERROR"
#define TL_INDEX "INDEX ERROR"
#define TL_DOMAIN "DOMAIN ERROR"
#define TL_LIMIT "LIMIT ERROR"
#define TL_SPACE "WS FULL"
#define TL_TYPE "TYPE ERROR"
#define TL_VALUE "VALUE ERROR"
#define TL_SYSTEM "SYSTEM ERROR"

/* Kinds with codes, as internal/diag has them: the arguments of tl_fault_at. */
#define TL_NOT_NUMBER TL_DOMAIN, "E0611"
#define TL_FLOAT_OVERFLOW TL_DOMAIN, "E0613"
#define TL_TOO_LARGE TL_LIMIT, "E0702"
#define TL_NO_MEMORY TL_SPACE, "E0704"
#define TL_UNKNOWN_TYPE TL_TYPE, "E0805"
#define TL_FILE_OR_TOOL TL_SYSTEM, "E1001"

/* tl_arg is an operand of a fault's template: {0}, {1}, … in its text. */
typedef struct {
  int kind; /* TL_ARG_… */
  int rank;
  const int64_t *shape;
  int64_t i;
  double d;
  const char *text;
} tl_arg;
enum { TL_ARG_SHAPE = 1, TL_ARG_INT, TL_ARG_DOUBLE, TL_ARG_TEXT };

static inline tl_arg tl_arg_shape(int rank, const int64_t *shape) {
  tl_arg a = {TL_ARG_SHAPE, rank, shape, 0, 0, NULL};
  return a;
}
static inline tl_arg tl_arg_int(int64_t i) {
  tl_arg a = {TL_ARG_INT, 0, NULL, i, 0, NULL};
  return a;
}
static inline tl_arg tl_arg_double(double d) {
  tl_arg a = {TL_ARG_DOUBLE, 0, NULL, 0, d, NULL};
  return a;
}
static inline tl_arg tl_arg_string(const char *text) {
  tl_arg a = {TL_ARG_TEXT, 0, NULL, 0, 0, text};
  return a;
}

/* tl_fault writes out what the program printed, then head, the template with
 * its operands filled in, the code, a newline and details to stderr, and ends
 * the program. head is like "prog.apl:3:7: LENGTH ERROR: ", code like "E0301";
 * details are whole lines or "". */
_Noreturn void tl_fault(int exit_code, const char *head, const char *template_text, const char *code,
                        const char *details, int nargs, const tl_arg *args);

/* tl_site is the place in the source that a library function is called for;
 * where is like "prog.apl:3:7: ", or "" as details may be. */
typedef struct {
  const char *where;
  const char *details;
} tl_site;

/* tl_fault_at is tl_fault with a text made by printf, for the faults of files,
 * of texts and of memory; it exits with 1. */
_Noreturn void tl_fault_at(const tl_site *site, const char *kind, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* tl_held is the fault that the steps of a loop which threads share met first, in their
 * order; at is the step, INT64_MAX where there is none. tl_hold notes the fault of a step,
 * which is left, and tl_raise ends the program with the one that is held. Steps behind
 * it need not begin. */
typedef struct {
  int64_t at;
  int exit_code;
  char again, lock;
  char *text;
} tl_held;
#define TL_PAST(held, step) ((step) > __atomic_load_n(&(held).at, __ATOMIC_RELAXED))
void tl_hold(tl_held *held, int64_t at, int exit_code, const char *head, const char *template_text, const char *code,
             const char *details, int nargs, const tl_arg *args);
_Noreturn void tl_raise(const tl_held *held);

/* ---- Memory ------------------------------------------------------------ */

/* Blocks are aligned to 64 bytes; a block of no bytes is a valid pointer.
 * tl_alloc ends the program with LIMIT ERROR where there is no memory or where
 * count×size is negative or overflows; tl_try_alloc gives NULL instead, so
 * that the caller can name the shape. The contents are not initialised. */
void *tl_alloc(int64_t count, int64_t size) __attribute__((malloc, warn_unused_result));
void *tl_try_alloc(int64_t count, int64_t size) __attribute__((malloc, warn_unused_result));
void tl_free(void *p); /* NULL is allowed */
/* tl_carry copies bytes from place from of a block on to place to of one that was just
 * made and has nothing else in it, and frees the former. */
void tl_carry(void *made, int64_t to, void *p, int64_t from, int64_t bytes);
/* tl_block_bytes gives the bytes that were asked for when p was allocated. */
int64_t tl_block_bytes(const void *p);

/* tl_free_since frees the blocks that are in use since tl_mark_blocks gave mark, for a
 * run that was left in the middle; while no other thread allocates. Of the smallest
 * blocks it frees those of a shared object only. */
int64_t tl_mark_blocks(void);
void tl_free_since(int64_t mark);

/* tl_try_count is the product of the extents, or -1 where one is negative or
 * the product overflows. */
int64_t tl_try_count(int rank, const int64_t *shape);

/* ---- Display ----------------------------------------------------------- */

/* tl_display prints a as Dyalog's session would, with print precision pp;
 * tl_print_bare prints the same without the last line end (⍞←). tl_format is
 * monadic ⍕: a character array. Package internal/display documents the
 * format. */
void tl_display_pp(const tl_view *a, int pp);
void tl_print_bare(const tl_view *a, int pp);
void tl_format(const tl_view *a, int pp, tl_array *result);
/* The display of a nested array, a matrix of characters. The first part says how it
 * is made of the others, as package internal/display tells. */
void tl_picture(const tl_view *const *parts, int pp, tl_array *result);
/* Dyadic ⍕: by is a vector of ints. LENGTH ERROR where it does not fit. */
void tl_format_by(const tl_site *site, const tl_view *by, const tl_view *a, tl_array *result);
static inline void tl_display(const tl_view *a) { tl_display_pp(a, 10); }

/* tl_out prints n bytes; tl_flush writes out what is buffered. */
void tl_out(const char *bytes, size_t n);

/* tl_run runs a program that leaves overflow of doubles to the processor's flag,
 * and where that is raised the same one with tests (overflow.c). tl_shared_work is
 * set before threads share a loop. tl_watch is for loops of the former: they might
 * not end. */
void tl_run(void (*quick)(void), void (*tested)(void));
void tl_check_overflow(void);

/* ---- Shared objects ---------------------------------------------------- */

/* A library (embed.h) is called by any thread: what belongs to a call has a copy for
 * each, unless calls take turns because each has threads of its own. */
#if defined TAILOR_EMBEDDED && !defined _OPENMP && !defined TAILOR_OPENCL
#define TL_STATE _Thread_local
#else
#define TL_STATE
#endif

#ifdef TAILOR_LIBRARY
#include <setjmp.h>
/* A function that is called from outside begins with tl_enter and _setjmp of
 * tl_entered, which gives 1 where there was a fault. At its end tl_left says whether
 * a double overflowed. tl_leave frees what a call that failed has allocated, and gives
 * failed. tailor_free frees an array that the function has returned. */
#ifdef TAILOR_EMBEDDED
extern TL_STATE jmp_buf *tl_entered_at;
#define tl_entered (*tl_entered_at)
#else
extern jmp_buf tl_entered;
#endif
void tl_enter(void);
int tl_left(void);
int tl_leave(int failed);
__attribute__((visibility("default"))) void tailor_free(void *p);
#endif

/* Words that arguments and results are passed in. */
static inline double tl_word_double(int64_t w) {
  double x;
  memcpy(&x, &w, sizeof x);
  return x;
}
static inline int64_t tl_double_word(double x) {
  int64_t w;
  memcpy(&w, &x, sizeof w);
  return w;
}
extern int tl_shared_work;
static inline void tl_watch(void) {
#if defined __x86_64__
  if (__builtin_expect(__builtin_ia32_stmxcsr() & 8, 0))
#endif
    tl_check_overflow();
}
void tl_flush(void);

/* ---- Files, arguments, time -------------------------------------------- */

/* Names of files are character vectors. The readers end the program at site
 * with SYSTEM ERROR (the file), DOMAIN ERROR (its contents) or TYPE ERROR (not
 * the type asked for). Package internal/data is their counterpart in Go, with
 * the same texts. */
void tl_read_text(const tl_site *site, const tl_view *name, tl_array *result);
/* The same, in bytes, where all characters are below limit, 128 or 256, and they are at most
 * TL_MAX_BYTES, else in chars; it says which. The other array has no data; both
 * have the shape. */
enum { TL_MAX_BYTES = 2000000000 };
int tl_read_chars(const tl_site *site, const tl_view *name, int64_t limit, tl_array *bytes, tl_array *chars);
/* tl_stop ends the program with the error of a number of ⎕SIGNAL, a text and a
 * code; 0 goes on, -1 ends it without an error. */
int64_t tl_stop(const tl_site *site, const tl_view *text, int64_t number, const char *code);
int64_t tl_write_text(const tl_site *site, const tl_view *text, const tl_view *name, int64_t replace);
/* elem is TL_BOOL, TL_I64 or TL_F64; the result is a matrix. */
void tl_read_csv(const tl_site *site, const tl_view *name, int elem, tl_array *result);
void tl_csv_text(const tl_view *a, tl_array *result); /* a is a matrix */
/* elem as for CSV or TL_CHAR; the file's array must have the given rank. */
void tl_read_npy(const tl_site *site, const tl_view *name, int elem, int rank, tl_array *result);
int64_t tl_write_npy(const tl_site *site, const tl_view *a, const tl_view *name);

/* What a session gives a program, and takes back; see places of session.c. */
void tl_receive(int64_t place, int elem, int rank, tl_array *result);
int64_t tl_send(const tl_view *a, int64_t place);

int64_t tl_arg_count(void);                        /* arguments of the program */
void tl_arg_text(int64_t n, tl_array *result);     /* 1 ≤ n ≤ tl_arg_count() */
double tl_parse_number(const tl_site *site, const tl_view *text);

double tl_now(void);              /* seconds on a clock that never goes back */
void tl_timestamp(int64_t out[7]); /* ⎕TS, local time */
void tl_clock(int64_t out[4]);     /* ⎕AI: user, CPU, elapsed, keying (ms) */

/* ---- Random numbers ---------------------------------------------------- */

/* The generator is SplitMix64; package internal/prng gives the same numbers. Its
 * state starts as after tl_seed(16807). */
extern TL_STATE uint64_t tl_random_state;
#define TL_RANDOM_STEP 0x9E3779B97F4A7C15u
int64_t tl_seed(int64_t seed);  /* ⎕RL←seed; returns seed */
int64_t tl_generator(void);     /* ⎕RL: the state, a seed to go on with */
int64_t tl_draws(int64_t n);    /* passes over n draws; the state before */

static inline uint64_t tl_random_bits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
static inline uint64_t tl_random_next(void) { return tl_random_bits(tl_random_state += TL_RANDOM_STEP); }
/* The k-th draw, from 0, from a state on. */
static inline uint64_t tl_random_at(int64_t state, int64_t k) {
  return tl_random_bits((uint64_t)state + ((uint64_t)k + 1) * TL_RANDOM_STEP);
}

/* Of random bits a number between 0 and 1, both excluded; and from 1…n, also
 * where n is less than 2^32. */
static inline double tl_random_unit(uint64_t bits) {
  double x; /* 2^52 and a whole number less than that */
  bits = bits >> 12 | 0x4330000000000000u;
  memcpy(&x, &bits, sizeof x);
  return (x - 0x1p52 + 0.5) * 0x1p-52;
}
static inline int64_t tl_random_whole(uint64_t bits, int64_t n) { return (int64_t)((unsigned __int128)bits * (uint64_t)n >> 64) + 1; }
static inline int64_t tl_random_whole32(uint64_t bits, int64_t n) {
  uint64_t m = (uint32_t)n;
  return (int64_t)(((bits >> 32) * m + ((bits & 0xFFFFFFFFu) * m >> 32)) >> 32) + 1;
}
static inline double tl_rolld(void) { return tl_random_unit(tl_random_next()); }
static inline int64_t tl_rolli(int64_t n) { return tl_random_whole(tl_random_next(), n); }
static inline double tl_rolld_at(int64_t state, int64_t k) { return tl_random_unit(tl_random_at(state, k)); }
static inline int64_t tl_rolli_at(int64_t state, int64_t k, int64_t n) { return tl_random_whole(tl_random_at(state, k), n); }
static inline int64_t tl_roll32_at(int64_t state, int64_t k, int64_t n) { return tl_random_whole32(tl_random_at(state, k), n); }
/* count different integers from 1…n; 0 ≤ count ≤ n */
static inline int tl_bad_deal(int64_t count, int64_t n) { return count < 0 || n < 0 || count > n; }
void tl_deal(int64_t count, int64_t n, int64_t *out);

/* ---- Sorting and searching --------------------------------------------- */

/* exact chooses between ⎕CT←0 and the tolerance TL_CT; only doubles care. */

/* tl_grade gives the stable permutation, from 1, that sorts the major cells. */
void tl_grade(const tl_view *a, int down, int64_t *out);
/* tl_order does that for a vector of less than 2*32 elements: places, from 1,
 * of width 4 or 8 bytes, and the sorted elements, as a has them; either may be
 * NULL. */
void tl_order(const tl_view *a, int down, int width, tl_array *places, tl_array *sorted);
/* tl_leading writes the first places of these, of width 4 or 8 bytes. */
void tl_leading(const tl_view *a, int down, int64_t count, int width, void *out);
/* tl_index_of writes places of width 4 or 8 bytes. */
void tl_index_of(const tl_view *table, const tl_view *items, int exact, int width, void *out);
void tl_member(const tl_view *items, const tl_view *table, int exact, uint8_t *out);
/* tl_unique and tl_without write at most as many elements as a has, of a's
 * type, and return how many. */
int64_t tl_unique(const tl_view *a, int exact, void *out);
int64_t tl_without(const tl_view *a, const tl_view *table, int exact, void *out);
void tl_first_cell(const tl_view *a, int64_t *out);
void tl_first_item(const tl_view *elements, const tl_view *offsets, const tl_view *lengths, int width, void *out);
int64_t tl_where(const tl_view *bools, int64_t *out);
/* The place, from 1, of the nearest of k points of d numbers, c, for each of n
 * points, x; 0 where it cannot be told without exact distances. Numbers of a
 * row are xrow apart, those of a column xcol. Places are integers of width
 * bytes, at most 4. */
void tl_translate(void *z, const uint8_t *x, int64_t n, const void *table, int64_t size);
void tl_nearest(const double *x, int64_t xrow, int64_t xcol, const double *c, int64_t crow, int64_t ccol, int64_t n, int64_t k, int64_t d,
                void *place, int width);

/* how many elements of the ascending vector are not greater; exact */
void tl_interval_index(const tl_view *sorted, const tl_view *items, int64_t *out);
int tl_match(const tl_view *a, const tl_view *b, int exact);
void tl_find(const tl_view *pattern, const tl_view *a, int exact, uint8_t *out);

/* ---- Scalars ----------------------------------------------------------- */

/* Comparison tolerance: x equals y iff (|x-y|) ≤ ⎕CT×(|x)⌈|y. No number other
 * than 0 equals 0, infinities equal themselves, NaN nothing. */
#ifndef TL_CT
#define TL_CT 1E-14
#endif
/* The library's own tolerance. A program with another ⎕CT sets it, and defines
 * TL_CT as it before this file is included. */
extern TL_STATE double tl_ct;

/* The formulas of scalars.h and the files beside it (internal/formulas) are for
 * kernels, too, and take from here how functions are declared, and what depends
 * on the width of doubles. */
#define TL_INLINE static inline
#define TL_SHARED
#define TL_TABLE static const
#define TL_INFINITE tl_beyond()
#define TL_ULP 0x1p-53
#define TL_WHOLE 0x1p53
#define TL_GREAT 0x1p500
#define TL_SMALL 0x1p-500
#define TL_UP 0x1p600
#define TL_DOWN 0x1p-600
#include "scalars.h"

/* The product overflows iff it is far from its wrapped value, which doubles
 * are precise enough to see; unlike the compiler's builtin this vectorises. */
static inline int tl_bad_muli(int64_t x, int64_t y) {
  /* Of a constant, the other factor has a least and a greatest value. */
  if (__builtin_constant_p(y) && y > 1) return (uint64_t)x - (uint64_t)(INT64_MIN / y) > (uint64_t)(INT64_MAX / y) - (uint64_t)(INT64_MIN / y);
  if (__builtin_constant_p(x) && x > 1) return (uint64_t)y - (uint64_t)(INT64_MIN / x) > (uint64_t)(INT64_MAX / x) - (uint64_t)(INT64_MIN / x);
  return fabs((double)x * (double)y - (double)tl_muli(x, y)) > 0x1p62;
}
/* The overflow of x×x. */
static inline int tl_bad_squarei(int64_t x) { return (uint64_t)x + 3037000499 > 2 * UINT64_C(3037000499); }
/* x*y for y ≥ 0. */
int64_t tl_powi(int64_t x, int64_t y);
int tl_bad_powi(int64_t x, int64_t y);      /* overflow; y < 0 is not its case */

__attribute__((const)) int64_t tl_gcdi(int64_t x, int64_t y); /* 0∨0 is 0 */
/* Only the divisor 2*63, of ¯2*63 and 0 or itself, does not fit. */
static inline int tl_bad_gcdi(int64_t x, int64_t y) {
  return (x == INT64_MIN || y == INT64_MIN) && tl_gcdi(x, y) < 0;
}
/* x×y÷x∨y, 0 where one is 0. The divisor of ¯2*63 and ¯2*63 does not fit. */
static inline int64_t tl_lcmi(int64_t x, int64_t y) {
  int64_t g = tl_gcdi(x, y);
  return g <= 0 ? 0 : tl_muli(x, y / g);
}
static inline int tl_bad_lcmi(int64_t x, int64_t y) {
  int64_t g = tl_gcdi(x, y), r = 0;
  if (x == 0 || y == 0) return 0;
  return g < 0 || __builtin_mul_overflow(x, y / g, &r);
}

/* A pointer to constants that the compiler does not look at: gcc 12 copies some
 * wrongly when it knows them (see internal/driver/probe/widecopy.c). */
static inline const void *tl_unknown(const void *p) {
  __asm__("" : "+r"(p));
  return p;
}

/* The bits of a number. */
static inline int64_t tl_bits_of(double x) {
  int64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

/* The outcome of a test as a double. Vector code takes it from the mask, where
 * a choice or a conversion would make branches or leave the vector. */
static inline double tl_mask(int64_t b) {
  int64_t one = -b & 0x3FF0000000000000;
  double x;
  memcpy(&x, &one, sizeof x);
  return x;
}

/* x where the outcome of a test is 1, and y where it is 0. Of several choices by one
 * test gcc makes branches, which leave masked operations in vector code. */
static inline int64_t tl_blendi(int64_t b, int64_t x, int64_t y) { return y ^ ((x ^ y) & -b); }
static inline double tl_blendd(int64_t b, double x, double y) {
  int64_t z = tl_blendi(b, tl_bits_of(x), tl_bits_of(y));
  memcpy(&x, &z, sizeof x);
  return x;
}

/* ---- Doubles: arithmetic ----------------------------------------------- */

/* ⌊x÷k for an integer k above 1. Below 2*46 the fraction of x÷k is nearer to 1
 * than the comparison tolerance only if it is 0. */
static inline int64_t tl_floorquoi(int64_t x, int64_t k) {
  if (__builtin_expect((uint64_t)x + (1ULL << 46) <= 1ULL << 47, 1))
    return (k & (k - 1)) == 0 ? x >> __builtin_ctzll((uint64_t)k) : x / k - (x % k < 0);
  return (int64_t)tl_floord((double)x / (double)k);
}
/* Upper and lower case, and what stands for both. */
uint32_t tl_upperc(uint32_t c);
uint32_t tl_lowerc(uint32_t c);
uint32_t tl_foldc(uint32_t c);

#if defined(__FMA__) || defined(__aarch64__)
#define TL_NO_FMA 0
#else
#define TL_NO_FMA 1
#endif
/* x×y+z, rounded once; that of the library, without the instruction, is slow. */
static inline double tl_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
/* 2×x+z, where 2×x is exact. */
static inline double tl_twice(double x, double z) {
#if TL_NO_FMA
  return (x + x) + z;
#else
  return __builtin_fma(2.0, x, z);
#endif
}
/* x÷d from the reciprocal of d in two parts, where it is known that no other number is
 * rounded differently; d is there for machines without the instruction. */
static inline double tl_ratio(double x, double high, double low, double d) {
#if TL_NO_FMA
  return (void)high, (void)low, x / d;
#else
  return (void)d, __builtin_fma(x, high, x * low);
#endif
}

double tl_gcdd(double x, double y); /* Euclid's algorithm; exact on whole numbers */
double tl_lcmd(double x, double y);
double tl_factd(double y);          /* gamma of y+1; exact table for integers */
double tl_bind(double x, double y); /* x!y */

/* x○y for the x whose results are real; ¯4○y and 0○y depend on y too. */
double tl_circled(int64_t x, double y);
int tl_bad_circled(int64_t x, double y);
int tl_bad_circled_complex(int64_t x, double y);

/* ---- Complex numbers --------------------------------------------------- */

/* Functions of complex numbers; package internal/num has the same formulas.
 * An imaginary part of -0 counts as 0. TL_Z is also a constant expression. */
typedef double _Complex tl_c64;
#define TL_Z(re, im) __builtin_complex((double)(re), (double)(im))

static inline tl_c64 tl_z(double re, double im) { return TL_Z(re, im); }
static inline double tl_rez(tl_c64 x) { return __real__ x; }
static inline double tl_imz(tl_c64 x) { return __imag__ x; }

/* Stores x a part at a time. Of `u[i] = x; u[0] = y;` with complex x and y, gcc
 * 12 keeps one part of x only, where it does not know i: its elimination of dead
 * stores takes the other for overwritten. */
static inline void tl_putz(tl_c64 *p, tl_c64 x) {
  __real__ *p = tl_rez(x);
  __imag__ *p = tl_imz(x);
}

/* Stores given parts, as doubles: of such stores there is vector code. */
static inline void tl_put_parts(tl_c64 *p, double re, double im) {
  ((double *)p)[0] = re;
  ((double *)p)[1] = im;
}

#include "scalarsz.h"
tl_c64 tl_signz(tl_c64 x); /* of magnitude 1, or 0 */
tl_c64 tl_sqrtz(tl_c64 x);
tl_c64 tl_expz(tl_c64 x);
tl_c64 tl_lnz(tl_c64 x);
tl_c64 tl_powz(tl_c64 x, tl_c64 y);
int tl_bad_powz(tl_c64 x, tl_c64 y);
tl_c64 tl_logz(tl_c64 x, tl_c64 y);
int tl_bad_logz(tl_c64 x, tl_c64 y);
tl_c64 tl_resz(tl_c64 x, tl_c64 y);
tl_c64 tl_gcdz(tl_c64 x, tl_c64 y); /* in the first quadrant */
tl_c64 tl_lcmz(tl_c64 x, tl_c64 y);
tl_c64 tl_factz(tl_c64 y); /* gamma of y+1 */
int tl_bad_factz(tl_c64 y);
tl_c64 tl_binz(tl_c64 x, tl_c64 y);
int tl_bad_binz(tl_c64 x, tl_c64 y);
tl_c64 tl_circlez(int64_t x, tl_c64 y);
int tl_bad_circlez(int64_t x, tl_c64 y);

/* ---- For emitted code -------------------------------------------------- */

/* The bytes of a vector, as the machine has them; a panel of an inner product
 * is two vectors wide, for elements of the given size. */
#if defined(__AVX512F__)
#define TL_VECTOR 64
#elif defined(__AVX__)
#define TL_VECTOR 32
#else
#define TL_VECTOR 16
#endif
static inline int64_t tl_panel(int64_t size) { return 2 * TL_VECTOR / size; }

/* tl_fma of vectors. */
typedef double tl_vector __attribute__((vector_size(TL_VECTOR)));
static inline tl_vector tl_fmav(tl_vector x, tl_vector y, tl_vector z) {
#if defined(__AVX512F__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(x, y, z, (unsigned char)-1, 4);
#elif defined(__AVX__) && defined(__FMA__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd256(x, y, z);
#else
  for (size_t l = 0; l < TL_VECTOR / sizeof(double); l++) z[l] = tl_fma(x[l], y[l], z[l]);
  return z;
#endif
}

/* TL_UNKNOWN hides the value of a double variable from gcc; see package cgen. */
#if defined(__x86_64__) && !defined(__clang__)
#define TL_UNKNOWN(x) __asm__("" : "+x"(x))
#else
#define TL_UNKNOWN(x) ((void)(x))
#endif

/* TL_IVDEP stands before a loop whose iterations are independent, TL_UNROLL
 * before one that is run four steps at a time. */
#if defined(__clang__)
#define TL_UNROLL _Pragma("clang loop unroll_count(4)")
#define TL_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define TL_IVDEP _Pragma("GCC ivdep")
#define TL_UNROLL _Pragma("GCC unroll 4")
#endif

/* glibc has vector versions of these, and declares them only where results
 * may differ from IEEE's in many other ways. Clang is told by -fveclib. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define TL_SIMD __attribute__((simd("notinbranch"), const, nothrow))
double exp(double) TL_SIMD;
double log(double) TL_SIMD;
double pow(double, double) TL_SIMD;
double sin(double) TL_SIMD;
/* By another name, since gcc makes one call that has no vector version of cosine
 * and sine of one angle. */
double tl_cos(double) __asm__("cos") TL_SIMD;
#define cos(x) tl_cos(x)
#if __GLIBC_PREREQ(2, 35)
double tan(double) TL_SIMD;
double sinh(double) TL_SIMD;
double cosh(double) TL_SIMD;
double tanh(double) TL_SIMD;
double asin(double) TL_SIMD;
double acos(double) TL_SIMD;
double atan(double) TL_SIMD;
double asinh(double) TL_SIMD;
double acosh(double) TL_SIMD;
double atanh(double) TL_SIMD;
#endif
#endif

/* The exponential of what is far below 0, as ¯1E300 for a term that does not count:
 * the vector version overflows on the way to 0, which would be noted. */
static inline double tl_exp(double x) { return exp(x < -1024 ? -1024 : x); }
#define exp(x) tl_exp(x)

/* An integer as a double, in a form that is vectorised where there is no
 * instruction for it: the halves are put behind the exponents of 2^84 and 2^52,
 * and only the last addition rounds. */
static inline double tl_i2d(int64_t x) {
#if defined(__AVX512DQ__) || !defined(__x86_64__)
  return (double)x;
#else
  uint64_t high = ((uint64_t)x >> 32) ^ 0x4530000080000000u;
  uint64_t low = ((uint64_t)x & 0xffffffffu) | 0x4330000000000000u;
  double h, l;
  memcpy(&h, &high, sizeof h);
  memcpy(&l, &low, sizeof l);
  return (h - (0x1p84 + 0x1p63 + 0x1p52)) + l;
#endif
}

/* x / y and x % y for y > 0, as vector code: quotients of doubles are never rounded up to
 * the next integer. */
static inline int32_t tl_quov(int32_t x, int32_t y) { return (int32_t)((double)x / (double)y); }
static inline int32_t tl_remv(int32_t x, int32_t y) { return x - y * tl_quov(x, y); }

/* x % c for 0 ≤ x < 2^50 and a constant c, 2 ≤ c < 2^32, as vector code: the
 * quotient is rounded to the nearest integer in doubles, so that the remainder
 * is off by at most c. */
static inline int64_t tl_remc(int64_t x, int64_t c) {
  uint64_t low = (uint64_t)x | 0x4330000000000000u;
  double v;
  memcpy(&v, &low, sizeof v);
  double q = (v - 0x1p52) * (1.0 / (double)c) + 0x1p52;
  uint64_t k;
  memcpy(&k, &q, sizeof k);
  int64_t r = x - (int64_t)(k & 0xfffffffffffffu) * c;
  return r < 0 ? r + c : r;
}

/* x % c for 0 ≤ x and a constant c, 2^12 ≤ c < 2^32, as vector code where there are
 * instructions that convert integers of 64 bits: the quotient in doubles is off by less
 * than 1. */
static inline int64_t tl_remw(int64_t x, int64_t c) {
#if defined(__AVX512DQ__)
  int64_t r = x - (int64_t)((double)x * (1.0 / (double)c)) * c;
  r = r < 0 ? r + c : r;
  return r >= c ? r - c : r;
#else
  return x % c;
#endif
}

/* y modulo m, and whether m divides y, for 0 ≤ y and 0 < m below 2^22, as
 * vector code of single precision: the rounded product with the reciprocal is
 * the quotient or next to it, and it is the quotient where that is whole.
 * Adding 1.5×2^23 rounds. */
static inline float tl_quotn(int32_t m, int32_t y) {
#ifdef __FP_FAST_FMAF
  return __builtin_fmaf((float)y, 1.0f / (float)m, 12582912.0f) - 12582912.0f;
#else
  return ((float)y * (1.0f / (float)m) + 12582912.0f) - 12582912.0f;
#endif
}
static inline int tl_divides(int32_t m, int32_t y) { return tl_quotn(m, y) * (float)m == (float)y; }
static inline int32_t tl_resn(int32_t m, int32_t y) {
  int32_t r = y - (int32_t)(tl_quotn(m, y) * (float)m);
  return r < 0 ? r + m : r;
}

/* 64 bytes that are 0 or 1 as the bits of a word. */
static inline uint64_t tl_bits64(const uint8_t *m) {
  uint64_t bits = 0;
#if defined(__AVX2__)
  typedef char bytes __attribute__((vector_size(32), aligned(1), may_alias));
  for (int h = 0; h < 2; h++) {
    bytes b = (bytes)(*(const bytes *)(m + 32 * h) != 0);
    bits |= (uint64_t)(uint32_t)__builtin_ia32_pmovmskb256(b) << 32 * h;
  }
#else
  for (int k = 0; k < 8; k++) {
    uint64_t eight;
    memcpy(&eight, m + 8 * k, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    bits |= (eight * 0x0102040810204080u >> 56) << 8 * k;
  }
#endif
  return bits;
}

/* Whether a word has k ones in a row, 0 < k. */
static inline int tl_has_run(uint64_t word, int k) {
  int have = 1;
  for (; 2 * have <= k; have *= 2) word &= word >> have;
  return k > have ? (word & word >> (k - have)) != 0 : word != 0;
}

/* The places of the ones of each byte, in order. */
extern uint16_t tl_ones[256][8] __attribute__((aligned(16)));

/* Writes the places of the ones of a word, each with first added, to to[n …],
 * and up to 7 elements more, and returns n and their number. */
static inline int64_t tl_put_ones(uint16_t *to, int64_t n, uint64_t bits, int first) {
  typedef uint16_t eight __attribute__((vector_size(16), aligned(2), may_alias));
  eight from = (eight){0} + (uint16_t)first;
  for (int k = 0; k < 64; k += 8) {
    int byte = (int)(bits >> k & 255);
    *(eight *)(to + n) = from + *(const eight *)tl_ones[byte];
    from += 8;
    n += __builtin_popcount((unsigned)byte);
  }
  return n;
}

/* Appends to to[0 … n-1], where n is 0, the places of the masks that are 1 of
 * length, a multiple of 8; as many elements are written to. */
static inline int64_t tl_put_lanes(int32_t *to, int64_t n, const uint8_t *mask, int length) {
  typedef int32_t eight __attribute__((vector_size(32), aligned(4), may_alias));
  typedef uint16_t places __attribute__((vector_size(16), aligned(2), may_alias));
  for (int k = 0; k < length; k += 8) {
    uint64_t ones;
    memcpy(&ones, mask + k, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    ones = __builtin_bswap64(ones);
#endif
    int byte = (int)(ones * 0x0102040810204080u >> 56);
    *(eight *)(to + n) = __builtin_convertvector(*(const places *)tl_ones[byte], eight) + k;
    n += __builtin_popcount((unsigned)byte);
  }
  return n;
}

/* Of the narrow integers. */
static inline int tl_minn(int x, int y) { return x < y ? x : y; }
static inline int tl_maxn(int x, int y) { return x > y ? x : y; }

/* Whether there may be another call of a recursive function where some are
 * active: the evaluator's limit, or the end of the stack. */
enum { TL_MAX_DEPTH = 100000 };
extern TL_STATE uintptr_t tl_stack_end;
static inline int tl_too_deep(int64_t active) {
  return active >= TL_MAX_DEPTH || (uintptr_t)__builtin_frame_address(0) < tl_stack_end;
}

/* tl_report_time prints the milliseconds since start (of tl_now), less those
 * that went into reading files and printing, to stderr, as "time_ms: 1.234",
 * and the peak of memory, as "peak_kb: 1234", where the environment has
 * TAILOR_TIME. Its value is how often the program is to run in one process;
 * tl_again says whether it should once more, without output. */
void tl_report_time(double start);
int tl_again(void);

#ifdef TAILOR_PROGRESS
#include <signal.h>
/* tl_progress_begin shows from now on how far loops are, where the standard error is a
 * terminal. A loop begins and ends; in between, tl_progress says how many of its turns are
 * done, which is asked for when tl_progress_due. What is shown goes by tl_progress_clear;
 * tl_progress_restart forgets the loops that run. */
extern volatile sig_atomic_t tl_progress_due;
void tl_progress_begin(void);
void tl_loop_begins(void);
void tl_loop_ends(void);
void tl_progress(int64_t done, int64_t turns, int32_t line);
void tl_progress_clear(void);
void tl_progress_restart(void);
#endif

#ifdef TAILOR_PROFILE
/* tl_profile_begin begins to count what the lines of a source cost, where the environment
 * says in which file tl_profile_end, or a fault, is to write it. tl_begin_line says that the code
 * of a line begins, tl_resume_line that the code of one goes on, and tl_profile_alloc that an
 * array is allocated. */
void tl_profile_begin(int32_t lines);
void tl_profile_end(void);
void tl_begin_line(int32_t line);
void tl_resume_line(int32_t line);
void tl_profile_alloc(int64_t bytes);
#endif

/* ---- Matrices ---------------------------------------------------------- */

/* ⌹: rows ≥ columns. They return 0 where the matrix is singular. tl_matdiv
 * solves a×x=b in the sense of least squares for each of the nb columns of
 * the rows×nb matrix b; x is columns×nb. tl_matinv writes columns×rows. */
int tl_matinv(const double *a, int64_t rows, int64_t columns, double *out);
int tl_matdiv(const double *b, int64_t nb, const double *a, int64_t rows, int64_t columns, double *out);
int tl_matinvz(const tl_c64 *a, int64_t rows, int64_t columns, tl_c64 *out);
int tl_matdivz(const tl_c64 *b, int64_t nb, const tl_c64 *a, int64_t rows, int64_t columns, tl_c64 *out);

#endif
