/* The matrix product of testdata/programs/matmul.apl by a BLAS library: n×n
 * doubles. Argument: n. Timed: the product alone, the best of five. */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    size_t count = (size_t)n * (size_t)n;
    double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), *c = malloc(count * sizeof *c), best = 1e300;
    if (!a || !b || !c) return 1;
    for (size_t i = 1; i <= count; i++) {
        a[i - 1] = ((double)(i % 17) - 8) / 8;
        b[i - 1] = ((double)(7 * i % 13) - 6) / 4;
    }
    for (int run = 0; run < 5; run++) {
        double start = now_ms();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
        double took = now_ms() - start;
        if (took < best) best = took;
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += c[i];
    printf("%.10g\n", sum);
    fprintf(stderr, "time_ms: %.6f\n", best);
    return 0;
}
