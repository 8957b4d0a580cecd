/* Twin of change.apl. Arguments: n. */
#include "../c/apl_out.h"
int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms();
    uint32_t *w = array_of((size_t)n + 1, 4);
    static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
    for (int64_t i = 0; i <= n; i++) w[i] = i == 0;
    for (int c = 0; c < 8; c++)
        for (int64_t j = coins[c]; j <= n; j++) {
            uint32_t s = w[j] + w[j - coins[c]];
            w[j] = s >= 1000000007u ? s - 1000000007u : s;
        }
    double sum = 0, most = 0;
    for (int64_t i = 0; i <= n; i++) { sum += w[i]; if (w[i] > most) most = w[i]; }
    report_ms(start);
    apl_print((double)w[n], sum, most);
    return 0;
}
