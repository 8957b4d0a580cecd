/* Arrays that an interactive session gives to a compiled line, and takes back.
 *
 * A session names in TAILOR_SESSION two open files, as "3,4". Arrays are in places.
 * The first file begins with the record of every place from 0 on, which says where
 * the elements are: in that file, or in another one that is open. The second file
 * gets what the program sends, in order: records, the elements behind each. Elements
 * are as in memory; records and elements begin at multiples of TL_RECORD. Large
 * arrays are not copied: their file is mapped, and a write makes a page private. */
#include "rt.h"

enum { TL_RECORD = 256, TL_MAPPED_LEAST = 1 << 16 };

typedef struct {
  int64_t file, offset, elem, rank, shape[TL_RECORD / 8 - 4];
} tl_record;

/* The kinds of elements, as package array of the session counts them. */
static int64_t tl_record_elem(int elem) {
  switch (elem) {
  case TL_BOOL: return 1;
  case TL_I64: return 2;
  case TL_F64: return 3;
  case TL_CHAR: return 4;
  case TL_C64: return 5;
  }
  return 0;
}

/* The files of the session; 0 where there is none. */
static int tl_session_files(int *in, int *out) {
  static int files[2], asked;
  if (!asked) {
    asked = 1;
    const char *text = getenv("TAILOR_SESSION");
    if (text == NULL || sscanf(text, "%d,%d", &files[0], &files[1]) != 2) files[0] = 0;
  }
  *in = files[0], *out = files[1];
  return files[0] > 0;
}

static _Noreturn void tl_session_fault(const char *kind, const char *code, const char *what, int error) {
  static const tl_site nowhere = {"", ""};
  char text[256];
  tl_error_text(text, sizeof text, error);
  tl_fault_at(&nowhere, kind, code, "%s: %s", what, text);
}

static void tl_read_at(int fd, int64_t offset, char *bytes, int64_t n) {
  while (n > 0) {
    ssize_t got = pread(fd, bytes, (size_t)n, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) tl_session_fault(TL_FILE_OR_TOOL, "cannot read an array of the session", got < 0 ? errno : EIO);
    bytes += got, offset += got, n -= got;
  }
}

void tl_receive(int64_t place, int elem, int rank, tl_array *result) {
  static const int64_t none[TL_MAX_RANK];
  tl_record r = {0};
  int in, out;
  if (!tl_session_files(&in, &out)) {
    tl_new(result, elem, rank, none);
    if (rank == 0) memset(result->data, 0, (size_t)tl_elem_size(elem));
    if (rank == 0 && elem == TL_CHAR) *(uint32_t *)result->data = ' ';
    return;
  }
  double from = tl_now();
  tl_read_at(in, place * TL_RECORD, (char *)&r, sizeof r);
  if (r.elem != tl_record_elem(elem) || r.rank != rank) tl_session_fault(TL_FILE_OR_TOOL, "the session has another array", EINVAL);
  int64_t n = tl_count(rank, r.shape) * tl_elem_size(elem);
  void *data = n >= TL_MAPPED_LEAST ? tl_mapped((int)r.file, r.offset, n) : NULL;
  if (data == NULL) {
    tl_new(result, elem, rank, r.shape);
    tl_read_at((int)r.file, r.offset, result->data, n);
  } else {
    *result = (tl_array){.elem = elem, .rank = rank, .data = data};
    memcpy(result->shape, r.shape, (size_t)rank * sizeof *r.shape);
  }
  tl_since_outside(from);
}

static int tl_write_at(int fd, int64_t offset, const char *bytes, int64_t n) {
  while (n > 0) {
    ssize_t done = pwrite(fd, bytes, (size_t)n, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return 0;
    bytes += done, offset += done, n -= done;
  }
  return 1;
}

/* A program that begins again sends again from place 0 on. */
int64_t tl_send(const tl_view *a, int64_t place) {
  static int64_t end;
  int in, out;
  tl_check_overflow();
  if (!tl_session_files(&in, &out) || tl_muted) return place;
  double from = tl_now();
  if (place == 0) end = 0;
  int64_t n = tl_count(a->rank, a->shape) * tl_elem_size(a->elem), begin = end + TL_RECORD;
  tl_record r = {.file = out, .offset = begin, .elem = tl_record_elem(a->elem), .rank = a->rank};
  if (a->rank > 0) memcpy(r.shape, a->shape, (size_t)a->rank * sizeof *r.shape);
  end = (begin + n + TL_RECORD - 1) / TL_RECORD * TL_RECORD;
  if (!tl_write_at(out, begin - TL_RECORD, (const char *)&r, sizeof r) || !tl_write_at(out, begin, a->data, n) ||
      ftruncate(out, (off_t)end) != 0)
    tl_session_fault(TL_NO_MEMORY, "no memory for an array of the session", errno);
  tl_since_outside(from);
  return place;
}
