/* Twin of rpn.apl. Arguments: n. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 200), size = 0, deepest = 0, sum = 0;
    double start = now_ms();
    int32_t *s = array_of((size_t)n + 1, 4);
    for (int64_t i = 1; i <= n; i++) {
        int c = (int)((7 * i + i / 5) % 14);
        if (c < 10)
            s[size++] = c;
        else if (size > 1) {
            int32_t y = s[--size], x = s[--size], z = c == 11 ? x * y : c == 12 ? x - y : x + y;
            z %= 1009;
            s[size++] = z < 0 ? z + 1009 : z;
        }
        deepest = size > deepest ? size : deepest;
    }
    for (int64_t i = 0; i < size; i++) sum += s[i];
    report_ms(start);
    apl_print((double)size, (double)deepest, (double)sum);
    return 0;
}
