/* Twin of levpairs.apl. Arguments: n. Myers' bits, half of the pairs. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 20);
    double start = now_ms();
    int *at = array_of(n + 1, 4); at[0] = 0;
    for (int64_t i = 1; i <= n; i++) at[i] = at[i - 1] + 3 + (int)((i * i % 10007) / 3 % 7);
    uint8_t *s = array_of(at[n], 1);
    for (int64_t i = 1; i <= at[n]; i++) s[i - 1] = (i * i % 65521) / 7 % 3;
    int64_t sum = 0, near = 0, same = 0; int most = 0;
    for (int i = 0; i < n; i++) {
        uint32_t peq[3] = {0}; int m = at[i + 1] - at[i];
        for (int k = 0; k < m; k++) peq[s[at[i] + k]] |= 1u << k;
        for (int j = 0; j <= i; j++) {
            uint32_t pv = ~0u, mv = 0; int d = m;
            for (int k = at[j]; k < at[j + 1]; k++) {
                uint32_t eq = peq[s[k]], xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
                uint32_t ph = mv | ~(xh | pv), mh = pv & xh;
                d += (ph >> (m - 1) & 1) - (mh >> (m - 1) & 1);
                ph = ph << 1 | 1; mh <<= 1; pv = mh | ~(xv | ph); mv = ph & xv;
            }
            int w = 1 + (j < i);
            sum += w * d; near += w * (d <= 2); same += w * (d == 0); most = d > most ? d : most;
        }
    }
    report_ms(start);
    apl_print(sum, most, near, same, 1);
    return 0;
}
