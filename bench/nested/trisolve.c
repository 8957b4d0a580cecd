/* Twin of trisolve.apl. Arguments: n. Every entry is used once: rows are made as they are used. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    double *x = array_of((size_t)n, sizeof *x);
    double most = -INFINITY, least = INFINITY, sum = 0;
    for (int64_t r = 1; r <= n; r++) {
        /* Entries of a row repeat after seven: seven sums of x, then seven products. */
        double part[7][8] = {{0}}, dot = 0;
        int64_t c = 0;
        for (; c + 56 <= r - 1; c += 56)
            for (int k = 0; k < 7; k++)
                for (int l = 0; l < 8; l++) part[k][l] += x[c + 8 * k + l];
        for (int k = 0; k < 7; k++)
            for (int l = 0; l < 8; l++) dot += (double)((8 * k + l + 1) * r % 7) * part[k][l];
        for (; c < r - 1; c++) dot += (double)((c + 1) * r % 7) * x[c];
        double b = (1 + (double)(r % 13)) / 13;
        x[r - 1] = (b - dot / (8 * (double)n)) / (1 + (double)r / (double)n);
        sum += x[r - 1];
        most = x[r - 1] > most ? x[r - 1] : most;
        least = x[r - 1] < least ? x[r - 1] : least;
    }
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * most), floor(0.5 + 1e6 * least), floor(0.5 + 1e6 * x[n - 1]));
    return 0;
}
