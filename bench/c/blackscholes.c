/* Twin of testdata/programs/blackscholes.apl. Arguments: n.
 * Timed: the whole computation, with the options made in blocks that stay
 * in the first-level cache; exp and log are libmvec's. */
#include "apl_out.h"

enum { BLOCK = 512 };

/* Upper tails of the distribution at |x|, and the distribution itself. */
static void normal(const double *restrict x, double *restrict out) {
    double density[BLOCK];
    for (int k = 0; k < BLOCK; k++) density[k] = exp(-0.5 * (x[k] * x[k]));
    for (int i = 0; i < BLOCK; i++) {
        double k = 1 / (1 + 0.2316419 * fabs(x[i]));
        double p = k * (0.31938153 +
                        k * (-0.356563782 +
                             k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        double tail = p * (0.3989422804014327 * density[i]);
        out[i] = x[i] >= 0 ? 1 - tail : tail;
    }
}

/* Prices a block of options, from+1 … from+BLOCK. The normal distribution at
 * -d is one minus that at d. */
static void price(int32_t from, double *restrict call, double *restrict put) {
    const double rate = 0.02, vol = 0.3;
    double spot[BLOCK], strike[BLOCK], time[BLOCK], ratio[BLOCK], paid[BLOCK];
    double d1[BLOCK], d2[BLOCK], n1[BLOCK], n2[BLOCK];
    for (int k = 0; k < BLOCK; k++) {
        uint32_t i = (uint32_t)(from + k + 1);
        spot[k] = 5 + 25.0 / 1009 * (int32_t)(i % 1009);
        strike[k] = 1 + 99.0 / 997 * (int32_t)(i % 997);
        time[k] = 0.25 + 9.75 / 499 * (int32_t)(i % 499);
    }
    for (int k = 0; k < BLOCK; k++) ratio[k] = log(spot[k] / strike[k]);
    for (int k = 0; k < BLOCK; k++) paid[k] = exp(-rate * time[k]);
    for (int k = 0; k < BLOCK; k++) {
        double sd = vol * sqrt(time[k]);
        d1[k] = (ratio[k] + time[k] * (rate + 0.5 * vol * vol)) / sd;
        d2[k] = d1[k] - sd;
        paid[k] *= strike[k];
    }
    normal(d1, n1);
    normal(d2, n2);
    for (int k = 0; k < BLOCK; k++) {
        call[k] = spot[k] * n1[k] - paid[k] * n2[k];
        put[k] = paid[k] * (1 - n2[k]) - spot[k] * (1 - n1[k]);
    }
}

/* Adds v[0 … count-1] to *sum and lifts *most to their maximum. */
static void summary(const double *v, int count, double *sum, double *most) {
    v4 s = {0}, m = {v[0], v[0], v[0], v[0]};
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        v4 x = *(const v4u *)(v + k);
        s += x;
        for (int l = 0; l < 4; l++) m[l] = x[l] > m[l] ? x[l] : m[l];
    }
    for (; k < count; k++) {
        s[0] += v[k];
        m[0] = v[k] > m[0] ? v[k] : m[0];
    }
    for (int l = 0; l < 4; l++) {
        *sum += s[l];
        *most = m[l] > *most ? m[l] : *most;
    }
}

int main(int argc, char **argv) {
    int32_t n = (int32_t)size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    double calls = 0, puts = 0, best_call = -INFINITY, best_put = -INFINITY;
#pragma omp parallel for schedule(static) reduction(+ : calls, puts) \
    reduction(max : best_call, best_put)
    for (int32_t b = 0; b < n; b += BLOCK) {
        double call[BLOCK], put[BLOCK];
        int count = n - b < BLOCK ? n - b : BLOCK;
        price(b, call, put);
        summary(call, count, &calls, &best_call);
        summary(put, count, &puts, &best_put);
    }
    double call[BLOCK], put[BLOCK];
    price(0, call, put);
    report_ms(start);
    apl_print(apl_round(6, calls / n), apl_round(6, puts / n), apl_round(6, best_call),
              apl_round(6, best_put));
    for (int k = 0; k < 5; k++) call[k] = apl_round(6, call[k]), put[k] = apl_round(6, put[k]);
    apl_vector(call, 5);
    apl_vector(put, 5);
    return 0;
}
