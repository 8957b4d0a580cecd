/* Twin of opening.apl. Arguments: n. Bytes; a row by windows of 2, 4 and 7, then columns, a row of them at a time. */
#include "../c/apl_out.h"

static int64_t n;
static uint8_t *tmp;

static inline uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
static inline uint8_t greatest(uint8_t a, uint8_t b) { return a > b ? a : b; }

#define WINDOWS(name, f)                                                               \
    static void name(const uint8_t *restrict in, uint8_t *restrict out) {              \
        uint8_t *w = malloc((size_t)(3 * (n + 6))), *p = w + n + 6, *q = p + n + 6;    \
        for (int64_t y = 0; y < n; y++) {                                              \
            memcpy(w + 3, in + y * n, (size_t)n);                                      \
            memset(w, in[y * n], 3);                                                   \
            memset(w + n + 3, in[y * n + n - 1], 3);                                   \
            for (int64_t x = 0; x < n + 5; x++) p[x] = f(w[x], w[x + 1]);              \
            for (int64_t x = 0; x < n + 3; x++) q[x] = f(p[x], p[x + 2]);              \
            for (int64_t x = 0; x < n; x++) tmp[(y + 3) * n + x] = f(q[x], q[x + 3]);  \
        }                                                                              \
        for (int k = 0; k < 3; k++) {                                                  \
            memcpy(tmp + k * n, tmp + 3 * n, (size_t)n);                               \
            memcpy(tmp + (n + 3 + k) * n, tmp + (n + 2) * n, (size_t)n);               \
        }                                                                              \
        for (int64_t y = 0; y < n; y++)                                                \
            for (int64_t x = 0; x < n; x++) {                                          \
                uint8_t v = tmp[y * n + x];                                            \
                for (int k = 1; k < 7; k++) v = f(v, tmp[(y + k) * n + x]);            \
                out[y * n + x] = v;                                                    \
            }                                                                          \
        free(w);                                                                       \
    }
WINDOWS(erode, least)
WINDOWS(dilate, greatest)

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 20);
    double start = now_ms();
    size_t all = (size_t)(n * n);
    uint8_t *img = array_of(all, 1), *a = array_of(all, 1), *b = array_of(all, 1), *c = array_of(all, 1);
    tmp = array_of((size_t)((n + 6) * n), 1);
    for (uint64_t i = 0; i < all; i++) img[i] = (uint8_t)((i + 1) * (i + 1) % 1009 / 3);
    erode(img, a), dilate(a, b);
    dilate(img, a), erode(a, c);
    int64_t opened = 0, closed = 0, equal = 0;
    int most = -256;
    for (size_t i = 0; i < all; i++) {
        opened += b[i];
        closed += c[i];
        equal += b[i] == c[i];
        most = c[i] - b[i] > most ? c[i] - b[i] : most;
    }
    report_ms(start);
    apl_print((double)opened, (double)closed, most, (double)equal);
    return 0;
}
