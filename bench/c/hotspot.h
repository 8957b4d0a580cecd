/* HotSpot: one fused stencil with the constant part of the equation folded into one
 * array, and a halo column on both sides in place of tests. Up to SKEW steps go through
 * the grid together, each one row behind the step before it, so that rows stay in the
 * second-level cache. Each thread owns some rows and recomputes SKEW rows of its
 * neighbours', which they exchange after SKEW steps. */
#ifndef HOTSPOT_H
#define HOTSPOT_H
#include "apl_out.h"
#ifdef _OPENMP
#include <omp.h>
#endif

enum { SKEW = 8 };

static int n, stride;
static double c0, cx, cy;

static inline void step_row(const double *restrict up, const double *restrict here,
                            const double *restrict down, const double *restrict q,
                            double *restrict out) {
    for (int j = 0; j < n; j++)
        out[j] = c0 * here[j] + cy * (up[j] + down[j]) + cx * (here[j - 1] + here[j + 1]) + q[j];
    out[-1] = out[0];
    out[n] = out[n - 1];
}

/* Some steps over rows 0 … rows-1, from a into b and back; after an odd
 * number of steps the result is in b. */
static void sweep(double *a, double *b, const double *q, int rows, int steps) {
    for (int front = 0; front < rows + steps - 1; front++)
        for (int s = 0; s < steps; s++) {
            int i = front - s;
            if (i < 0 || i >= rows) continue;
            size_t at = (size_t)i * (size_t)stride;
            const double *here = (s & 1 ? b : a) + at;
            step_row(i ? here - stride : here, here, i < rows - 1 ? here + stride : here, q + at,
                     (s & 1 ? a : b) + at);
        }
}

/* Row i of the grid as it starts, with its halo, and the constant terms. */
static void make_row(int i, double *t, double *q, double scale, double ambient_flow) {
    uint32_t first = (uint32_t)i * (uint32_t)n;
    for (int j = 0; j < n; j++) {
        uint32_t k = first + (uint32_t)j + 1, r = k % 1009;
        t[j] = 323 + 20 * ((int32_t)(r * r % 1009) / 1009.0);
        q[j] = scale * (0.001 * ((int32_t)(7 * k % 997) / 997.0) + ambient_flow);
    }
    t[-1] = t[0];
    t[n] = t[n - 1];
}

struct part {
    double sum, most, least;
    double first[5], last[5]; /* of the whole grid: its first and last rows begin with them */
};

static struct part summary(const double *t, int rows) {
    struct part p = {.most = t[0], .least = t[0]};
    for (int i = 0; i < rows; i++) {
        const double *row = t + (size_t)i * (size_t)stride;
        v4 s = {0};
        int j = 0;
        for (; j + 4 <= n; j += 4) s += *(const v4u *)(row + j);
        p.sum += s[0] + s[1] + s[2] + s[3];
        for (; j < n; j++) p.sum += row[j];
        for (j = 0; j < n; j++) {
            p.most = row[j] > p.most ? row[j] : p.most;
            p.least = row[j] < p.least ? row[j] : p.least;
        }
    }
    return p;
}

/* The grid of n by n after some steps; scale is step over capacity, and ambient_flow what
 * flows in from outside. */
static struct part hotspot(int steps, double scale, double rx, double ry, double rz, double ambient) {
    struct part whole = {0};
    double ambient_flow = ambient / rz;
    int parts = 1;
    cx = scale / rx, cy = scale / ry, c0 = 1 - 2 * cx - 2 * cy - scale / rz;
    stride = (n + 16 + 7) / 8 * 8 + 8;
#ifdef _OPENMP
    parts = omp_get_max_threads();
    if (parts > (n + SKEW - 1) / SKEW) parts = (n + SKEW - 1) / SKEW;
#endif
    int skew = n / parts < SKEW ? n / parts : SKEW;
    size_t edge = (size_t)SKEW * (size_t)stride;
    /* For odd and even sweeps: each part's first and last rows. */
    double *edges = array_of(4 * (size_t)parts * edge, sizeof *edges);
    double sum = 0, most = -INFINITY, least = INFINITY;
#pragma omp parallel num_threads(parts) reduction(+ : sum) reduction(max : most) \
    reduction(min : least)
    {
        int me = 0;
#ifdef _OPENMP
        me = omp_get_thread_num();
#endif
        int from = n * me / parts, to = n * (me + 1) / parts;
        int above = me ? skew : 0, below = me + 1 < parts ? skew : 0;
        int rows = above + to - from + below;
        size_t size = (size_t)rows * (size_t)stride + 16, bytes = (size_t)skew * (size_t)stride * 8;
        double *space = array_of(3 * size, sizeof *space);
        double *a = space + 8, *b = a + size, *q = b + size;
        for (int i = 0; i < rows; i++)
            make_row(from - above + i, a + (size_t)i * stride, q + (size_t)i * stride, scale, ambient_flow);
        for (int done = 0, odd = 0; done < steps; odd ^= 1) {
            int now = steps - done < skew ? steps - done : skew;
            sweep(a, b, q, rows, now);
            done += now;
            if (now & 1) {
                double *t = a;
                a = b, b = t;
            }
            if (parts == 1 || done == steps) continue;
            double *mine = edges + (size_t)(odd * parts + me) * 2 * edge;
            memcpy(mine, a - 8 + (size_t)above * stride, bytes);
            memcpy(mine + edge, a - 8 + (size_t)(rows - below - skew) * stride, bytes);
#pragma omp barrier
            if (above) memcpy(a - 8, mine - edge, bytes);
            if (below) memcpy(a - 8 + (size_t)(rows - below) * stride, mine + 2 * edge, bytes);
        }
        struct part p = summary(a + (size_t)above * stride, to - from);
        sum += p.sum;
        most = p.most > most ? p.most : most;
        least = p.least < least ? p.least : least;
        for (int k = 0; k < 5; k++) {
            if (me == 0) whole.first[k] = a[k];
            if (me == parts - 1) whole.last[k] = a[(size_t)(rows - 1) * stride + k];
        }
    }
    whole.sum = sum, whole.most = most, whole.least = least;
    return whole;
}
#endif
