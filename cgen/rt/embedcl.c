/* Libraries for OpenCL: what the device holds of arguments and results, and arrays that
 * stay there between calls. Calls take turns, and so do the functions here. */
#include "embed.h"

/* An array whose owner is the caller, but for its storage: a block of the library's, of
 * which the device may hold the elements. */
struct tl_lib_device {
  tl_lib_device *next; /* of all that there are */
  tl_lib_slot slot;
  int64_t extents[TL_LIB_RANK];
  void *data; /* elements as slot.stored says; of a scalar one */
};

static tl_lib_device *tl_lib_devices;

static int tl_lib_lives(const tl_lib_device *d) {
  for (const tl_lib_device *x = tl_lib_devices; x != NULL; x = x->next)
    if (x == d) return d != NULL;
  return 0;
}

/* ---- Arguments of a call ---- */

/* Arrays of the caller's, and those that functions refer to, of which the device may hold
 * a copy until the call is over. */
static const void *tl_lib_lent[TL_LIB_WORDS];
static void *tl_lib_copies[TL_LIB_WORDS];
static int tl_lib_nlent;

/* Lends an array of count elements, and returns where it is: where another one is known
 * at the same place, a copy. */
static int64_t tl_lib_lend(int64_t word, int elem, int64_t count) {
  const void *p = (const void *)(intptr_t)word;
  void *copy = NULL;
  tl_cl_array *known = tl_cl_find(p);
  if (known != NULL && known->elem == elem && known->count == count) return word;
  if (known != NULL) {
    if ((copy = tl_try_alloc(count, tl_elem_size(elem))) == NULL) tl_cl_stop(1, "WS FULL: no memory for a copy of an argument [E0704]");
    memcpy(copy, p, (size_t)(count * tl_elem_size(elem)));
    p = copy;
  }
  tl_lib_copies[tl_lib_nlent] = copy;
  tl_lib_lent[tl_lib_nlent++] = p;
  tl_cl_add(p, elem, count)->name = "an argument";
  return (int64_t)(intptr_t)p;
}

static void tl_lib_lend_all(const tl_lib_function *f, int64_t *words) {
  for (int i = 0; i < f->nargs; i++) {
    const tl_lib_slot *s = &f->slots[i];
    if (s->rank > 0) words[0] = tl_lib_lend(words[0], s->stored, tl_count(s->rank, words + 1));
    words += tl_lib_slot_words(s);
  }
  const tl_lib_slot *s = f->slots + f->nargs + f->nresults; /* of what is captured */
  for (int i = 0; i < f->ncaptured; s++) {
    if (s->rank > 0) words[i] = tl_lib_lend(words[i], s->stored, tl_count(s->rank, words + i + 1));
    i += s->rank > 0 ? 1 + s->rank : s->elem == TL_LIB_COMPLEX ? 2 : 1;
  }
}

static void tl_lib_take_back(int failed) {
  if (failed) { /* what kernels would have told variables that are gone */
    tl_cl_nwaiting = 0;
    if (tl_cl_queue != NULL) clFinish(tl_cl_queue);
    if (tl_cl_answers != NULL)
      clEnqueueFillBuffer(tl_cl_queue, tl_cl_answers, "", 1, 0, 8 * (size_t)(tl_cl->answers > 0 ? tl_cl->answers : 1), 0, NULL, NULL);
  }
  while (tl_lib_nlent > 0) {
    tl_cl_forget(tl_lib_lent[--tl_lib_nlent]);
    tl_free(tl_lib_copies[tl_lib_nlent]);
  }
}

/* ---- Guarded work ---- */

typedef struct {
  const tl_lib_function *f;
  const int64_t *words;
  tl_lib_device *device;
} tl_lib_work;

