/* Twin of nn.apl. Arguments: n, k. A pass over the distances finds a least one and where it is:
 * those of blocks first, of which only the one with the last minimum changes. */
#include "../c/apl_out.h"

enum { BLOCK = 1024 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100), k = size_arg(argc, argv, 2, 10), blocks = (n + BLOCK - 1) / BLOCK;
    double start = now_ms();
    double *d = array_of((size_t)n, sizeof *d);
    double *least = array_of((size_t)blocks, sizeof *least);
#pragma omp parallel for
    for (int64_t b = 0; b < blocks; b++) {
        least[b] = INFINITY;
        for (int64_t i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++) {
            uint64_t j = (uint64_t)i + 1;
            double lat = -90 + 180 * ((int32_t)(j * j % 10007) / 10007.0) - 30;
            double lng = -180 + 360 * ((int32_t)(7 * j % 10009) / 10009.0) - 90;
            d[i] = lat * lat + lng * lng;
            least[b] = d[i] < least[b] ? d[i] : least[b];
        }
    }
    double roots = 0, last = 0;
    int64_t sum = 0, first = 0, at = 0;
    for (int64_t j = 0; j < k; j++) {
        int64_t b = 0;
        for (int64_t c = 1; c < blocks; c++) b = least[c] < least[b] ? c : b;
        int64_t from = b * BLOCK, to = from + BLOCK < n ? from + BLOCK : n;
        at = from;
        while (d[at] != least[b]) at++;
        last = sqrt(d[at]);
        roots += last;
        d[at] = 1e300;
        least[b] = 1e300;
        for (int64_t i = from; i < to; i++) least[b] = d[i] < least[b] ? d[i] : least[b];
        sum += at + 1;
        if (j == 0) first = at + 1;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * roots), apl_round(0, 1e6 * last));
    apl_print((double)sum, (double)first, (double)(at + 1));
    return 0;
}
