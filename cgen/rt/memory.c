/* Memory. */
#include "rt.h"

#include <sys/mman.h>
#ifdef TAILOR_OPENCL
#include "opencl.h"
#endif

/* Each block is preceded by 64 bytes that hold its size and the bytes that were
 * asked for: Linux grants more than there is and kills whoever touches it, which
 * is no way to report WS FULL, so the memory in use is counted. */
enum { TL_HEADER = 64 };
static int64_t tl_in_use;

typedef struct tl_header {
  int64_t bytes; /* 0 where the block is part of a file */
  int64_t asked;
  struct tl_header *newer, *older; /* of the chain of blocks in use */
  int64_t serial;                  /* how many were in the chain before */
} tl_header;

/* The number in a file, or 0. */
static int64_t tl_number_in(const char *name) {
  long long n = 0;
  FILE *f = fopen(name, "re");
  if (f == NULL) return 0;
  if (fscanf(f, "%lld", &n) != 1) n = 0;
  fclose(f);
  return n;
}

/* What the machine has free, in bytes, or 0. */
static int64_t tl_free_memory(void) {
  char line[128];
  long long kib = 0;
  FILE *f = fopen("/proc/meminfo", "re");
  if (f == NULL) return 0;
  while (kib == 0 && fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "MemAvailable: %lld", &kib) != 1) kib = 0;
  fclose(f);
  return kib * 1024;
}

/* TAILOR_MEMORY, a number of bytes, or of what a K, M, G or T behind it says; or 0. */
static int64_t tl_asked_limit(void) {
  static const char units[] = "KMGT";
  const char *text = getenv("TAILOR_MEMORY");
  char *end;
  int64_t limit = text != NULL ? strtoll(text, &end, 10) : 0;
  if (limit <= 0) return 0;
  for (int i = 0; units[i] != 0; i++)
    if ((*end & ~32) == units[i]) return limit < INT64_MAX >> (10 * i + 10) ? limit << (10 * i + 10) : INT64_MAX / 2;
  return limit;
}

/* The memory that a program may use: as TAILOR_MEMORY says, else what the machine has
 * free, but for a part, and its control group leaves. */
