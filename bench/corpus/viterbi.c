/* Twin of viterbi.apl. Arguments: n. The scores of 16 states in vector registers, columns of the transitions. */
#include "../c/apl_out.h"

enum { S = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    static double trans[S][S] __attribute__((aligned(64))), emit[8][S] __attribute__((aligned(64)));
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            int k = i * S + j + 1;
            trans[j][i] = -((k * k % 31) / 7.0); /* from j to i */
        }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < 8; j++) {
            int k = i * 8 + j + 1;
            emit[j][i] = -((k * k % 29) / 5.0);
        }
    double v[S] __attribute__((aligned(64))) = {0};
    for (uint32_t t = 1; t <= n; t++) {
        const double *e = emit[t / (3 + t % 5) % 8];
        v4 m[S / 4];
        for (int l = 0; l < S / 4; l++) m[l] = *(v4 *)&trans[0][4 * l] + v[0];
#pragma GCC unroll 15
        for (int j = 1; j < S; j++)
            for (int l = 0; l < S / 4; l++) m[l] = v4_max(m[l], *(v4 *)&trans[j][4 * l] + v[j]);
        for (int l = 0; l < S / 4; l++) *(v4 *)&v[4 * l] = *(v4 *)&e[4 * l] + m[l];
    }
    int best = 0;
    double least = v[0];
    for (int i = 1; i < S; i++) {
        if (v[i] > v[best]) best = i;
        least = v[i] < least ? v[i] : least;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e3 * v[best]), apl_round(0, 1e3 * least));
    apl_scalar(best + 1);
    return 0;
}
