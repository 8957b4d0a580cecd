/* Twin of podium.apl. Arguments: n. Three numbers for each driver. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 200);
    double start = now_ms();
    static int32_t quick[64][3], seen[64], order[64], sum[64];
    int drivers = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint32_t k = (uint32_t)((uint64_t)(i * i) % 65521) / 5 % 64;
        int32_t lap = 60000 + (int32_t)((uint64_t)(i * (i % 104729)) % 29989), *q = quick[k];
        if (!seen[k]) seen[k] = 1, order[drivers++] = (int32_t)k, q[0] = q[1] = q[2] = INT32_MAX;
        if (lap >= q[2]) continue;
        q[2] = lap;
        for (int j = 2; j > 0 && q[j] < q[j - 1]; j--) {
            int32_t t = q[j];
            q[j] = q[j - 1], q[j - 1] = t;
        }
    }
    double low = INFINITY, high = -INFINITY, all = 0, top[20];
    for (int d = 0; d < drivers; d++) {
        int k = order[d];
        for (int j = 0; j < 3; j++) {
            if (quick[k][j] == INT32_MAX) quick[k][j] = 0;
            sum[k] += quick[k][j];
        }
        low = sum[k] < low ? sum[k] : low;
        high = sum[k] > high ? sum[k] : high;
        all += k + 1 + sum[k];
    }
    static int done[64];
    int shown = drivers < 5 ? drivers : 5;
    for (int r = 0; r < shown; r++) {
        int best = -1;
        for (int d = 0; d < drivers; d++)
            if (!done[order[d]] && (best < 0 || sum[order[d]] < sum[best])) best = order[d];
        done[best] = 1;
        top[4 * r] = best + 1;
        for (int j = 0; j < 3; j++) top[4 * r + 1 + j] = quick[best][j];
    }
    report_ms(start);
    apl_matrix(top, shown, 4);
    apl_print(low, high, all);
    return 0;
}
