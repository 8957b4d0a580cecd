/* What the host's part of a program in FCL needs: kernels that run as a plan says, on
 * buffers of the device. Package fcl/host writes the plan; package fcl/device does the
 * same in Go, keep the two alike. Expressions are those of OpenCL C. */
#ifndef TAILOR_OPENCLPLAN_H
#define TAILOR_OPENCLPLAN_H

#include "opencl.h"

#include <stdbool.h>
#include <tgmath.h>

/* The types of elements, in the order of types.Scalar. */
enum { TL_PLAN_BOOL = 1, TL_PLAN_I8, TL_PLAN_I16, TL_PLAN_I32, TL_PLAN_I64, TL_PLAN_F32, TL_PLAN_F64 };

/* A kernel; groups says that its work is counted in work-groups, which have a number of
 * work-items, and once that a launch covers all of it. */
typedef struct {
  const char *name;
  int groups, group, once;
  void *handle;
} tl_plan_kernel;

/* A place where a fault can happen. kind and code are those of its message, check is the
 * operator that finds it. */
typedef struct {
  tl_site site;
  const char *kind, *code, *check;
} tl_plan_site;

/* An argument of a kernel. */
typedef struct {
  int kind;
  int64_t n; /* bytes of local memory, of a group or a sub-group, elements of scratch memory of a work-item, or a number */
  double d;
  const tl_plan_array *array;
} tl_plan_arg;
enum { TL_PLAN_ARRAY = 16, TL_PLAN_SCRATCH, TL_PLAN_LOCAL, TL_PLAN_SUB };

/* tl_plan_start reads the command line, whose arguments are as many as main has. */
void tl_plan_start(const tl_cl_program *p, const tl_plan_site *sites, int argc, char **argv, int arguments);
/* Argument i, from 1: a number of a type, or an array, whose length it returns. */
int64_t tl_plan_integer(int i, int elem);
double tl_plan_double(int i, int elem);
int64_t tl_plan_vector(int i, tl_plan_array *a);

void tl_plan_alloc(tl_plan_array *a, int64_t n);
void tl_plan_free(tl_plan_array *a);
void tl_plan_swap(tl_plan_array *a, tl_plan_array *b);
void tl_plan_launch(tl_plan_kernel *k, int64_t n, int nargs, const tl_plan_arg *args);
int64_t tl_plan_integer_at(const tl_plan_array *a, int64_t i);
double tl_plan_double_at(const tl_plan_array *a, int64_t i);
/* tl_plan_check ends the program where a kernel has noted a fault. */
void tl_plan_check(void);

/* Results are printed, or written to the file that the command line names. An array has a
 * column for each scalar of its elements; format has a % for each. */
void tl_plan_text(const char *text);
void tl_plan_show_number(int elem, int64_t i, double d);
void tl_plan_show(const char *format, int64_t n, int columns, const tl_plan_array *const *arrays);
/* tl_plan_single ends the program where a file is to hold a result that is no scalar and no
 * array of scalars. */
void tl_plan_single(int single);

/* Time since then is not the program's own (tl_report_time). */
void tl_since_outside(double from);

/* The functions of OpenCL C that expressions have. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define __global
_Noreturn void fcl_fault(long *fault, int site, long a, long b);
static long *const fault = NULL;

#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); b_ < a_ ? b_ : a_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? b_ : a_; })
#define abs(a) ({ __typeof__(a) a_ = (a); a_ < 0 ? -a_ : a_; })

/* Conversions of doubles that saturate, and make 0 of what is no number. */
static inline long tl_plan_saturated(double d, double most, long least, long greatest) {
  return d != d ? 0 : d >= most ? greatest : d < -most ? least : (long)d;
}
#define convert_long_sat(d) tl_plan_saturated(d, 0x1p63, LONG_MIN, LONG_MAX)
#define convert_int_sat(d) ((int)tl_plan_saturated(d, 0x1p31, INT_MIN, INT_MAX))
#define convert_short_sat(d) ((short)tl_plan_saturated(d, 0x1p15, SHRT_MIN, SHRT_MAX))
#define convert_char_sat(d) ((signed char)tl_plan_saturated(d, 0x1p7, SCHAR_MIN, SCHAR_MAX))

#endif
