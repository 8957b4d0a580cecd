/* Twin of testdata/programs/pricer.apl. Arguments: n.
 * Timed: the whole computation. Blocks of 64 paths stay in the first-level
 * cache with the paths as the vector axis: Sobol numbers from one xor with a
 * table, normal deviates with the rare outer branch on a compressed list,
 * bridge, prices and payoff without branches. */
#include "apl_out.h"
#include "sobol.h"

enum { PATHS = 64, DATES = 5, UNDER = 3 };

static const double vols[UNDER] = {0.19, 0.19, 0.15};
static const double drifts[DATES][UNDER] = {
    {-0.0283491736871803, 0.0178771081725381, 0.0043096808044729},
    {-0.0183841413744211, -0.0044530897672834, 0.0024263805987983},
    {-0.0172686581005089, 0.0125638544546015, 0.0094452810918001},
    {-0.0144179417871814, 0.0157411263968213, 0.0125315353728014},
    {-0.0121497422218761, 0.0182904634062437, 0.0151125070556484}};
static const double corr[UNDER][UNDER] = {{1, 0, 0}, {0.6, 0.8, 0}, {0.8, 0.15, 0.5809475}};
static const double discount[DATES] = {0.9797862861805930, 0.9505748482484491, 0.9214621679912968,
                                       0.8906693055891434, 0.8588567633110704};
static const int filled[DATES] = {5, 2, 1, 3, 4}, left[DATES] = {0, 0, 0, 2, 3},
                 right[DATES] = {0, 5, 2, 5, 5};
static const double sd[DATES] = {2.2372928847280580, 1.0960951589853829, 0.7075902730592357,
                                 0.8166828043492210, 0.7075902730592357};
static const double lw[DATES] = {0, 0.5998905309250137, 0.4993160054719562, 0.6669708029197080,
                                 0.5006839945280438};
static const double rw[DATES] = {0, 0.4001094690749863, 0.5006839945280438, 0.3330291970802919,
                                 0.4993160054719562};

#define POLY7(x, a0, a1, a2, a3, a4, a5, a6, a7) \
    (a0 + x * (a1 + x * (a2 + x * (a3 + x * (a4 + x * (a5 + x * (a6 + x * a7)))))))

/* The three branches of Wichura's Algorithm AS 241. */
static inline double centre(double q) {
    double x = 0.180625 - q * q;
    return q *
           POLY7(x, 3.387132872796366608, 133.14166789178437745, 1971.5909503065514427,
                 13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                 33430.575583588128105, 2509.0809287301226727) /
           POLY7(x, 1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
                 21213.794301586595867, 39307.89580009271061, 28729.085735721942674,
                 5226.495278852854561);
}

static inline double middle(double r) {
    double x = r - 1.6;
    return POLY7(x, 1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055,
                 3.64784832476320460504, 1.27045825245236838258, 0.24178072517745061177,
                 0.0227238449892691845833, 7.7454501427834140764e-4) /
           POLY7(x, 1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
                 0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4,
                 1.05075007164441684324e-9);
}

static inline double far(double r) {
    double x = r - 5;
    return POLY7(x, 6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358,
                 0.29656057182850489123, 0.026532189526576123093, 0.0012426609473880784386,
                 2.71155556874348757815e-5, 2.01033439929228813265e-7) /
           POLY7(x, 1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
                 7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7,
                 2.04426310338993978564e-15);
}

typedef double block[PATHS];

/* Replaces the uniform numbers, shifted by a half, by normal deviates. */
static void gauss(double *restrict q, int count) {
    int32_t outer[SOBOL_DIMS * PATHS + 8];
    double tail[SOBOL_DIMS * PATHS + 8], root[SOBOL_DIMS * PATHS + 8];
    int found = 0;
    for (int k = 0; k < count; k++) {
        outer[found] = k;
        tail[found] = q[k];
        found += fabs(q[k]) > 0.425;
    }
    for (int k = 0; k < count; k++) q[k] = centre(q[k]);
    for (int k = 0; k < found; k++) root[k] = log(0.5 - fabs(tail[k]));
    double most = 0;
    for (int k = 0; k < found; k++) {
        root[k] = sqrt(-root[k]);
        tail[k] = copysign(middle(root[k]), tail[k]);
    }
    for (int k = 0; k < found; k++) most = root[k] > most ? root[k] : most;
    if (most > 5)
        for (int k = 0; k < found; k++)
            if (root[k] > 5) tail[k] = copysign(far(root[k]), tail[k]);
    for (int k = 0; k < found; k++) q[outer[k]] = tail[k];
}

