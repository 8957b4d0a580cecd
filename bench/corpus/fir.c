/* Twin of fir.apl. Arguments: n. Blocks of the signal in the first cache, taps in registers. */
#include "../c/apl_out.h"

enum { T = 16, B = 1024 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    double taps[T], all = 0, most = -INFINITY, least = INFINITY, sum = 0;
    for (int k = 0; k < T; k++) {
        double d = ((k + 1) - 8.5) / 10;
        taps[k] = 1 - d * d;
        all += taps[k];
    }
    for (int k = 0; k < T; k++) taps[k] /= all;
    int64_t m = n - T + 1, before = 0, after = 0;
    double x[B + T + 1], y[B + 1];
    for (int64_t b = 0; b < n; b += B) {
        uint32_t square = (uint32_t)((uint64_t)b * (uint64_t)b % 65521), step = (uint32_t)((2 * b + 1) % 65521);
        for (int k = 0; k < B + T + 1; k++) {
            square += step; /* the next square, modulo 65521 */
            if (square >= 65521) square -= 65521;
            if ((step += 2) >= 65521) step -= 65521;
            x[k] = (int32_t)(square / 3 % 1000) - 500;
        }
        for (int k = 0; k < B && b + k + 1 < n; k++) before += ((x[k] > 0) - (x[k] < 0)) != ((x[k + 1] > 0) - (x[k + 1] < 0));
        for (int k = 0; k <= B; k++) y[k] = taps[0] * x[k + T - 1];
        for (int t = 1; t < T; t++)
            for (int k = 0; k <= B; k++) y[k] += taps[t] * x[k + T - 1 - t];
        for (int k = 0; k < B && b + k < m; k++) {
            sum += y[k];
            most = y[k] > most ? y[k] : most;
            least = y[k] < least ? y[k] : least;
            if (b + k + 1 < m) after += ((y[k] > 0) - (y[k] < 0)) != ((y[k + 1] > 0) - (y[k + 1] < 0));
        }
    }
    report_ms(start);
    apl_print((double)before, (double)after);
    apl_print(apl_round(0, 1e3 * most), apl_round(0, 1e3 * least), apl_round(0, 1e3 * (sum / (double)m)));
    return 0;
}