/* Does work in which the device may fail, and returns 0 or the code of the error. */
static int32_t tl_lib_guarded(void (*work)(tl_lib_work *), tl_lib_work *w, tl_lib_error *error) {
  jmp_buf here, *before = tl_entered_at;
  tl_begin_chain();
  tl_entered_at = &here;
  tl_lib_failure = error;
  tl_lib_code = 0;
  tl_failing = tl_noticing = 0;
  tl_lib_inside = 1;
  tl_enter();
  int failed = _setjmp(here);
  if (!failed)
    work(w);
  else
    tl_leave(1);
  tl_lib_inside = 0;
  tl_entered_at = before;
  return failed ? tl_lib_code : 0;
}

/* Results leave the device, to be the caller's like any other. */
static void tl_lib_work_fetch(tl_lib_work *w) {
  const int64_t *words = w->words;
  for (int i = w->f->nargs; i < w->f->nargs + w->f->nresults; i++) {
    const tl_lib_slot *s = &w->f->slots[i];
    void *p = (void *)(intptr_t)words[0];
    if (s->rank > 0) {
      tl_cl_read(p);
      tl_cl_forget(p);
    }
    words += tl_lib_stored_words(s);
  }
}

static int32_t tl_lib_fetch(const tl_lib_function *f, const int64_t *words, tl_lib_error *error) {
  tl_lib_work w = {.f = f, .words = words};
  return tl_lib_guarded(tl_lib_work_fetch, &w, error);
}

/* ---- Arrays on the device ---- */

static int32_t tl_lib_not_device(tl_lib_error *error, int i) {
  return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: argument %d is no array on the device: it is NULL, or was released", i);
}

/* A new array, whose storage is there or is to be made. */
static tl_lib_device *tl_lib_new_device(tl_lib_slot slot, const int64_t *extents, void *data) {
  tl_lib_device *d = calloc(1, sizeof *d);
  if (d == NULL) return NULL;
  d->slot = slot;
  for (int i = 0; i < slot.rank; i++) d->extents[i] = extents[i];
  if (data == NULL) {
    int64_t n = tl_count(slot.rank, extents);
    tl_begin_chain();
    data = tl_try_alloc(n > 0 ? n : 1, tl_elem_size(slot.stored));
    if (data != NULL) tl_hand_over(data);
  }
  d->data = data;
  if (data == NULL) {
    free(d);
    return NULL;
  }
  d->next = tl_lib_devices;
  tl_lib_devices = d;
  return d;
}

static int tl_lib_stored_as(int elem) {
  static const int8_t stored[] = {0, TL_BOOL, TL_I64, TL_F64, TL_C64, TL_CHAR};
  return stored[elem];
}

int32_t tl_lib_upload(const tl_lib_array *a, tl_lib_device **device, tl_lib_error *error) {
  if (error != NULL) error->code = error->line = error->column = error->message[0] = 0;
  if (a == NULL || device == NULL) return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the array, or the place for its handle, is a NULL pointer");
  *device = NULL;
  if (a->elem < TL_LIB_BOOL || a->elem > TL_LIB_CHAR) return tl_lib_fail(error, TL_LIB_ELEM, "", "TYPE ERROR: there are no elements of type %d", (int)a->elem);
  if (a->rank < 0 || a->rank > TL_LIB_RANK) return tl_lib_fail(error, TL_LIB_RANKS, "", "RANK ERROR: there are no arrays of rank %d", (int)a->rank);
  for (int i = 0; i < a->rank; i++)
    if (a->extents[i] < 0) return tl_lib_fail(error, TL_LIB_EXTENT, "", "LENGTH ERROR: the array has the extent %lld", (long long)a->extents[i]);
  int64_t n = tl_try_count(a->rank, a->extents);
  if (n < 0 || n > INT64_MAX / 64) return tl_lib_fail(error, TL_LIB_EXTENT, "", "LIMIT ERROR: the array has too many elements");
  if (n > 0 && a->data == NULL) return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the array is a NULL pointer, but has %lld elements", (long long)n);
  tl_lib_slot s = {(int8_t)a->elem, (int8_t)tl_lib_stored_as(a->elem), (int8_t)a->rank};
  pthread_mutex_lock(&tl_lib_turn);
  tl_lib_device *d = tl_lib_new_device(s, a->extents, NULL);
  if (d != NULL && n > 0) memcpy(d->data, a->data, (size_t)(n * tl_lib_size(a->elem)));
  if (d != NULL && s.rank > 0) tl_cl_add(d->data, s.stored, n)->name = "an array of the caller's";
  pthread_mutex_unlock(&tl_lib_turn);
  *device = d;
  return d != NULL ? 0 : tl_lib_fail(error, TL_LIB_ALLOCATION, "", "WS FULL: no memory for an array of %lld elements", (long long)n);
}

