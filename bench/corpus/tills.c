/* Twin of tills.apl. Arguments: n. One pass; 960 places of four numbers. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 90);
    double start = now_ms();
    static int64_t sum[960];
    static int32_t count[960], high[960], low[960], order[960];
    int64_t keys = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint32_t till = (uint32_t)((uint64_t)(i * i) % 65521) / 3 % 40;
        uint32_t hour = (uint32_t)((uint64_t)(i * (7 + i)) % 32749) / 11 % 24;
        int32_t cents = 50 + (int32_t)((uint64_t)(i * 7907) % 4999);
        uint32_t k = hour + 24 * till;
        if (!count[k]++) order[keys++] = (int32_t)k, high[k] = low[k] = cents;
        sum[k] += cents;
        high[k] = cents > high[k] ? cents : high[k];
        low[k] = cents < low[k] ? cents : low[k];
    }
    double all[5] = {0}, once = 0;
    int best = order[0];
    for (int64_t r = 0; r < keys; r++) {
        int k = order[r];
        all[0] += k, all[1] += count[k], all[2] += (double)sum[k], all[3] += high[k], all[4] += low[k];
        once += count[k] == 1;
        if (sum[k] > sum[best]) best = k;
    }
    report_ms(start);
    apl_print(all[0], all[1], all[2], all[3], all[4]);
    apl_print((double)best, (double)count[best], (double)sum[best], (double)high[best], (double)low[best], (double)(best % 24));
    apl_print(once, (double)keys);
    return 0;
}
