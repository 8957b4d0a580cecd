/* Launches, and the flags and results that kernels leave. */

enum { TL_CL_WAITING = 64, TL_CL_RESULTS = 16, TL_CL_ARRAYS = 64, TL_CL_AXES = 48 };
static struct {
  const tl_cl_kernel *k;
  void *results[TL_CL_RESULTS];
} tl_cl_waiting[TL_CL_WAITING];
static int tl_cl_nwaiting;

/* The double that an answer holds. */
static double tl_cl_double(int64_t w) {
  double d;
  float f;
  int32_t bits = (int32_t)w;
  memcpy(&d, &w, 8);
  memcpy(&f, &bits, 4);
  return tl_cl->narrow ? f : d;
}

static int64_t tl_cl_words_of(const tl_cl_kernel *k) {
  int64_t n = k->nflags + k->wide;
  for (int i = 0; i < k->nouts; i++) n += k->outs[i] == TL_C64 ? 2 : 1;
  return n;
}

/* Writes the flags and results of a launch to the host's variables, and
 * reports whether a flag is raised. */
static int tl_cl_receive(const tl_cl_kernel *k, void *const *results, const int64_t *words) {
  int raised = 0;
  if (k->wide && words[tl_cl_words_of(k) - 1] != 0)
    tl_cl_stop(2, "the program needs integers above 16777216 exactly, which 32-bit floats do not hold; build it without --float=32");
  for (int i = 0; i < k->nflags; i++)
    if (words[i] != 0) {
      raised = 1;
      if (results[i] != NULL) *(uint8_t *)results[i] = 1;
    }
  words += k->nflags;
  for (int i = 0; i < k->nouts; i++) {
    int64_t w = *words++, w2 = k->outs[i] == TL_C64 ? *words++ : 0;
    void *to = results[k->nflags + i];
    if (to == NULL) continue;
    switch (k->outs[i]) {
    case TL_F64: *(double *)to = tl_cl_double(w); break;
    case TL_C64: *(tl_c64 *)to = TL_Z(tl_cl_double(w), tl_cl_double(w2)); break;
    case TL_I64: *(int64_t *)to = w; break;
    case TL_I32: case TL_CHAR: *(int32_t *)to = (int32_t)w; break;
    case TL_I16: *(int16_t *)to = (int16_t)w; break;
    default: *(int8_t *)to = (int8_t)w; break;
    }
  }
  return raised;
}

/* settle reads all that is waited for, and says whether a flag is raised. */
static int tl_cl_arrive(void) {
  int64_t from = INT64_MAX, to = 0;
  int raised = 0;
  if (tl_cl_nwaiting == 0) return 0;
  for (int i = 0; i < tl_cl_nwaiting; i++) {
    const tl_cl_kernel *k = tl_cl_waiting[i].k;
    if (k->answers < from) from = k->answers;
    if (k->answers + tl_cl_words_of(k) > to) to = k->answers + tl_cl_words_of(k);
  }
  int64_t bytes = 8 * (to - from), *words = tl_alloc(to - from, 8);
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, tl_cl_answers, 1, (size_t)(8 * from), (size_t)bytes, words, 0, NULL, NULL),
              "reading", "the kernels' results");
  tl_cl_read_bytes += bytes;
  tl_cl_note("read", "results", bytes);
  for (int i = 0; i < tl_cl_nwaiting; i++) {
    const tl_cl_kernel *k = tl_cl_waiting[i].k;
    raised |= tl_cl_receive(k, tl_cl_waiting[i].results, words + (k->answers - from));
  }
  tl_free(words);
  tl_cl_nwaiting = 0;
  if (raised)
    tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, tl_cl_answers, "", 1, 0, (size_t)(8 * tl_cl->answers), 0, NULL, NULL),
                "clearing", "the kernels' results");
  return raised;
}

void tl_cl_settle(void) { tl_cl_arrive(); }

/* ---- Arguments ---- */

static cl_handle tl_cl_made(const char *name) {
  int32_t code;
  cl_handle made = clCreateKernel(tl_cl_built, name, &code);
  tl_cl_check(code, "making kernel", name);
  return made;
}

typedef struct {
  cl_handle kernel;
  const char *name;
  uint32_t n;
} tl_cl_call;

static void tl_cl_argument(tl_cl_call *c, size_t size, const void *value) {
  tl_cl_check(clSetKernelArg(c->kernel, c->n++, size, value), "setting an argument of", c->name);
}
static void tl_cl_int(tl_cl_call *c, int64_t v) { tl_cl_argument(c, 8, &v); }
static void tl_cl_buffer(tl_cl_call *c, cl_handle b) { tl_cl_argument(c, sizeof b, &b); }

