/* Twin of judges.apl. Arguments: n. The scores are eighths, so that places are counted. */
#include "../c/apl_out.h"

/* Writes the place of each score, the greatest first, equal ones in order. */
static void places(const int32_t *score, int64_t n, int32_t most, int32_t *place) {
    int32_t *at = calloc((size_t)most + 2, 4);
    for (int64_t i = 0; i < n; i++) at[most - score[i] + 1]++;
    for (int32_t v = 0; v <= most; v++) at[v + 1] += at[v];
    for (int64_t i = 0; i < n; i++) place[i] = ++at[most - score[i]];
    free(at);
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    int32_t *one = calloc((size_t)n, 4), *two = calloc((size_t)n, 4), *a = malloc((size_t)n * 4), *b = malloc((size_t)n * 4);
    for (int64_t i = 1; i <= n; i++) {
        one[i - 1] = (int32_t)((uint64_t)(i * i) % 10007);
        two[i - 1] = one[i - 1] + (int32_t)((uint64_t)(i * 31) % 4099);
    }
    places(one, n, 10006, a);
    places(two, n, 10006 + 4098, b);
    int64_t sum = 0, same = 0;
    int32_t most = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t d = abs(a[i] - b[i]);
        sum += d, same += d == 0, most = d > most ? d : most;
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)same);
    double first[10];
    for (int i = 0; i < 10; i++) first[i] = b[i];
    apl_vector(first, 10);
    return 0;
}
