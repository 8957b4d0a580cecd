/* Twin of checksums.apl. Arguments: n. Of a run of letters the second sum is one of products with their places. */
#include "../c/apl_out.h"

enum { W = 4000, P = 65521, RUN = 2000 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20);
    double start = now_ms();
    static const char text[] = "the quick brown fox jumps over the lazy dog ";
    int64_t t = (int64_t)sizeof text - 1, size = n * W;
    uint8_t *page = array_of((size_t)size, 1);
    for (int64_t i = 0, k = 0; i < size; i++) {
        page[i] = (uint8_t)text[k];
        if (++k == t) k = 0;
    }
    int64_t as = 0, bs = 0;
    uint32_t am = 0, bm = 0;
    uint8_t *seen = calloc(P, 1);
    int64_t kinds = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *row = page + i * W;
        uint32_t a = 1, b = 0;
        for (uint32_t from = 0; from < W; from += RUN) {
            uint32_t all = 0, weighted = 0;
            for (uint32_t j = 0; j < RUN; j++) all += row[from + j], weighted += (RUN - j) * row[from + j];
            b = (b + RUN * a + weighted) % P;
            a = (a + all) % P;
        }
        as += a, bs += b;
        am = a > am ? a : am;
        bm = b > bm ? b : bm;
        kinds += !seen[a];
        seen[a] = 1;
    }
    report_ms(start);
    apl_print((double)as, (double)bs, (double)am, (double)bm, (double)kinds);
    return 0;
}