static void tl_cl_values(tl_cl_call *c, const tl_cl_kernel *k, const tl_cl_value *values) {
  for (int i = 0; i < k->nvalues; i++) {
    const tl_cl_value v = values[i];
    if (!tl_cl_of_doubles(k->kinds[i])) {
      tl_cl_int(c, v.i);
    } else if (!tl_cl->narrow) {
      tl_cl_argument(c, (size_t)tl_elem_size(k->kinds[i]), &v);
    } else { /* nothing else is converted, as that might raise the flag of overflow */
      const int complex = k->kinds[i] == TL_C64;
      const float parts[] = {(float)(complex ? tl_rez(v.z) : v.d), complex ? (float)tl_imz(v.z) : 0};
      tl_cl_argument(c, complex ? sizeof parts : sizeof *parts, parts);
    }
  }
}

static int tl_cl_unlooked; /* kernels may have noted a double that overflowed */

/* The place for that is behind the answers. */
int tl_cl_noted(void) {
  char raised = 0;
  if (!tl_cl_unlooked) return 0;
  tl_cl_unlooked = 0;
  tl_cl_check(clEnqueueReadBuffer(tl_cl_queue, tl_cl_answers, 1, (size_t)(8 * tl_cl->answers), 1, &raised, 0, NULL, NULL),
              "reading", "the kernels' results");
  tl_cl_read_bytes++;
  tl_cl_note("read", "overflow", 1);
  return raised;
}

void tl_cl_abandon(void) {
  tl_cl_nwaiting = tl_cl_unlooked = 0;
  if (tl_cl_answers != NULL)
    tl_cl_check(clEnqueueFillBuffer(tl_cl_queue, tl_cl_answers, "", 1, 0, (size_t)(8 * tl_cl->answers + 8), 0, NULL, NULL),
                "clearing", "the kernels' results");
}

static void tl_cl_enqueue(tl_cl_call *c, int64_t global, int64_t local) {
  size_t g = (size_t)global, l = (size_t)local;
  tl_cl_check(clEnqueueNDRangeKernel(tl_cl_queue, c->kernel, 1, NULL, &g, &l, 0, NULL, NULL), "launching kernel", c->name);
  tl_cl_launches++;
  if (tl_cl_tracing) fprintf(stderr, "opencl: launch %s, %zu work-items in groups of %zu\n", c->name, g, l);
}

/* The kernel that computes at the points. */
static void tl_cl_points(tl_cl_kernel *k, const int64_t *sizes, int axes, tl_cl_array *const *arrays,
                         const tl_cl_value *values, int64_t global, int64_t local) {
  if (k->handle == NULL) k->handle = tl_cl_made(k->name);
  tl_cl_call c = {k->handle, k->name, 0};
  for (int i = 0; i < k->narrays; i++) tl_cl_buffer(&c, arrays[i]->buffer);
  tl_cl_values(&c, k, values);
  for (int i = 0; i < 2 * axes; i++) tl_cl_int(&c, sizes[i]);
  tl_cl_buffer(&c, tl_cl_answers);
  tl_cl_enqueue(&c, global, local);
}

/* ---- Functions of the library ---- */

/* The number that n words of code compute (ir.Library). */
static int64_t tl_cl_computed(const int64_t *code, int64_t n, const int64_t *numbers) {
  int64_t stack[64], x, y;
  int top = 0;
  for (int64_t i = 0; i < n; i++) {
    if (code[i] == 0 || code[i] == 1) {
      stack[top++] = code[i] == 0 ? code[i + 1] : numbers[code[i + 1]];
      i++;
      continue;
    }
    y = stack[--top];
    x = stack[--top];
    switch (code[i]) {
    case 2: x += y; break;
    case 3: x -= y; break;
    case 4: x *= y; break;
    case 5: x /= y; break;
    case 6: x %= y; break;
    case 7: x = x < y ? x : y; break;
    case 9: x = x < y; break;
    case 10: x = x <= y; break;
    case 11: x = x > y; break;
    case 12: x = x >= y; break;
    case 13: x = x == y; break;
    case 14: x = x != y; break;
    default: x = x > y ? x : y;
    }
    stack[top++] = x;
  }
  return stack[0];
}

