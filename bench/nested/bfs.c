/* Twin of bfs.apl. Arguments: n. Edges of 32 bits, one behind the other, and one queue. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    int32_t *at = array_of((size_t)n + 1, sizeof *at);
    at[0] = 0;
    for (int64_t i = 1; i <= n; i++) at[i] = at[i - 1] + 1 + (int32_t)((uint64_t)i * (uint64_t)i % 1000003 / 7 % 8);
    int32_t *to = array_of((size_t)at[n], sizeof *to);
#pragma omp parallel for
    for (int64_t i = 1; i <= at[n]; i++) to[i - 1] = (int32_t)((uint32_t)(7919 * (uint64_t)i * (uint64_t)i % 2147483647 / 5) % (uint32_t)n);
    int16_t *dist = array_of((size_t)n, sizeof *dist);
    int32_t *queue = array_of((size_t)n, sizeof *queue);
    memset(dist, 255, (size_t)n * sizeof *dist);
    int64_t tail = 1;
    queue[0] = 0;
    dist[0] = 0;
    for (int64_t head = 0; head < tail; head++) {
        int32_t v = queue[head];
        for (int32_t j = at[v]; j < at[v + 1]; j++) {
            int32_t w = to[j];
            if (dist[w] >= 0) continue;
            dist[w] = (int16_t)(dist[v] + 1);
            queue[tail++] = w;
        }
    }
    static double count[64];
    int64_t sum = 0;
    int levels = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += dist[i];
        if (dist[i] > levels) levels = dist[i];
        count[dist[i] + 1]++;
    }
    report_ms(start);
    apl_print((double)(n - tail), levels, (double)sum);
    int skip = count[0] == 0;
    apl_vector(count + skip, levels + 2 - skip);
    return 0;
}