/* The discounted payoffs of the paths base … base+63. */
static void payoffs(uint32_t base, uint32_t table[SOBOL_DIMS][PATHS], double *restrict out) {
    block z[DATES * UNDER], w[DATES + 1][UNDER], price[UNDER], worst;
    for (int d = 0; d < SOBOL_DIMS; d++) {
        uint32_t at = sobol_at(d, base);
        for (int p = 0; p < PATHS; p++)
            z[d][p] = (int32_t)(at ^ table[d][p]) * (1.0 / (1 << 30)) - 0.5;
    }
    if (base == 0)
        for (int d = 0; d < SOBOL_DIMS; d++) z[d][0] = 0;
    gauss(z[0], SOBOL_DIMS * PATHS);
    memset(w[0], 0, sizeof w[0]);
    for (int i = 0; i < DATES; i++)
        for (int u = 0; u < UNDER; u++) {
            double *to = w[filled[i]][u], *l = w[left[i]][u], *r = w[right[i]][u];
            double *zi = z[i * UNDER + u];
            if (i == 0)
                for (int p = 0; p < PATHS; p++) to[p] = sd[0] * zi[p];
            else
                for (int p = 0; p < PATHS; p++)
                    to[p] = sd[i] * zi[p] + lw[i] * l[p] + rw[i] * r[p];
        }
    double amount[PATHS], done[PATHS];
    for (int p = 0; p < PATHS; p++) price[0][p] = price[1][p] = price[2][p] = 1, done[p] = 0;
    for (int i = 0; i < DATES; i++) {
        for (int u = 0; u < UNDER; u++) {
            double growth[PATHS];
            for (int p = 0; p < PATHS; p++) {
                double sum = 0;
                for (int l = 0; l <= u; l++) sum += corr[u][l] * (w[i + 1][l][p] - w[i][l][p]);
                growth[p] = sum * vols[u] + drifts[i][u];
            }
            for (int p = 0; p < PATHS; p++) price[u][p] *= exp(growth[p]);
        }
        double pay = discount[i] * (1150 + 150 * i);
        for (int p = 0; p < PATHS; p++) {
            double m = price[0][p] < price[1][p] ? price[0][p] : price[1][p];
            m = m < price[2][p] ? m : price[2][p];
            worst[p] = m;
            amount[p] = done[p] != 0 ? amount[p] : pay;
            done[p] = ((m >= 1) | (done[p] != 0)) ? 1 : 0;
        }
    }
    for (int p = 0; p < PATHS; p++) {
        double last = discount[DATES - 1] * 1000 * (worst[p] > 0.75 ? 1 : worst[p]);
        out[p] = done[p] != 0 ? amount[p] : last;
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000);
    double start = now_ms(), sum = 0;
    static uint32_t table[SOBOL_DIMS][PATHS];
    for (int d = 0; d < SOBOL_DIMS; d++) sobol_table(d, PATHS, table[d]);
    /* Paths are numbered from 1. */
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t base = 0; base <= n; base += PATHS) {
        double pay[PATHS], part[8] = {0};
        payoffs((uint32_t)base, table, pay);
        for (int p = 0; p < PATHS; p++)
            if (base + p == 0 || base + p > n) pay[p] = 0;
        for (int p = 0; p < PATHS; p++) part[p & 7] += pay[p];
        for (int k = 0; k < 8; k++) sum += part[k];
    }
    double first[PATHS], five[5];
    payoffs(0, table, first);
    report_ms(start);
    apl_scalar(apl_round(6, sum / (double)n));
    for (int k = 0; k < 5; k++) five[k] = apl_round(5, first[k + 1]);
    apl_vector(five, 5);
    return 0;
}
