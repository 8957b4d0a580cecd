/* Reads cases from standard input: operation, name of the file, element code,
 * rank, name of a file for the results, name of a file with the array that
 * write operations take, each ended by a NUL. Each case runs in
 * a process of its own, whose standard output and error go to the results file
 * and to one named alike with .err; its exit status is printed in a line. */
#include "../../ctest/driver.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const tl_site site = {"p.apl:1:1: ", "    1 | x\n"};

/* The characters of a text in UTF-8, by way of a command-line argument. */
static void chars_of(char *text, tl_array *a) {
  char *arguments[] = {text, text};
  tl_init(2, arguments);
  tl_arg_text(1, a);
}

static void give(tl_array *a) {
  tl_view v = tl_view_of(a);
  driver_write(&v);
  tl_drop(a);
}

static void give_number(int elem, const void *x) {
  tl_view v = {elem, 0, NULL, x};
  driver_write(&v);
}

static void run(const char *op, const tl_view *name, int elem, int rank) {
  tl_array a;
  if (strcmp(op, "text") == 0) {
    tl_read_text(&site, name, &a);
    give(&a);
  } else if (strcmp(op, "csv") == 0) {
    tl_read_csv(&site, name, elem, &a);
    give(&a);
  } else if (strcmp(op, "npy") == 0) {
    tl_read_npy(&site, name, elem, rank, &a);
    give(&a);
  } else if (strcmp(op, "number") == 0) {
    double d = tl_parse_number(&site, name);
    give_number(TL_F64, &d);
  } else {
    if (!driver_read(&a)) exit(2);
    tl_view v = tl_view_of(&a);
    int64_t n = strcmp(op, "writenpy") == 0 ? tl_write_npy(&site, &v, name) : tl_write_text(&site, &v, name, 1);
    give_number(TL_I64, &n);
    tl_drop(&a);
  }
}

static void redirect(int fd, const char *name, const char *suffix, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", name, suffix);
  int to = open(path, flags, 0666);
  if (to >= 0) dup2(to, fd);
}

static int run_case(char **fields) {
  tl_array name;
  redirect(STDOUT_FILENO, fields[4], "", O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, fields[4], ".err", O_WRONLY | O_CREAT | O_TRUNC);
  if (strncmp(fields[0], "write", 5) == 0 && freopen(fields[5], "rb", stdin) == NULL) return 2;
  chars_of(fields[1], &name);
  tl_view v = tl_view_of(&name);
  run(fields[0], &v, atoi(fields[2]), atoi(fields[3]));
  tl_drop(&name);
  return tl_finish();
}

/* Reads one case; 0 at the end. */
static int read_case(char *fields[6]) {
  for (int i = 0; i < 6; i++) {
    size_t size = 0;
    fields[i] = NULL;
    if (getdelim(&fields[i], &size, 0, stdin) < 0) {
      free(fields[i]);
      return 0;
    }
  }
  return 1;
}

int main(void) {
  char *fields[6];
  while (read_case(fields)) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(run_case(fields));
    waitpid(child, &status, 0);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    for (int i = 0; i < 6; i++) free(fields[i]);
  }
  return 0;
}
