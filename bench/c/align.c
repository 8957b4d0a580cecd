/* Twin of testdata/programs/align.apl. Arguments: n, at most 30,000.
 * Timed: making the sequences and the scores. The table is cut into tiles
 * that follow each other along anti-diagonals, so that threads share them;
 * inside a tile, anti-diagonals of 16-bit scores are the vectors. Only the
 * edges of tiles are kept. */
#include "apl_out.h"

enum { TILE = 512 };

typedef int16_t score;

/* Scores a tile of rows×cols cells. corner, top[1…cols] and left[1…rows]
 * border it; top and left become its last row and its last column. The cell
 * (i,j) compares a[i] with rb[-j]. Returns the tile's last cell. */
static score tile(int rows, int cols, const score *a, const score *rb, score corner, score *top,
                  score *left) {
    score space[3][TILE + 64], bottom[TILE + 1];
    score *x = space[0] + 16, *y = space[1] + 16, *z = space[2] + 16;
    x[0] = corner;
    y[0] = top[1], y[1] = left[1];
    for (int k = 2; k <= rows + cols; k++) {
        int lo = k > cols ? k - cols : 1, hi = k <= rows ? k - 1 : rows;
        const score *b = rb - k;
        for (int i = lo; i <= hi; i++) {
            score diagonal = (score)(x[i - 1] + (a[i] == b[i] ? 1 : -1));
            score gap = (score)((y[i - 1] > y[i] ? y[i - 1] : y[i]) - 1);
            z[i] = diagonal > gap ? diagonal : gap;
        }
        if (k <= cols) z[0] = top[k];
        if (k <= rows) z[k] = left[k];
        if (k > rows) bottom[k - rows] = z[rows];
        if (k > cols) left[k - cols] = z[k - cols];
        score *t = x;
        x = y, y = z, z = t;
    }
    memcpy(top + 1, bottom + 1, (size_t)cols * sizeof *top);
    return top[cols];
}

static int align(int n, const uint8_t *s, const uint8_t *t) {
    size_t size = (size_t)n + 64;
    score *a = array_of(size, sizeof *a), *rb = array_of(size, sizeof *rb);
    score *top = array_of(size, sizeof *top), *left = array_of(size, sizeof *left);
    int tiles = (n + TILE - 1) / TILE;
    /* The last cell of the tile scored last on each main diagonal of tiles. */
    score *corner = array_of(2 * (size_t)tiles, sizeof *corner);
    for (int i = 1; i <= n; i++) {
        a[i] = s[i - 1], rb[i] = t[n - i];
        top[i] = left[i] = (score)-i;
    }
#pragma omp parallel
    for (int d = 0; d < 2 * tiles - 1; d++) {
        int from = d < tiles ? 0 : d - tiles + 1, to = d < tiles ? d : tiles - 1;
#pragma omp for schedule(static, 1)
        for (int p = from; p <= to; p++) {
            int i0 = p * TILE, j0 = (d - p) * TILE;
            int rows = n - i0 < TILE ? n - i0 : TILE, cols = n - j0 < TILE ? n - j0 : TILE;
            score *c = &corner[2 * p - d + tiles - 1];
            if (i0 == 0) *c = (score)-j0;
            if (j0 == 0) *c = (score)-i0;
            *c = tile(rows, cols, a + i0, rb + n + 1 - j0, *c, top + j0, left + i0);
        }
    }
    int result = top[n];
    free(a), free(rb), free(top), free(left), free(corner);
    return result;
}

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 200);
    if (n < 50 || n > 30000) {
        fprintf(stderr, "align: n must be from 50 to 30000\n");
        return 1;
    }
    double start = now_ms();
    uint8_t *a = array_of((size_t)n, 1), *b = array_of((size_t)n, 1);
    for (uint32_t i = 1; i <= (uint32_t)n; i++) {
        uint32_t r = i % 1009, s = i % 997;
        a[i - 1] = (uint8_t)(r * r % 1009 / 7 % 4);
        b[i - 1] = (uint8_t)(s * (3 + s) % 997 / 5 % 4);
    }
    int whole = align(n, a, b), part = align(50, a, b), same = align(20, b, b);
    report_ms(start);
    apl_scalar(whole);
    apl_scalar(part);
    apl_scalar(same);
    return 0;
}
