/* What the C side of the tests shares: arrays on standard input and output, in
 * the form of package ctest. */
#ifndef DRIVER_H
#define DRIVER_H

#include "tailor.h"

#include <stdio.h>

/* Reads one array; 0 at the end of the input. */
static inline int driver_read(tl_array *a) {
  int64_t head[2];
  if (fread(head, 8, 2, stdin) != 2) return 0;
  a->elem = (int)head[0];
  a->rank = (int)head[1];
  if (a->rank > 0 && fread(a->shape, 8, (size_t)a->rank, stdin) != (size_t)a->rank) return 0;
  int64_t n = tl_count(a->rank, a->shape), size = tl_elem_size(a->elem);
  a->data = tl_alloc(n, size);
  return n == 0 || fread(a->data, (size_t)size, (size_t)n, stdin) == (size_t)n;
}

static inline void driver_write(const tl_view *a) {
  int64_t head[2] = {a->elem, a->rank}, n = tl_count(a->rank, a->shape);
  tl_out((const char *)head, sizeof head);
  if (a->rank > 0) tl_out((const char *)a->shape, 8 * (size_t)a->rank);
  if (n > 0) tl_out(a->data, (size_t)(n * tl_elem_size(a->elem)));
}

#endif