static int64_t tl_find_limit(void) {
  int64_t limit = tl_asked_limit();
  if (limit > 0) return limit;
  limit = tl_free_memory() / 16 * 15;
  if (limit <= 0) limit = (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
  if (limit <= 0) limit = (int64_t)1 << 46;
  int64_t group = tl_number_in("/sys/fs/cgroup/memory.max") / 16 * 15;
  return group > 0 && group < limit ? group : limit;
}

static int64_t tl_limit;

static int64_t tl_memory_limit(void) {
  int64_t limit = __atomic_load_n(&tl_limit, __ATOMIC_RELAXED);
  if (limit == 0) {
    limit = tl_find_limit();
    __atomic_store_n(&tl_limit, limit, __ATOMIC_RELAXED);
  }
  return limit;
}

/* Lets a program that ends use more, for its last message. */
void tl_lift_limit(void) { tl_limit = INT64_MAX / 2; }

/* ---- Large blocks ---- */

/* Blocks from TL_LARGE bytes on come from the system in huge pages and are
 * kept when they are freed: a program whose intermediates are given back and
 * asked for again spends most of its time in page faults. Sanitizers see
 * more when malloc makes all blocks. */
#if defined(__SANITIZE_ADDRESS__)
#define TL_MALLOC_ONLY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TL_MALLOC_ONLY 1
#endif
#endif
#ifndef TL_MALLOC_ONLY
#define TL_MALLOC_ONLY 0
#endif

enum { TL_LARGE = 1 << 22, TL_HUGE_PAGE = 1 << 21, TL_SPARES = 16 };

typedef struct {
  char *block;
  int64_t bytes;
} tl_spare;

static tl_spare tl_spares[TL_SPARES]; /* free where block is NULL */
static int64_t tl_spare_bytes;
static char tl_spare_lock;

static void tl_lock(void) {
  while (__atomic_test_and_set(&tl_spare_lock, __ATOMIC_ACQUIRE)) {
  }
}
static void tl_unlock(void) { __atomic_clear(&tl_spare_lock, __ATOMIC_RELEASE); }

static int64_t tl_spare_sum(void) {
  tl_lock();
  int64_t bytes = tl_spare_bytes;
  tl_unlock();
  return bytes;
}

static void tl_forget_spare(tl_spare *s) {
  if (s->block == NULL) return;
  munmap(s->block, (size_t)s->bytes);
  tl_spare_bytes -= s->bytes;
  s->block = NULL;
}

static void tl_forget_spares(void) {
  tl_lock();
  for (int i = 0; i < TL_SPARES; i++) tl_forget_spare(&tl_spares[i]);
  tl_unlock();
}

/* A block of bytes from the smallest spare that has them, four times as many
 * at most; the rest of that stays a spare. */
static char *tl_take_spare(int64_t bytes) {
  tl_spare *best = NULL;
  char *block = NULL;
  tl_lock();
  for (int i = 0; i < TL_SPARES; i++) {
    tl_spare *s = &tl_spares[i];
    if (s->block == NULL || s->bytes < bytes || s->bytes / 4 > bytes) continue;
    if (best == NULL || s->bytes < best->bytes) best = s;
  }
  if (best != NULL) {
    block = best->block;
    best->bytes -= bytes;
    best->block = best->bytes > 0 ? block + bytes : NULL;
    tl_spare_bytes -= bytes;
  }
  tl_unlock();
  return block;
}

/* Adds to a block the spares beside it. */
static void tl_join_spares(char **block, int64_t *bytes) {
  for (int i = 0; i < TL_SPARES; i++) {
    tl_spare *s = &tl_spares[i];
    if (s->block == NULL || (s->block + s->bytes != *block && *block + *bytes != s->block)) continue;
    *block = s->block < *block ? s->block : *block;
    *bytes += s->bytes;
    tl_spare_bytes -= s->bytes;
    s->block = NULL;
  }
}

/* Keeps a block, in place of the smallest spare where all places are taken;
 * spares take a quarter of the memory at most. */
static void tl_keep_spare(char *block, int64_t bytes) {
  tl_lock();
  if (tl_spare_bytes + bytes > tl_memory_limit() / 4) {
    munmap(block, (size_t)bytes);
    tl_unlock();
    return;
  }
  tl_join_spares(&block, &bytes);
  tl_spare *place = &tl_spares[0];
  for (int i = 0; i < TL_SPARES; i++) {
    tl_spare *s = &tl_spares[i];
    if (s->block == NULL || (place->block != NULL && s->bytes < place->bytes)) place = s;
    if (s->block == NULL) break;
  }
  tl_forget_spare(place);
  *place = (tl_spare){block, bytes};
  tl_spare_bytes += bytes;
  tl_unlock();
}

/* A block from the system, aligned to huge pages. A last page of which little
 * is needed is not made huge. */
static char *tl_map(int64_t bytes, int64_t needed) {
  size_t whole = (size_t)bytes + TL_HUGE_PAGE;
  char *p = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  size_t before = (size_t)(-(uintptr_t)p & (TL_HUGE_PAGE - 1));
  if (before > 0) munmap(p, before);
  munmap(p + before + bytes, TL_HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
  int64_t huge = (needed + TL_HUGE_PAGE / 16 * 15) / TL_HUGE_PAGE * TL_HUGE_PAGE;
  madvise(p + before, (size_t)(huge < bytes ? huge : bytes), MADV_HUGEPAGE);
#endif
  return p + before;
}

static int tl_is_large(int64_t bytes) { return !TL_MALLOC_ONLY && bytes >= TL_LARGE; }

/* ---- Tiny blocks ---- */

/* Blocks of up to 2 KB, as recursive functions ask for at the bottom, come from
 * lists of free blocks, a list a thread and a size. What the lists have is never
 * given back, and counts as in use. The threads that call a library end, so that it
 * has no lists. */
enum { TL_TINY_UNIT = 64, TL_TINY_MOST = 1 << 11, TL_TINY_SLAB = 1 << 14 };

typedef struct tl_tiny {
  struct tl_tiny *next;
} tl_tiny;

typedef struct {
  tl_tiny *free;
  char *fresh, *end; /* the rest of the slab that was asked for last */
} tl_tiny_list;

static _Thread_local tl_tiny_list tl_tiny_lists[TL_TINY_MOST / TL_TINY_UNIT + 1];

static int tl_is_tiny(int64_t bytes) {
#ifdef TAILOR_EMBEDDED
  (void)bytes;
  return 0;
#else
  return !TL_MALLOC_ONLY && bytes <= TL_TINY_MOST;
#endif
}

/* A new slab for a list, and a block from it. */
static __attribute__((noinline)) char *tl_tiny_refill(tl_tiny_list *list, int64_t bytes) {
  if (__atomic_load_n(&tl_in_use, __ATOMIC_RELAXED) + TL_TINY_SLAB > tl_memory_limit()) return NULL;
  char *slab = aligned_alloc(TL_TINY_UNIT, TL_TINY_SLAB);
  if (slab == NULL) return NULL;
  __atomic_add_fetch(&tl_in_use, TL_TINY_SLAB, __ATOMIC_RELAXED);
  list->fresh = slab + bytes;
  list->end = slab + TL_TINY_SLAB;
  return slab;
}

/* A block of bytes, a multiple of TL_TINY_UNIT. */
static inline char *tl_tiny_take(int64_t bytes) {
  tl_tiny_list *list = &tl_tiny_lists[(uint64_t)bytes / TL_TINY_UNIT];
  tl_tiny *first = list->free;
  if (first != NULL) {
    list->free = first->next;
    return (char *)first;
  }
  if (list->end - list->fresh < bytes) return tl_tiny_refill(list, bytes);
  list->fresh += bytes;
  return list->fresh - bytes;
}

static inline void tl_tiny_keep(char *block, int64_t bytes) {
  tl_tiny_list *list = &tl_tiny_lists[(uint64_t)bytes / TL_TINY_UNIT];
  tl_tiny *first = (tl_tiny *)(void *)block;
  first->next = list->free;
  list->free = first;
}

/* ---- Small blocks ---- */

/* A few smaller blocks are kept, too: malloc is slow for aligned blocks above a
 * kilobyte, and loops ask in each step for what the step before gave back. A
 * thread that finds another one here goes to malloc. */
enum { TL_KEPT = 8, TL_KEPT_LEAST = TL_TINY_MOST, TL_KEPT_MOST = 1 << 21 };

static tl_spare tl_kept[TL_KEPT];
static int tl_kept_next;
static char tl_kept_lock;

static int tl_is_kept(int64_t bytes) { return !TL_MALLOC_ONLY && bytes >= TL_KEPT_LEAST && bytes <= TL_KEPT_MOST; }

/* A kept block of *bytes or up to a quarter more, or NULL; *bytes becomes its
 * size. */
static char *tl_take_kept(int64_t *bytes) {
  char *block = NULL;
  if (__atomic_test_and_set(&tl_kept_lock, __ATOMIC_ACQUIRE)) return NULL;
  for (int i = 0; i < TL_KEPT && block == NULL; i++) {
    tl_spare *s = &tl_kept[i];
    if (s->block == NULL || s->bytes < *bytes || s->bytes > *bytes + *bytes / 4) continue;
    block = s->block;
    *bytes = s->bytes;
    s->block = NULL;
  }
  __atomic_clear(&tl_kept_lock, __ATOMIC_RELEASE);
  return block;
}

/* Keeps a block in the place of the one that has been kept longest. */
static void tl_keep_block(char *block, int64_t bytes) {
  if (!__atomic_test_and_set(&tl_kept_lock, __ATOMIC_ACQUIRE)) {
    tl_spare *s = &tl_kept[tl_kept_next];
    tl_kept_next = (tl_kept_next + 1) % TL_KEPT;
    char *old = s->block;
    *s = (tl_spare){block, bytes};
    block = old;
    __atomic_clear(&tl_kept_lock, __ATOMIC_RELEASE);
  }
  free(block);
}

/* What sizes are rounded up to: an eighth of them at most, so that a vector
 * that grows by an element in each step fits the block of the step before. */
static int64_t tl_unit(int64_t bytes) {
  if (tl_is_large(bytes)) return TL_HUGE_PAGE;
  int64_t unit = 64;
  while (tl_is_kept(bytes) && unit * 16 <= bytes) unit *= 2;
  return unit;
}

/* ---- Blocks in use ---- */

/* A run that a fault or an overflow ends leaves its blocks behind. They are in a
 * chain, the newest first. Tiny blocks are in it in a shared object only, as a process
 * that ends gives them back. A block that a library has returned is in none. */
#ifdef TAILOR_EMBEDDED
static TL_STATE tl_header tl_chain;
#else
static tl_header tl_chain = {.newer = &tl_chain, .older = &tl_chain};
#endif
static TL_STATE int64_t tl_chained;
static TL_STATE char tl_chain_lock;

static int tl_is_chained(int64_t bytes) {
#ifdef TAILOR_LIBRARY
  (void)bytes;
  return 1;
#else
  return !tl_is_tiny(bytes);
#endif
}

static void tl_link(tl_header *h) {
  while (__atomic_test_and_set(&tl_chain_lock, __ATOMIC_ACQUIRE)) {
  }
  h->serial = ++tl_chained;
  h->newer = &tl_chain;
  h->older = tl_chain.older;
  h->older->newer = h;
  tl_chain.older = h;
  __atomic_clear(&tl_chain_lock, __ATOMIC_RELEASE);
}

static void tl_unlink(tl_header *h) {
  if (h->newer == NULL) return;
  while (__atomic_test_and_set(&tl_chain_lock, __ATOMIC_ACQUIRE)) {
  }
  h->newer->older = h->older;
  h->older->newer = h->newer;
  __atomic_clear(&tl_chain_lock, __ATOMIC_RELEASE);
}

#ifdef TAILOR_EMBEDDED
void tl_begin_chain(void) {
  if (tl_chain.newer == NULL) tl_chain.newer = tl_chain.older = &tl_chain;
}

void tl_hand_over(void *p) {
  tl_header *h = (tl_header *)(void *)((char *)p - TL_HEADER);
  tl_unlink(h);
  h->newer = NULL;
}
#endif

int64_t tl_mark_blocks(void) { return tl_chained; }

void tl_free_since(int64_t mark) {
  while (tl_chain.older != &tl_chain && tl_chain.older->serial > mark) {
    char *p = (char *)tl_chain.older + TL_HEADER;
#ifdef TAILOR_OPENCL
    tl_cl_free(p);
#else
    tl_free(p);
#endif
  }
}

/* ---- All blocks ---- */

/* Where the huge pages of malloc's heap begin, or NULL. */
char *tl_huge_from;

/* Takes the head of the heap, whose pages are small, out of use as soon as a program has
 * asked for a number of them: a huge page costs as much as some ten small ones. */
static void tl_leave_head(int64_t bytes) {
  enum { enough = 1 << 16 };
  static int64_t asked;
  if (__atomic_load_n(&tl_huge_from, __ATOMIC_RELAXED) == NULL || __atomic_add_fetch(&asked, bytes, __ATOMIC_RELAXED) < enough) return;
  char *from = __atomic_exchange_n(&tl_huge_from, NULL, __ATOMIC_RELAXED);
  static void *volatile head; /* is kept for ever */
  head = malloc(1 << 12);
  int64_t left = from - (char *)head;
  free(head);
  if (from != NULL && head != NULL && left > 0 && left <= TL_HUGE_PAGE) head = malloc((size_t)left);
}

/* A block of *bytes or more, of which some are needed; *bytes becomes its size. */
static char *tl_block(int64_t *bytes, int64_t needed) {
  if (!tl_is_large(*bytes)) {
    char *kept = tl_is_kept(*bytes) ? tl_take_kept(bytes) : NULL;
    if (kept != NULL) return kept;
    tl_leave_head(*bytes);
    return aligned_alloc(64, (size_t)*bytes);
  }
  char *block = tl_take_spare(*bytes);
  if (block != NULL) return block;
  if (__atomic_load_n(&tl_in_use, __ATOMIC_RELAXED) + tl_spare_sum() + *bytes > tl_memory_limit()) tl_forget_spares();
  return tl_map(*bytes, needed);
}

/* The room in a block, after the header is written; block may be NULL. */
static inline void *tl_headed(char *block, int64_t bytes, int64_t asked) {
  if (block == NULL) return NULL;
  memcpy(block + offsetof(tl_header, bytes), &bytes, sizeof bytes);
  memcpy(block + offsetof(tl_header, asked), &asked, sizeof asked);
  if (bytes > 0 && tl_is_chained(bytes)) tl_link((tl_header *)(void *)block);
  return block + TL_HEADER;
}

/* tl_try_alloc of bytes that are no tiny block with their header. */
static __attribute__((noinline)) void *tl_alloc_more(int64_t asked) {
  int64_t bytes = asked + TL_HEADER, unit = tl_unit(bytes), needed = bytes;
  bytes = (bytes + unit - 1) / unit * unit;
  int64_t used = __atomic_load_n(&tl_in_use, __ATOMIC_RELAXED);
  char *block = used + bytes > tl_memory_limit() ? NULL : tl_block(&bytes, needed);
  if (block != NULL) __atomic_add_fetch(&tl_in_use, bytes, __ATOMIC_RELAXED);
  return tl_headed(block, bytes, asked);
}

void *tl_try_alloc(int64_t count, int64_t size) {
  int64_t asked;
  if (count < 0 || __builtin_mul_overflow(count, size, &asked) || asked > (int64_t)1 << 46) return NULL;
#ifdef TAILOR_PROFILE
  tl_profile_alloc(asked);
#endif
  if (!tl_is_tiny(asked + TL_HEADER)) return tl_alloc_more(asked);
  int64_t bytes = (asked + TL_HEADER + TL_TINY_UNIT - 1) & -TL_TINY_UNIT;
  return tl_headed(tl_tiny_take(bytes), bytes, asked);
}

void *tl_alloc(int64_t count, int64_t size) {
  void *p = tl_try_alloc(count, size);
  if (p == NULL) {
    static const tl_site nowhere = {"", ""};
    if (count < 0) tl_fault_at(&nowhere, TL_TOO_LARGE, "an array is too large");
    tl_fault_at(&nowhere, TL_NO_MEMORY, "out of memory for %lld elements of %lld bytes",
                (long long)count, (long long)size);
  }
  return p;
}

/* The bytes of an open file from offset on, 64 at least, as a block: what is written
 * to it is not written to the file, and tl_free leaves it. NULL where that fails. */
static void *tl_mapped(int fd, int64_t offset, int64_t bytes) {
  int64_t page = (int64_t)sysconf(_SC_PAGESIZE), from = (offset - TL_HEADER) / page * page;
  char *p = mmap(NULL, (size_t)(offset + bytes - from), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, (off_t)from);
  return p == MAP_FAILED ? NULL : tl_headed(p + (offset - TL_HEADER - from), 0, bytes);
}

int64_t tl_block_bytes(const void *p) {
  int64_t asked;
  memcpy(&asked, (const char *)p - TL_HEADER + offsetof(tl_header, asked), sizeof asked);
  return asked;
}

/* tl_free of a block that is not tiny. */
static __attribute__((noinline)) void tl_free_more(char *block, int64_t bytes) {
  if (bytes == 0) return; /* mapped */
  tl_unlink((tl_header *)(void *)block);
  __atomic_sub_fetch(&tl_in_use, bytes, __ATOMIC_RELAXED);
  if (tl_is_large(bytes))
    tl_keep_spare(block, bytes);
  else if (tl_is_kept(bytes))
    tl_keep_block(block, bytes);
  else
    free(block);
}

void tl_free(void *p) {
  if (p == NULL) return;
  char *block = (char *)p - TL_HEADER;
  int64_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  if (bytes == 0 || !tl_is_tiny(bytes)) {
    tl_free_more(block, bytes);
    return;
  }
  if (tl_is_chained(bytes)) tl_unlink((tl_header *)(void *)block);
  tl_tiny_keep(block, bytes);
}

/* Moves the first pages of a large block to another one, a whole number of huge pages,
 * with what is in them but for the header. It is 0 where nothing was moved. */
static int64_t tl_move_pages(tl_header *to, tl_header *from, int64_t bytes) {
  int64_t moved = bytes / TL_HUGE_PAGE * TL_HUGE_PAGE;
  if (!tl_is_large(to->bytes) || !tl_is_large(from->bytes) || moved > to->bytes) return 0;
  tl_unlink(from);
  tl_header kept = *to, old = *from;
  if (mremap(from, (size_t)moved, (size_t)moved, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
    /* It may have taken away what it was to move to. */
    if (mmap(to, (size_t)moved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
      static const tl_site nowhere = {"", ""};
      tl_fault_at(&nowhere, TL_NO_MEMORY, "out of memory for %lld bytes", (long long)moved);
    }
    memcpy(to, from, (size_t)moved);
    munmap(from, (size_t)moved);
  }
  *to = kept;
  __atomic_sub_fetch(&tl_in_use, old.bytes, __ATOMIC_RELAXED);
  if (old.bytes > moved) {
    memcpy((char *)to + moved, (char *)from + moved, (size_t)(bytes - moved));
    munmap((char *)from + moved, (size_t)(old.bytes - moved));
  }
  return moved;
}

void tl_carry(void *made, int64_t to, void *p, int64_t from, int64_t bytes) {
  tl_header *new = (tl_header *)(void *)((char *)made - TL_HEADER), *old = (tl_header *)(void *)((char *)p - TL_HEADER);
  if (to == 0 && from == 0 && bytes >= TL_LARGE && tl_move_pages(new, old, TL_HEADER + bytes) > 0) return;
  memcpy((char *)made + to, (char *)p + from, (size_t)bytes);
  tl_free(p);
}
