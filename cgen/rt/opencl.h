/* What the host's part of a program for OpenCL needs beside tailor.h.
 *
 * Arrays have storage on the host; what the device holds of them, opencl.c
 * knows by their addresses. A kernel's flags and results are written to the
 * host's variables by tl_cl_settle. */
#ifndef TAILOR_OPENCL_H
#define TAILOR_OPENCL_H

#include "tailor.h"

/* The kernels of a program, and the thresholds. */
typedef struct {
  const char *const *source; /* lines; NULL ends them */
  const char *options;
  int64_t answers;
  int groups; /* the schedule: work-groups, else chunks */
  int narrow; /* doubles are floats on the device */
  int64_t host_work, group_size, max_groups, per_item, items_a_unit, chunk_work;
  int64_t sort_length;
} tl_cl_program;

/* An array of the device that programs in FCL work on, of n elements of a type (openclplan.h). */
typedef struct {
  const char *name;
  int elem, room; /* room is the site of the fault where there is no memory for it, or 0 */
  void *memory;
  int64_t n, size; /* size is that of its memory, in bytes */
} tl_plan_array;

enum { TL_CL_MAP = 1, TL_CL_REDUCE, TL_CL_SCAN, TL_CL_TASK, TL_CL_UPDATE };
enum { TL_CL_READS = 1, TL_CL_WRITES = 2 };

/* Launches of the kernels of a library's function (ir.Library). The host computes
 * numbers: those that are given, and then those of the code, of which each begins
 * with its length. An argument is a kind and a place. */
enum { TL_CL_TEMP = 1, TL_CL_LOCAL, TL_CL_NUMBER, TL_CL_NUMBERS = 256 };
typedef struct {
  const char *name;
  int when;  /* the place of a number that is 0 where it is left out, or 0 */
  int count; /* the place of the number of groups, or of work-items */
  int64_t size;
  int groups, nargs;
  const int16_t *args;
  void *handle;
} tl_cl_step;
typedef struct {
  int nlengths;
  const int8_t *lengths; /* the arrays whose lengths are numbers */
  int nnumbers;
  const int64_t *code;
  int ntemps;
  const int16_t *temps; /* the kind of elements, and the place of their number */
  int nsteps;
  tl_cl_step *steps;
} tl_cl_library;

/* A kernel. Its space consists of pieces, each with a number of axes; the
 * arguments are arrays, values, the bounds, the answers. */
typedef struct {
  const char *name;
  int shape;
  int npieces;
  const int8_t *axes;
  int narrays;
  const int8_t *access, *elems;
  int nvalues;
  const int8_t *kinds;
  int nflags, nouts;
  const int8_t *outs;
  int64_t answers, weight;
  int redo;
  int wide; /* a word after the results reports integers that are too large */
  int notes; /* the word behind all answers reports a double that overflowed */
  int nwithin;   /* axes inside each point: of a segment, or of an inner product */
  const tl_cl_library *library; /* or NULL */
  void *handle; /* made at the first launch */
} tl_cl_kernel;

typedef union {
  int64_t i;
  double d;
  tl_c64 z;
} tl_cl_value;

/* tl_cl_start opens the device; the program ends with status 4 where there is
 * none. */
void tl_cl_start(const tl_cl_program *p);
void tl_cl_finish(void);
/* tl_cl_use makes p the program whose kernels are launched next, in a library that has
 * several of at most TL_CL_PROGRAMS. */
enum { TL_CL_PROGRAMS = 4096 };
void tl_cl_use(const tl_cl_program *p);

/* tl_cl_launch runs a kernel, or returns 1 where the host is to do its work.
 * bounds holds first and end of each axis; results are the addresses of the
 * flags and of the results, NULL for those that nobody reads. */
int tl_cl_launch(tl_cl_kernel *k, const int64_t *bounds, void *const *arrays, const tl_cl_value *values,
                 void *const *results);
/* tl_cl_compute leaves what a program of FCL computes from arrays, with counts of elements, and
 * numbers in result, whose storage is on the host, and returns how many elements that has; or -1
 * where the host is to do it. */
typedef tl_plan_array tl_cl_function(const tl_plan_array *given, const int64_t *numbers);
int64_t tl_cl_compute(tl_cl_function *f, int narrays, const void *const *arrays, const int64_t *counts, const int64_t *numbers,
                      void *result, int elem);
/* tl_cl_noted says whether kernels have noted a double that overflowed since it was last
 * asked; tl_cl_abandon drops what kernels have left. */
int tl_cl_noted(void);
void tl_cl_abandon(void);
/* tl_cl_settle waits for flags and results. */
void tl_cl_settle(void);

/* tl_cl_new tells of an array that has been allocated; what follows its name is
 * the message where the device has no memory for it. tl_cl_known tells of one
 * that has its value. */
void tl_cl_new(void *p, int elem, int64_t count, int zero, const char *name, const char *head,
               const char *template_text, const char *code, const char *details, int rank, const int64_t *shape);
void tl_cl_known(const void *p, int elem, int64_t count);
void tl_cl_free(void *p);

/* Before the host reads an array, one of its elements, or writes to it; after
 * it has stored an element. */
void tl_cl_read(const void *p);
void tl_cl_element(const void *p, int64_t i);
void tl_cl_write(void *p);
void tl_cl_stored(void *p, int64_t i);
void tl_cl_copy(void *to, int64_t to_index, const void *from, int64_t from_index, int64_t count, int elem);

#endif
