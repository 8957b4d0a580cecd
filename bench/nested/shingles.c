/* Twin of shingles.apl. Arguments: n. A set of numbers below 60 is a word; only two are kept. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    uint64_t before = 0, i = 0;
    double sum = 0, most = 0, least = INFINITY;
    int64_t total = 0, alike = 0;
    for (int64_t d = 1; d <= n; d++) {
        uint64_t set = 0;
        for (int64_t k = 20 + (int64_t)((uint32_t)((uint64_t)d * (uint64_t)d % 1000003) / 7 % 30); k > 0; k--) {
            i++;
            set |= (uint64_t)1 << ((uint32_t)(7919 * i * i % 2147483647) / 5 % 60);
        }
        total += __builtin_popcountll(set);
        if (d > 1) {
            double like = (double)__builtin_popcountll(before & set) / (double)__builtin_popcountll(before | set);
            sum += like;
            most = like > most ? like : most;
            least = like < least ? like : least;
            alike += like > 0.5;
        }
        before = set;
    }
    report_ms(start);
    apl_print(floor(0.5 + 1000 * sum), floor(0.5 + 1000 * most), floor(0.5 + 1000 * least));
    apl_print((double)total, (double)alike);
    return 0;
}
