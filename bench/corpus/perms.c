/* Twin of perms.apl. Arguments: n. Inversions are the sum of the digits of a permutation's number in base n, n-1, …; nothing is stored. */
#include "../c/apl_out.h"

enum { MOST = 12 };

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 4);
    double start = now_ms();
    int64_t all = 1, sum = 0, none = 0, odd = 0, both = 0;
    for (int i = 2; i <= n; i++) all *= i;
    int most = 0;
    for (int64_t i = 0; i < all; i++) {
        uint8_t p[MOST], digit[MOST];
        int64_t r = i, f = all / n;
        int inversions = 0, fixed = 0;
        for (int k = 0; k < n; k++) {
            digit[k] = (uint8_t)(r / f);
            inversions += digit[k];
            r %= f;
            if (k < n - 1) f /= n - 1 - k;
        }
        for (int k = n - 1; k >= 0; k--) {
            p[k] = (uint8_t)(digit[k] + 1);
            for (int j = k + 1; j < n; j++) p[j] = (uint8_t)(p[j] + (p[j] >= p[k]));
        }
        for (int k = 0; k < n; k++) fixed += p[k] == k + 1;
        sum += inversions;
        most = inversions > most ? inversions : most;
        none += !fixed;
        odd += inversions & 1;
        both += inversions * fixed;
    }
    report_ms(start);
    apl_print((double)all, (double)sum, most, (double)none, (double)odd, (double)both);
    return 0;
}
