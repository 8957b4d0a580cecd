/* Twin of equalize.apl. Arguments: n. The image in bytes, four tables of counts. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40), m = n * n;
    double start = now_ms();
    uint8_t *img = array_of((size_t)m, 1);
    static uint32_t count[4][256];
    for (int64_t k = 0; k < m; k++) {
        uint32_t i = (uint32_t)(k + 1);
        img[k] = (uint8_t)(((i & 255) + (i * i & 255)) / 4);
    }
    for (int64_t k = 0; k < m; k++) count[k & 3][img[k]]++;
    uint32_t cdf[256], sum = 0, least = 0;
    for (int v = 0; v < 256; v++) {
        sum += count[0][v] + count[1][v] + count[2][v] + count[3][v];
        cdf[v] = sum;
        if (!least) least = sum;
    }
    int32_t table[256];
    for (int v = 0; v < 256; v++) table[v] = (int32_t)floor(0.5 + 255 * ((double)cdf[v] - least) / (double)(m - least));
    int32_t lo = INT32_MAX, hi = INT32_MIN;
    int64_t total = 0, same = 0;
    for (int v = 0; v < 256; v++) {
        int64_t c = (int64_t)count[0][v] + count[1][v] + count[2][v] + count[3][v];
        if (!c) continue;
        lo = table[v] < lo ? table[v] : lo;
        hi = table[v] > hi ? table[v] : hi;
        total += c * table[v];
        same += table[v] == v ? c : 0;
    }
    report_ms(start);
    apl_print(lo, hi, (double)total, (double)same);
    return 0;
}