static void tl_cl_step_run(tl_cl_kernel *k, tl_cl_step *s, const int64_t *sizes, int axes, tl_cl_array *const *arrays,
                           const tl_cl_value *values, const cl_handle *temps, const int64_t *numbers) {
  if (s->handle == NULL) s->handle = tl_cl_made(s->name);
  tl_cl_call c = {s->handle, s->name, 0};
  for (int i = 0; i < k->narrays; i++) tl_cl_buffer(&c, arrays[i]->buffer);
  tl_cl_values(&c, k, values);
  for (int i = 0; i < 2 * axes; i++) tl_cl_int(&c, sizes[i]);
  for (int i = 0; i < s->nargs; i++) {
    const int16_t *a = s->args + 2 * i;
    switch (a[0]) {
    case TL_CL_TEMP: tl_cl_buffer(&c, temps[a[1]]); break;
    case TL_CL_LOCAL: tl_cl_argument(&c, (size_t)numbers[a[1]], NULL); break;
    default: tl_cl_int(&c, numbers[a[1]]);
    }
  }
  tl_cl_buffer(&c, tl_cl_answers);
  int64_t n = numbers[s->count] > 1 ? numbers[s->count] : 1;
  if (!s->groups) n = (n + s->size - 1) / s->size;
  tl_cl_enqueue(&c, n * s->size, s->size);
}

/* Launches the steps of a library's function for a number of parts. */
static void tl_cl_library_run(tl_cl_kernel *k, const int64_t *sizes, int axes, tl_cl_array *const *arrays,
                              const tl_cl_value *values, int64_t parts) {
  const tl_cl_library *l = k->library;
  int64_t numbers[TL_CL_NUMBERS], bytes[TL_CL_RESULTS];
  cl_handle temps[TL_CL_RESULTS];
  const int64_t *code = l->code;
  int n = 0;
  for (int i = 0; i < axes; i++) numbers[n++] = sizes[2 * i + 1];
  numbers[n++] = parts;
  numbers[n++] = tl_cl_cpu;
  for (int i = 0; i < l->nlengths; i++) numbers[n++] = arrays[l->lengths[i]]->count;
  for (int i = 0; i < l->nnumbers; i++, n++) {
    numbers[n] = tl_cl_computed(code + 1, code[0], numbers);
    code += code[0] + 1;
  }
  for (int i = 0; i < l->ntemps; i++) {
    bytes[i] = numbers[l->temps[2 * i + 1]] * tl_cl_size(l->temps[2 * i]);
    temps[i] = tl_cl_alloc(&bytes[i], "partial results");
    if (temps[i] == NULL) tl_cl_check(-4, "allocating", "partial results");
  }
  for (int i = 0; i < l->nsteps; i++) {
    tl_cl_step *s = &l->steps[i];
    if (s->when == 0 || numbers[s->when] != 0) tl_cl_step_run(k, s, sizes, axes, arrays, values, temps, numbers);
  }
  for (int i = 0; i < l->ntemps; i++) tl_cl_give_back(temps[i], bytes[i]);
}

/* ---- Launches ---- */

static int64_t tl_cl_least(int64_t x, int64_t y) { return x < y ? x : y; }
static int64_t tl_cl_most(int64_t x, int64_t y) { return x > y ? x : y; }

/* The number of work-items of a launch, and of a group. */
static void tl_cl_spread(const tl_cl_kernel *k, int64_t points, const int64_t *sizes, int64_t *global, int64_t *local) {
  const tl_cl_program *p = tl_cl;
  *local = p->groups ? p->group_size : 1;
  if (k->shape == TL_CL_TASK) {
    *global = *local = 1;
  } else if (p->groups && k->shape == TL_CL_MAP) {
    *global = (points + *local - 1) / *local * *local;
  } else if (p->groups) {
    int64_t each = p->group_size * p->per_item, groups = (points + each - 1) / each;
    *global = tl_cl_least(tl_cl_most(groups, 1), p->max_groups) * p->group_size;
  } else {
    int64_t outer = 1;
    int at = 0;
    for (int i = 0; i < k->npieces; i++) {
      int64_t n = 1;
      for (int j = 0; j < k->axes[i] - 1 || j == 0; j++) n *= sizes[2 * (at + j) + 1];
      outer = tl_cl_most(outer, n);
      at += k->axes[i];
    }
    int64_t items = tl_cl_least(p->items_a_unit * tl_cl_most(tl_cl_units, 1), outer);
    items = tl_cl_least(items, points * k->weight / tl_cl_most(p->chunk_work, 1) + 1);
    *global = tl_cl_most(items, 1);
  }
}

/* Whether the host does the work, at within places inside each of the points: there is
 * little, and the operands are there. */
static int tl_cl_on_host(const tl_cl_kernel *k, int64_t points, int64_t within, void *const *arrays) {
  int on_device = 0;
  if (points == 0) return 1;
  for (int i = 0; i < k->narrays; i++) {
    tl_cl_array *a = arrays[i] == NULL ? NULL : tl_cl_find(arrays[i]);
    if (arrays[i] == NULL || (a != NULL && a->count == 0) || (a == NULL && tl_block_bytes(arrays[i]) == 0)) return 1;
    if (a != NULL && a->on_device && !a->on_host) on_device = 1;
  }
  if (on_device) return 0;
  if (k->shape == TL_CL_TASK && tl_cl->host_work > 0) return 1;
  return points * tl_cl_most(k->weight, within) < tl_cl->host_work;
}

