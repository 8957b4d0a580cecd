/* Twin of topgroup.apl. Arguments: n. Two numbers for each shop. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 80);
    double start = now_ms();
    static int32_t first[998], second[998];
    for (int k = 0; k < 998; k++) first[k] = second[k] = -1;
    uint32_t x = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint32_t s = 1 + (uint32_t)((uint64_t)i * (uint64_t)i % 65521) / 7 % 997;
        x += 7919;
        if (x >= 99991) x -= 99991;
        int32_t v = (int32_t)x;
        if (v > first[s]) second[s] = first[s], first[s] = v;
        else if (v > second[s]) second[s] = v;
    }
    double sum = 0, most = -INFINITY, least = INFINITY;
    int64_t shops = 0;
    for (int k = 0; k < 998; k++) {
        if (first[k] < 0) continue;
        double b = first[k] / 100.0 + (second[k] < 0 ? 0 : second[k] / 100.0);
        shops++;
        sum += b, most = b > most ? b : most, least = b < least ? b : least;
    }
    report_ms(start);
    apl_print(apl_round(0, 100 * sum), apl_round(0, 100 * most), apl_round(0, 100 * least));
    apl_scalar((double)shops);
    return 0;
}
