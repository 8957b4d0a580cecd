/* Twin of nw.apl. Arguments: p, b. The matrix in 32 bits; each block row by row, with the scores
 * of a letter and all of the other text side by side; threads share an antidiagonal's blocks. */
#include "../c/apl_out.h"

enum { GAP = 10, LETTERS = 20 };

static int32_t w, b, *m;
static int8_t *profile; /* of each letter of s, along t */
static uint8_t *s;

static void block(int32_t r, int32_t c) {
    int32_t above[b];
    for (int32_t i = 0; i < b; i++) {
        const int32_t *up = m + (size_t)(r + i) * (size_t)w + c;
        const int8_t *match = profile + s[r + i] * (w - 1) + c;
        int32_t *row = m + (size_t)(r + i + 1) * (size_t)w + c;
        for (int32_t j = 0; j < b; j++) {
            int32_t x = up[j] + match[j], y = up[j + 1] - GAP;
            above[j] = (x > y ? x : y) + GAP * (j + 1);
        }
        int32_t most = row[0];
        for (int32_t j = 0; j < b; j++) {
            most = above[j] > most ? above[j] : most;
            row[j + 1] = most - GAP * (j + 1);
        }
    }
}

int main(int argc, char **argv) {
    int32_t p = (int32_t)size_arg(argc, argv, 1, 6), n;
    b = (int32_t)size_arg(argc, argv, 2, 8);
    double start = now_ms();
    n = p * b, w = n + 1;
    m = array_of((size_t)w * (size_t)w, sizeof *m);
    s = array_of((size_t)n, 1);
    profile = array_of((size_t)LETTERS * (size_t)n, 1);
    for (int64_t i = 0; i < n; i++) s[i] = (uint8_t)(17 * i / 10 % LETTERS);
    for (int64_t j = 0; j < n; j++) {
        int t = (int)(j * j / 97 % LETTERS);
        for (int a = 0; a < LETTERS; a++) profile[a * n + j] = (int8_t)(-4 + (a * a + t * t) % 13 + 8 * (a == t));
    }
    for (int32_t i = 0; i < w; i++) m[i] = m[(size_t)i * (size_t)w] = -GAP * i;
    for (int32_t d = 0; d < 2 * p - 1; d++) {
        int32_t from = d < p ? 0 : d - p + 1, to = d < p ? d + 1 : p;
#pragma omp parallel for
        for (int32_t k = from; k < to; k++) block(k * b, (d - k) * b);
    }
    int32_t low = m[(size_t)n * (size_t)w], right = m[n];
    int64_t sum = 0;
    for (int32_t i = 0; i < w; i++) {
        int32_t x = m[(size_t)n * (size_t)w + i], y = m[(size_t)i * (size_t)w + n];
        low = x > low ? x : low;
        right = y > right ? y : right;
    }
    for (size_t i = 0; i < (size_t)w * (size_t)w; i++) sum += m[i];
    report_ms(start);
    apl_print(m[(size_t)w * (size_t)w - 1], low, right, (double)sum);
    return 0;
}
