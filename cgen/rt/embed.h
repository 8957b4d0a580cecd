/* Functions of a library that programs in other languages call. Package internal/library
 * of the compiler writes a header of the library's own, with the same layouts, and the
 * tables below. */
#ifndef TAILOR_EMBED_H
#define TAILOR_EMBED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Element types, as callers see them: bool is a byte, 0 or 1; int is int64_t; complex
 * is two doubles; char is a code point in 32 bits. */
enum { TL_LIB_BOOL = 1, TL_LIB_INT, TL_LIB_DOUBLE, TL_LIB_COMPLEX, TL_LIB_CHAR };

enum { TL_LIB_RANK = 15 };

/* An array in row-major order. */
typedef struct {
  void *data;
  int32_t elem, rank;
  int64_t extents[TL_LIB_RANK];
} tl_lib_array;

/* Where the results of a call are stored: memory of the caller's. */
typedef struct {
  void *(*allocate)(void *context, size_t bytes); /* NULL where there is none */
  void *context;
} tl_lib_allocator;

/* What went wrong. The message is what tailor run prints. */
typedef struct {
  int32_t code, line, column;
  char message[2036];
} tl_lib_error;

/* Codes of faulty calls; the others are those of APL's messages. */
enum { TL_LIB_NULL = 1, TL_LIB_ELEM, TL_LIB_RANKS, TL_LIB_EXTENT, TL_LIB_ALLOCATION, TL_LIB_UNKNOWN };

/* An argument or a result: what the caller sees, and what is stored (TL_BOOL …). */
typedef struct {
  int8_t elem, stored, rank;
} tl_lib_slot;

/* A word that the function is given behind its arguments. */
typedef union {
  const void *pointer;
  int64_t word;
  double number;
} tl_lib_word;

/* A function for arguments of certain types. The words of a call are those of cgen's
 * entry.go; tested, where it is not NULL, is the
 * same function with tests for overflow of doubles, which entry only notices. */
typedef struct {
  const char *name; /* in APL */
  const char *where; /* its definition, as "price.apl:3:1: " */
  int32_t function; /* instances of one function have its number */
  int32_t (*entry)(int64_t *words);
  int32_t (*tested)(int64_t *words);
  int nargs, nresults, ncaptured;
  int turns; /* calls take turns: they print, or have threads of their own */
  const tl_lib_slot *slots; /* of the arguments, of the results, and of what is captured */
  const tl_lib_word *captured;
} tl_lib_function;

enum { TL_LIB_WORDS = 512 };

/* tl_lib_run calls a function. The first words are the arguments, those behind them
 * become the results; data of results is from the allocator, or to be freed by
 * tl_lib_free. The value is 0, or the code of the error. */
int32_t tl_lib_run(const tl_lib_function *f, int64_t *words, const tl_lib_allocator *allocator, tl_lib_error *error);

/* tl_lib_call finds the instance of a function for arguments, and calls it. */
int32_t tl_lib_call(const tl_lib_function *all, int count, int32_t function, const tl_lib_array *args, int nargs,
                    tl_lib_array *results, int nresults, const tl_lib_allocator *allocator, tl_lib_error *error);

int32_t tl_lib_fail(tl_lib_error *error, int32_t code, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tl_lib_free(void *data);

/* Arrays that stay on the device between calls, of libraries for OpenCL. tl_lib_upload
 * copies an array, tl_lib_download copies one back, tl_lib_describe gives type and shape,
 * and tl_lib_release forgets one. tl_lib_call_device is tl_lib_call for them. */
typedef struct tl_lib_device tl_lib_device;
int32_t tl_lib_upload(const tl_lib_array *a, tl_lib_device **device, tl_lib_error *error);
int32_t tl_lib_download(const tl_lib_device *d, tl_lib_array *result, const tl_lib_allocator *allocator, tl_lib_error *error);
int32_t tl_lib_describe(const tl_lib_device *d, tl_lib_array *shape, tl_lib_error *error);
void tl_lib_release(tl_lib_device *d);
int32_t tl_lib_call_device(const tl_lib_function *all, int count, int32_t function, tl_lib_device *const *args, int nargs,
                           tl_lib_device **results, int nresults, tl_lib_error *error);

/* The words of an array result become an array. */
void tl_lib_take(const tl_lib_slot *s, const int64_t *words, tl_lib_array *result);

#endif
