/* Twin of emgauss.apl. Arguments: n points. One pass a step: moments about the old means, from
 * which those about the new ones follow. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms(), *x = array_of(n, sizeof *x);
    for (int64_t i = 1; i <= n; i++) {
        double u = (double)(i * i % 1000003) / 1000003, w = (double)(7919 * (i * i) % 1000003) / 1000003;
        x[i - 1] = 5.0 * (i % 3) + sqrt(-2 * log(u + 1e-6)) * cos(w * 2 * M_PI);
    }
    double pi[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0}, mu[3] = {1, 4, 9}, sd[3] = {1, 1, 1}, k[3], c[3], likely = 0;
    for (int step = 0; step <= 20; step++) {
        for (int j = 0; j < 3; j++) k[j] = pi[j] / (sd[j] * sqrt(2 * M_PI)), c[j] = -0.5 / (sd[j] * sd[j]);
        if (step == 20) break;
        double n0 = 0, n1 = 0, n2 = 0, a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0;
#pragma omp simd reduction(+ : n0, n1, n2, a0, a1, a2, b0, b1, b2)
        for (int64_t i = 0; i < n; i++) {
            double d0 = x[i] - mu[0], d1 = x[i] - mu[1], d2 = x[i] - mu[2];
            double p0 = k[0] * exp(c[0] * d0 * d0), p1 = k[1] * exp(c[1] * d1 * d1), p2 = k[2] * exp(c[2] * d2 * d2);
            double s = 1 / (p0 + p1 + p2);
            p0 *= s, p1 *= s, p2 *= s;
            n0 += p0, n1 += p1, n2 += p2;
            a0 += p0 * d0, a1 += p1 * d1, a2 += p2 * d2;
            b0 += p0 * d0 * d0, b1 += p1 * d1 * d1, b2 += p2 * d2 * d2;
        }
        double count[3] = {n0, n1, n2}, a[3] = {a0, a1, a2}, b[3] = {b0, b1, b2};
        for (int j = 0; j < 3; j++) {
            double q = a[j] / count[j];
            pi[j] = count[j] / n;
            mu[j] += q;
            sd[j] = sqrt(b[j] / count[j] - q * q);
        }
    }
#pragma omp simd reduction(+ : likely)
    for (int64_t i = 0; i < n; i++) {
        double d0 = x[i] - mu[0], d1 = x[i] - mu[1], d2 = x[i] - mu[2];
        likely += log(k[0] * exp(c[0] * d0 * d0) + k[1] * exp(c[1] * d1 * d1) + k[2] * exp(c[2] * d2 * d2));
    }
    report_ms(start);
    double out[10];
    for (int j = 0; j < 3; j++) out[j] = pi[j], out[3 + j] = mu[j], out[6 + j] = sd[j];
    out[9] = likely / n;
    for (int j = 0; j < 10; j++) out[j] = floor(0.5 + 1e4 * out[j]);
    apl_vector(out, 10);
    return 0;
}
