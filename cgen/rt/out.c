/* Buffered output, growing text, UTF-8. */
#include "rt.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

static char tl_buffer[1 << 16];
static size_t tl_buffered;
int tl_interactive, tl_muted;

/* How much has been written, and how much of what comes has been. */
typedef struct {
  size_t bytes, files;
} tl_amount;
static tl_amount tl_written, tl_dropped;

void tl_begin_output(void) { tl_written = tl_dropped = (tl_amount){0, 0}; }

void tl_repeat_output(void) { tl_dropped = tl_written; }

int tl_drops_file(void) {
  if (tl_dropped.files > 0) {
    tl_dropped.files--;
    return 1;
  }
  tl_written.files++;
  return 0;
}

/* The buffer has grown from n bytes. */
static void tl_grown(size_t n) {
  size_t more = tl_buffered - n, drop = more < tl_dropped.bytes ? more : tl_dropped.bytes;
  if (drop > 0) {
    memmove(tl_buffer + n, tl_buffer + n + drop, more - drop);
    tl_dropped.bytes -= drop;
    tl_buffered -= drop;
  }
  tl_written.bytes += more - drop;
}

int tl_write_all(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return 0;
    bytes += done;
    n -= (size_t)done;
  }
  return 1;
}

/* The system's message for an error, as ours are written. */
void tl_error_text(char *text, size_t size, int error) {
  snprintf(text, size, "%s", strerror(error));
  if (text[0] >= 'A' && text[0] <= 'Z') text[0] = (char)(text[0] - 'A' + 'a');
}

/* Output that cannot be written ends the program, whatever else is wrong. */
static _Noreturn void tl_unwritable(int error) {
  char text[256], message[320];
  tl_error_text(text, sizeof text, error);
  int n = snprintf(message, sizeof message, "%s: cannot write the output: %s [E1001]\n", TL_SYSTEM, text);
  tl_write_all(STDERR_FILENO, message, (size_t)n);
  _exit(1);
}

void tl_flush(void) {
  size_t n = tl_buffered;
  tl_buffered = 0;
  if (tl_muted) return;
#ifdef TAILOR_PROGRESS
  tl_progress_clear();
#endif
  if (!tl_write_all(STDOUT_FILENO, tl_buffer, n)) tl_unwritable(errno);
}

#ifdef __linux__
/* An interpreter that stands behind this executable (internal/driver/bundle.go) runs in
 * place of it: the last 24 bytes are a mark and the place where the interpreter begins. */
static void tl_become_interpreter(void) {
  static const char mark[16] = "tailor is behind";
  char end[sizeof mark];
  uint64_t from;
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  off_t to = self < 0 ? -1 : lseek(self, -(off_t)(sizeof end + sizeof from), SEEK_END);
  if (to < 0 || read(self, end, sizeof end) != sizeof end || memcmp(end, mark, sizeof mark) != 0) return;
  if (read(self, &from, sizeof from) != sizeof from) return;
  int file = (int)syscall(SYS_memfd_create, "tailor", 1u); /* that is closed by exec */
  for (off_t at = (off_t)from; at < to;) {
    ssize_t n = sendfile(file, self, &at, (size_t)(to - at));
    if (n <= 0) return;
  }
  fexecve(file, tl_argv, environ);
}
#else
static void tl_become_interpreter(void) {}
#endif

#define TL_AGAIN_WORDS 1024

void tl_interpret_again(void) {
#ifdef TAILOR_EMBEDDED
  return; /* the process is somebody else's */
#endif
  if (tl_muted || tl_written.files > 0) return;
  tl_flush();
  char *text = getenv("TAILOR_AGAIN"), *words[TL_AGAIN_WORDS + 1], count[32];
  snprintf(count, sizeof count, "%zu", tl_written.bytes);
  setenv("TAILOR_WRITTEN", count, 1);
  if (text == NULL || *text == 0) {
    tl_become_interpreter();
    return;
  }
  int n = 0;
  for (char *end = text; end != NULL; text = end + 1) {
    if (n == TL_AGAIN_WORDS) return;
    words[n++] = text;
    end = strchr(text, '\x1f');
    if (end == NULL) break;
    *end = 0;
  }
  words[n] = NULL;
  execv(words[0], words);
}

char *tl_reserve(void) {
  if (sizeof tl_buffer - tl_buffered < TL_OUT_ROOM) tl_flush();
  return tl_buffer + tl_buffered;
}

void tl_reserved(const char *end) {
  size_t n = tl_buffered;
  tl_buffered = (size_t)(end - tl_buffer);
  tl_grown(n);
}

void tl_out(const char *bytes, size_t n) {
  while (n > 0) {
    size_t room = sizeof tl_buffer - tl_buffered, k = n < room ? n : room;
    memcpy(tl_buffer + tl_buffered, bytes, k);
    tl_buffered += k;
    tl_grown(tl_buffered - k);
    bytes += k;
    n -= k;
    if (tl_buffered == sizeof tl_buffer) tl_flush();
  }
}

void tl_text_add(tl_text *t, const char *bytes, size_t n) {
  if (t->cap - t->n < n) {
    size_t cap = 2 * t->cap + n + 64;
    char *grown = tl_alloc((int64_t)cap, 1);
    if (t->n > 0) memcpy(grown, t->bytes, t->n);
    tl_free(t->bytes);
    t->bytes = grown;
    t->cap = cap;
  }
  if (n > 0) memcpy(t->bytes + t->n, bytes, n);
  t->n += n;
}

void tl_text_free(tl_text *t) { tl_free(t->bytes); }

int tl_utf8(char *out, uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xC0 | c >> 6);
    out[1] = (char)(0x80 | (c & 63));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xE0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 63));
    out[2] = (char)(0x80 | (c & 63));
    return 3;
  }
  out[0] = (char)(0xF0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 63));
  out[2] = (char)(0x80 | (c >> 6 & 63));
  out[3] = (char)(0x80 | (c & 63));
  return 4;
}

int32_t tl_utf8_next(const char *s, int64_t n, int64_t *i) {
  const unsigned char *p = (const unsigned char *)s + *i;
  int64_t left = n - *i;
  static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  int length = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF8 ? 4 : 0;
  if (length == 0 || length > left) return -1;
  if (length == 1) {
    *i += 1;
    return p[0];
  }
  int32_t c = p[0] & (0x7F >> length);
  for (int k = 1; k < length; k++) {
    if ((p[k] & 0xC0) != 0x80) return -1;
    c = c << 6 | (p[k] & 63);
  }
  if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return -1;
  *i += length;
  return c;
}

int tl_spell(char *out, const char *bytes, int n) {
  char *o = out;
  for (int i = 0; i < n; i++) {
    switch (bytes[i]) {
    case '-':
      *o++ = (char)0xC2;
      *o++ = (char)0xAF;
      break;
    case 'I':
      *o++ = (char)0xE2;
      *o++ = (char)0x88;
      *o++ = (char)0x9E;
      break;
    default:
      *o++ = bytes[i];
    }
  }
  return (int)(o - out);
}
