/* Twin of josephus.apl. Arguments: n, m. Sixteen lengths side by side. */
#include "../c/apl_out.h"

enum { L = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50), m = size_arg(argc, argv, 2, 20);
    double start = now_ms();
    int32_t *s = array_of((size_t)(m + L), 4);
#pragma omp parallel for
    for (int64_t k0 = 0; k0 < m; k0 += L) {
        int32_t at[L] = {0};
        for (int32_t w = 2; w <= n; w++) {
            float inverse = 1.0f / (float)w;
#pragma omp simd
            for (int l = 0; l < L; l++) {
                int32_t x = at[l] + (int32_t)k0 + l + 1, r = x - (int32_t)((float)x * inverse) * w;
                r += r < 0 ? w : 0;
                r -= r >= w ? w : 0;
                at[l] = r;
            }
        }
        for (int l = 0; l < L; l++) s[k0 + l] = at[l] + 1;
    }
    int64_t sum = 0, most = 0, odd = 0, kinds = 0;
    uint8_t *seen = array_of((size_t)n + 1, 1);
    memset(seen, 0, (size_t)n + 1);
    for (int64_t k = 0; k < m; k++) {
        sum += s[k];
        most = s[k] > most ? s[k] : most;
        if (k % 2 == 0) odd += s[k];
        kinds += !seen[s[k]];
        seen[s[k]] = 1;
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)kinds, (double)odd);
    return 0;
}
