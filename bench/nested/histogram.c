/* Twin of histogram.apl. Arguments: n. Counters of 5000 shops, in the order of shops' first sales. */
#include "../c/apl_out.h"

enum { SHOPS = 5000, HOURS = 24 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    static int32_t count[SHOPS][HOURS];
    static uint8_t seen[SHOPS];
    int64_t shops = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        uint32_t s = (uint32_t)(7919 * u * u % 2147483647 / 11) % SHOPS, h = (uint32_t)(u * (31 + u) % 1000003 / 5) % HOURS;
        count[s][h]++;
        seen[s] = 1;
    }
    int32_t most = 0;
    int64_t busy = 0;
    double sum[HOURS] = {0};
    for (int s = 0; s < SHOPS; s++) {
        if (!seen[s]) continue;
        int at = 0;
        for (int h = 0; h < HOURS; h++) {
            sum[h] += count[s][h];
            at = count[s][h] > count[s][at] ? h : at;
        }
        most = count[s][at] > most ? count[s][at] : most;
        busy += at + 1;
        shops++;
    }
    report_ms(start);
    apl_print((double)shops, HOURS, most, (double)busy);
    apl_matrix(sum, 3, 8);
    return 0;
}