int32_t tl_lib_describe(const tl_lib_device *d, tl_lib_array *shape, tl_lib_error *error) {
  if (error != NULL) error->code = error->line = error->column = error->message[0] = 0;
  pthread_mutex_lock(&tl_lib_turn);
  int lives = tl_lib_lives(d);
  if (lives && shape != NULL) {
    *shape = (tl_lib_array){.elem = d->slot.elem, .rank = d->slot.rank};
    memcpy(shape->extents, d->extents, sizeof d->extents);
  }
  pthread_mutex_unlock(&tl_lib_turn);
  if (!lives) return tl_lib_not_device(error, 1);
  return shape != NULL ? 0 : tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the place for the shape is a NULL pointer");
}

static void tl_lib_work_download(tl_lib_work *w) { tl_cl_read(w->device->data); }

int32_t tl_lib_download(const tl_lib_device *d, tl_lib_array *result, const tl_lib_allocator *allocator, tl_lib_error *error) {
  int32_t code = tl_lib_describe(d, result, error);
  if (code != 0) return code;
  tl_lib_work w = {.device = (tl_lib_device *)(uintptr_t)d};
  int64_t n = tl_count(d->slot.rank, d->extents), bytes = n * tl_lib_size(d->slot.elem);
  pthread_mutex_lock(&tl_lib_turn);
  code = tl_lib_guarded(tl_lib_work_download, &w, error);
  if (code == 0) {
    tl_begin_chain();
    result->data = tl_lib_given(allocator) ? allocator->allocate(allocator->context, (size_t)(bytes > 0 ? bytes : 1)) : tl_try_alloc(n > 0 ? n : 1, tl_lib_size(d->slot.elem));
    if (result->data != NULL && !tl_lib_given(allocator)) tl_hand_over(result->data);
    if (result->data != NULL) tl_lib_convert(&d->slot, d->data, n, result->data);
  }
  pthread_mutex_unlock(&tl_lib_turn);
  if (code != 0) return code;
  return result->data != NULL ? 0 : tl_lib_fail(error, TL_LIB_ALLOCATION, "", "WS FULL: no memory for an array of %lld elements", (long long)n);
}

void tl_lib_release(tl_lib_device *d) {
  pthread_mutex_lock(&tl_lib_turn);
  for (tl_lib_device **at = &tl_lib_devices; *at != NULL; at = &(*at)->next) {
    if (*at != d) continue;
    *at = d->next;
    tl_cl_free(d->data);
    free(d);
    break;
  }
  pthread_mutex_unlock(&tl_lib_turn);
}

/* ---- Calls with them ---- */

static void tl_lib_work_convert(tl_lib_work *w) {
  tl_lib_device *d = w->device;
  int64_t n = tl_count(d->slot.rank, d->extents);
  int stored = tl_lib_stored_as(d->slot.elem);
  tl_cl_read(d->data);
  void *data = tl_alloc(n > 0 ? n : 1, tl_elem_size(stored));
  tl_lib_convert(&d->slot, d->data, n, data);
  tl_hand_over(data);
  tl_cl_free(d->data);
  d->data = data;
  d->slot.stored = (int8_t)stored;
  if (d->slot.rank > 0) tl_cl_add(data, stored, n)->name = "an array of the caller's";
}

