/* Twin of totient.apl. Arguments: n. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    uint32_t *phi = array_of((size_t)n + 1, 4);
    for (int64_t i = 0; i <= n; i++) phi[i] = (uint32_t)i;
    for (int64_t p = 2; p <= n; p++)
        if (phi[p] == p) {
            double inverse = 1.0 / (double)p;
            for (int64_t k = p; k <= n; k += p) phi[k] -= (uint32_t)((double)phi[k] * inverse + 0.5);
        }
    int64_t sum = 0, before = 0;
    for (int64_t i = 1; i <= n; i++) sum += phi[i], before += phi[i] == i + 1;
    report_ms(start);
    apl_print((double)sum, (double)before, (double)phi[n]);
    return 0;
}
