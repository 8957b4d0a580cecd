/* Twin of shell.apl. Arguments: n. */
#include "../c/apl_out.h"
int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    int32_t *r = array_of((size_t)n, 4);
    for (int64_t i = 0; i < n; i++) r[i] = (int32_t)(7919 * (i + 1) * (i + 1) % 1000003);
    static const int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (int g = 0; g < 8; g++)
        for (int64_t gap = gaps[g], i = gap; i < n; i++) {
            int32_t x = r[i];
            int64_t j = i;
            for (; j >= gap && r[j - gap] > x; j -= gap) r[j] = r[j - gap];
            r[j] = x;
        }
    int ok = 1; double sum = 0;
    for (int64_t i = 1; i < n; i++) ok &= r[i - 1] <= r[i];
    for (int64_t i = 0; i < n; i += 2) sum += r[i];
    report_ms(start);
    apl_print((double)r[0], (double)r[n - 1], (double)ok, sum);
    return 0;
}
