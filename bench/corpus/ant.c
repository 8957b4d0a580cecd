/* Twin of ant.apl. Arguments: steps. */
#include "../c/apl_out.h"

enum { N = 200 };

int main(int argc, char **argv) {
    int64_t steps = size_arg(argc, argv, 1, 3000);
    double start = now_ms();
    static uint8_t g[N][N];
    int x = N / 2 - 1, y = x, dx = 0, dy = -1;
    for (int64_t k = 0; k < steps; k++) {
        int s = g[x][y] ? 1 : -1, t = dx;
        g[x][y] ^= 1;
        dx = s * dy;
        dy = -s * t;
        x += dx;
        y += dy;
        x = x < 0 ? N - 1 : x == N ? 0 : x;
        y = y < 0 ? N - 1 : y == N ? 0 : y;
    }
    int black = 0, rows = 0;
    for (int i = 0; i < N; i++) {
        int any = 0;
        for (int j = 0; j < N; j++) black += g[i][j], any |= g[i][j];
        rows += any;
    }
    report_ms(start);
    apl_print(black, x + 1, y + 1, rows);
    return 0;
}
