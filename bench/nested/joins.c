/* Twin of joins.apl. Arguments: n. Deliveries are counted by article; pairs are written in the
 * order of orders. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    uint32_t articles = (uint32_t)(1 + (n + 2) / 3);
    int32_t *at = array_of(articles + 2, sizeof *at), *place = array_of((size_t)n, sizeof *place), *b = array_of((size_t)n, sizeof *b);
    memset(at, 0, (articles + 2) * sizeof *at);
    for (int64_t i = 1; i <= n; i++) at[(b[i - 1] = (int32_t)((uint32_t)((uint64_t)i * (31 + (uint64_t)i) % 2147483647 / 5) % articles)) + 2]++;
    for (uint32_t k = 2; k < articles + 2; k++) at[k] += at[k - 1];
    for (int64_t i = 0; i < n; i++) place[at[b[i] + 1]++] = (int32_t)i;
    uint8_t *delivered = array_of((size_t)n, 1);
    for (int64_t j = 0; j < n; j++) {
        uint64_t i = (uint64_t)place[j] + 1;
        delivered[j] = (uint8_t)(1 + i * (7 + i) % 1000003 / 3 % 7);
    }
    int64_t pairs = 0, none = 0, left = 0, worth = 0, less = 0;
    int32_t most = 0, largest = 0;
#pragma omp parallel for reduction(+ : pairs, none, left, worth, less) reduction(max : most, largest)
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        uint32_t a = (uint32_t)(7919 * u * u % 2147483647 / 3) % articles;
        int32_t ordered = (int32_t)(1 + u * u % 1000003 / 7 % 9), m = at[a + 1] - at[a], sum = 0;
        for (int32_t j = at[a]; j < at[a + 1]; j++) {
            int32_t d = delivered[j];
            sum += d;
            less += ordered < d;
            largest = ordered + d > largest ? ordered + d : largest;
        }
        pairs += m, none += m == 0, worth += ordered * sum;
        most = m > most ? m : most;
        left += ordered > sum ? ordered - sum : 0;
    }
    report_ms(start);
    apl_print((double)pairs, (double)none, most, (double)left);
    apl_print((double)worth, (double)less, largest);
    return 0;
}