/* The results of a call become handles; what the device holds stays there. */
static int32_t tl_lib_keep(const tl_lib_function *f, const int64_t *words, tl_lib_device **results, tl_lib_error *error) {
  int made = 0;
  for (; made < f->nresults; made++) {
    const tl_lib_slot *s = &f->slots[f->nargs + made];
    int64_t seen[2] = {0, 0};
    if (s->rank > 0) {
      results[made] = tl_lib_new_device(*s, words + 1, (void *)(intptr_t)words[0]);
    } else {
      tl_lib_slot own = {s->elem, (int8_t)tl_lib_stored_as(s->elem), 0};
      tl_lib_scalar(s, words, seen);
      results[made] = tl_lib_new_device(own, NULL, NULL);
      if (results[made] != NULL && s->elem == TL_LIB_BOOL)
        *(uint8_t *)results[made]->data = (uint8_t)seen[0];
      else if (results[made] != NULL && s->elem == TL_LIB_CHAR)
        *(uint32_t *)results[made]->data = (uint32_t)seen[0];
      else if (results[made] != NULL)
        memcpy(results[made]->data, seen, (size_t)tl_lib_size(s->elem));
    }
    if (results[made] == NULL) break;
    words += tl_lib_stored_words(s);
  }
  if (made == f->nresults) return 0;
  for (int i = 0; i < f->nresults; i++) results[i] = NULL; /* what was made is lost: there is no memory at all */
  return tl_lib_fail(error, TL_LIB_ALLOCATION, f->where, "WS FULL: no memory for a result of %s", f->name);
}

static int32_t tl_lib_call_found(const tl_lib_function *f, tl_lib_device *const *args, tl_lib_device **results, tl_lib_error *error) {
  int64_t words[TL_LIB_WORDS];
  int n = 0;
  for (int i = 0; i < f->nargs; i++) {
    const tl_lib_slot *s = &f->slots[i];
    tl_lib_work w = {.device = args[i]};
    if (args[i]->slot.stored != tl_lib_stored_as(s->elem)) {
      int32_t code = tl_lib_guarded(tl_lib_work_convert, &w, error);
      if (code != 0) return code;
    }
    tl_lib_array a = {args[i]->data, s->elem, s->rank, {0}};
    memcpy(a.extents, args[i]->extents, sizeof a.extents);
    int32_t code = tl_lib_give(f, i, &a, words + n, error);
    if (code != 0) return code;
    n += tl_lib_slot_words(s);
  }
  for (int i = 0; i < f->ncaptured; i++) words[n + i] = f->captured[i].word;
  int32_t code = tl_lib_enter(f, words, error);
  if (code != 0) return code;
  tl_lib_hand_over(f, words + n + f->ncaptured);
  return tl_lib_keep(f, words + n + f->ncaptured, results, error);
}

int32_t tl_lib_call_device(const tl_lib_function *all, int count, int32_t function, tl_lib_device *const *args, int nargs,
                           tl_lib_device **results, int nresults, tl_lib_error *error) {
  tl_lib_array seen[TL_LIB_RANK] = {{0}};
  int32_t code = 0;
  if (error != NULL) error->code = error->line = error->column = error->message[0] = 0;
  if (nargs > 0 && args == NULL) return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the arguments are a NULL pointer");
  if (nresults > 0 && results == NULL) return tl_lib_fail(error, TL_LIB_NULL, "", "VALUE ERROR: the results are a NULL pointer");
  if (nargs < 0 || nargs > TL_LIB_RANK) return tl_lib_fail(error, TL_LIB_UNKNOWN, "", "SYNTAX ERROR: there are no functions of %d arguments", nargs);
  for (int i = 0; i < nresults; i++) results[i] = NULL;
  pthread_mutex_lock(&tl_lib_turn);
  for (int i = 0; i < nargs && code == 0; i++) {
    if (tl_lib_lives(args[i]))
      seen[i] = (tl_lib_array){.elem = args[i]->slot.elem, .rank = args[i]->slot.rank};
    else
      code = tl_lib_not_device(error, i + 1);
  }
  const tl_lib_function *f = code == 0 ? tl_lib_find(all, count, function, seen, nargs, nresults, error, &code) : NULL;
  if (f != NULL) code = tl_lib_call_found(f, args, results, error);
  pthread_mutex_unlock(&tl_lib_turn);
  return code;
}