/* Reads what a launch with doubtful sums has left. Where a flag is raised, its
 * results are dropped. */
static int tl_cl_overflowed(const tl_cl_kernel *k, void *const *results) {
  tl_c64 before[TL_CL_RESULTS] = {0};
  int n = k->nflags + k->nouts;
  for (int i = 0; i < n; i++)
    if (results[i] != NULL) memcpy(&before[i], results[i], (size_t)(i < k->nflags ? 1 : tl_elem_size(k->outs[i - k->nflags])));
  if (!tl_cl_arrive()) return 0;
  for (int i = 0; i < n; i++)
    if (results[i] != NULL) memcpy(results[i], &before[i], (size_t)(i < k->nflags ? 1 : tl_elem_size(k->outs[i - k->nflags])));
  return 1;
}

/* Whether a kernel has more of anything than there are places for. */
static int tl_cl_large(const tl_cl_kernel *k) {
  const tl_cl_library *l = k->library;
  return k->narrays > TL_CL_ARRAYS || tl_cl_words_of(k) > TL_CL_RESULTS ||
         (l != NULL && (l->ntemps > TL_CL_RESULTS || l->nnumbers + TL_CL_AXES >= TL_CL_NUMBERS));
}

int tl_cl_launch(tl_cl_kernel *k, const int64_t *bounds, void *const *arrays, const tl_cl_value *values,
                 void *const *results) {
  int64_t sizes[2 * TL_CL_AXES], points = 0, within = 1, global, local;
  tl_cl_array *held[TL_CL_ARRAYS];
  int axes = 0;
  if (tl_cl_large(k)) return 1;
  if (k->npieces == 0) points = 1;
  for (int i = 0; i < k->npieces; i++) {
    int64_t n = 1;
    for (int j = 0; j < k->axes[i]; j++, axes++) {
      if (axes == TL_CL_AXES) return 1;
      sizes[2 * axes] = bounds[2 * axes];
      sizes[2 * axes + 1] = tl_cl_most(bounds[2 * axes + 1] - bounds[2 * axes], 0);
      n *= sizes[2 * axes + 1];
    }
    points += n;
  }
  for (int j = 0; j < k->nwithin; j++, axes++) {
    if (axes == TL_CL_AXES) return 1;
    sizes[2 * axes] = bounds[2 * axes];
    sizes[2 * axes + 1] = tl_cl_most(bounds[2 * axes + 1] - bounds[2 * axes], 0);
    within *= sizes[2 * axes + 1];
  }
  if (points == 0 && k->shape == TL_CL_MAP) return 0;
  if (tl_cl_on_host(k, points, within, arrays)) return 1;
  tl_cl_ready();
  int waits = tl_cl_words_of(k) > 0, settle = k->redo || tl_cl_nwaiting == TL_CL_WAITING;
  for (int i = 0; i < tl_cl_nwaiting; i++) settle |= tl_cl_waiting[i].k == k;
  if (settle) tl_cl_arrive();
  for (int i = 0; i < k->narrays; i++) {
    held[i] = tl_cl_find(arrays[i]);
    if (held[i] == NULL) held[i] = tl_cl_add(arrays[i], k->elems[i], tl_block_bytes(arrays[i]) / tl_elem_size(k->elems[i]));
    tl_cl_send(held[i], (k->access[i] & TL_CL_READS) == 0 && points == held[i]->count && k->shape != TL_CL_SCAN && k->shape != TL_CL_UPDATE);
  }
  tl_cl_spread(k, points, sizes, &global, &local);
  if (k->library != NULL)
    tl_cl_library_run(k, sizes, axes, held, values, global / local);
  else
    tl_cl_points(k, sizes, axes, held, values, global, local);
  for (int i = 0; i < k->narrays; i++)
    if (k->access[i] & TL_CL_WRITES) tl_cl_device_wrote(held[i]);
  tl_cl_unlooked |= k->notes;
  if (waits) {
    tl_cl_waiting[tl_cl_nwaiting].k = k;
    memcpy(tl_cl_waiting[tl_cl_nwaiting].results, results, (size_t)(k->nflags + k->nouts) * sizeof *results);
    tl_cl_nwaiting++;
  }
  return k->redo && tl_cl_overflowed(k, results);
}

void tl_cl_finish(void) {
  tl_cl_arrive();
  tl_cl_check(clFinish(tl_cl_queue), "waiting for", "the device");
  if (tl_cl_tracing)
    fprintf(stderr, "kernels %d\nwritten %lld\nread %lld\n", tl_cl_launches, (long long)tl_cl_written_bytes, (long long)tl_cl_read_bytes);
}
