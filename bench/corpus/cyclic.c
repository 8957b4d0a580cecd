/* Twin of cyclic.apl. Arguments: n steps. Bytes in rows with margins. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 24), steps = (int)size_arg(argc, argv, 2, 10), s = n + 2;
    double start = now_ms();
    uint8_t *a = array_of((size_t)s * s, 1), *b = array_of((size_t)s * s, 1), *first = array_of((size_t)n * n, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int64_t t = (int64_t)i * n + j + 1;
            a[(i + 1) * s + j + 1] = first[i * n + j] = (t * t % 1000003) / 11 % 8;
        }
    for (int k = 0; k < steps; k++) {
        memcpy(a, a + n * s, s); memcpy(a + (n + 1) * s, a + s, s);
        for (int i = 1; i <= n; i++) a[i * s] = a[i * s + n], a[i * s + n + 1] = a[i * s + 1];
        for (int i = 1; i <= n; i++) {
            const uint8_t *restrict c = a + i * s, *restrict u = c - s, *restrict d = c + s;
            uint8_t *restrict o = b + i * s;
            for (int j = 1; j <= n; j++) {
                uint8_t up = (c[j] + 1) & 7, near = (u[j] == up) | (d[j] == up) | (c[j - 1] == up) | (c[j + 1] == up);
                o[j] = near ? up : c[j];
            }
        }
        uint8_t *t = a; a = b; b = t;
    }
    int64_t sum = 0, zero = 0, differ = 0, moved = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        uint8_t x = a[(i + 1) * s + j + 1];
        sum += x; zero += x == 0; differ += x != a[(i + 1) * s + (j + 1) % n + 1]; moved += x != first[i * n + j];
    }
    report_ms(start);
    apl_print(sum, zero, differ, moved);
    return 0;
}
