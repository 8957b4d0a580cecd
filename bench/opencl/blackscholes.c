/* Twin of testdata/programs/blackscholes.apl. Arguments: n. One kernel prices
 * and leaves sums and maxima of its groups. */
#include "host.h"

static const char source[] = DOUBLES
    "double normal(double x) {\n"
    "  double k = 1 / (1 + 0.2316419 * fabs(x));\n"
    "  double p = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));\n"
    "  return fabs((x >= 0 ? 1.0 : 0.0) - p * 0.3989422804014327 * exp(-0.5 * x * x));\n"
    "}\n"
    "__kernel void price(long n, __global double *call, __global double *put, __global double4 *parts) {\n"
    "  __local double4 tree[256];\n"
    "  double4 mine = (double4)(0, 0, -INFINITY, -INFINITY);\n"
    "  int me = get_local_id(0);\n"
    "  for (long at = get_global_id(0); at < n; at += get_global_size(0)) {\n"
    "    int i = at + 1;\n"
    "    double spot = 5 + 25 * (i % 1009 / 1009.0), strike = 1 + 99 * (i % 997 / 997.0), time = 0.25 + 9.75 * (i % 499 / 499.0);\n"
    "    double sd = 0.3 * sqrt(time), d1 = (log(spot / strike) + time * 0.065) / sd, d2 = d1 - sd;\n"
    "    double paid = strike * exp(-0.02 * time);\n"
    "    double c = spot * normal(d1) - paid * normal(d2), p = paid * normal(-d2) - spot * normal(-d1);\n"
    "    call[at] = c, put[at] = p;\n"
    "    mine.x += c, mine.y += p;\n"
    "    mine.z = fmax(mine.z, c), mine.w = fmax(mine.w, p);\n"
    "  }\n"
    "  tree[me] = mine;\n"
    "  for (int half_ = 128; half_ > 0; half_ /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < half_) {\n"
    "      double4 o = tree[me + half_];\n"
    "      tree[me].xy += o.xy;\n"
    "      tree[me].zw = fmax(tree[me].zw, o.zw);\n"
    "    }\n"
    "  }\n"
    "  if (me == 0) parts[get_group_id(0)] = tree[0];\n"
    "}\n";

static int64_t n;
static handle call, put, parts, price;

static void compute(int last) {
    double part[64][4], c[5], p[5], s[4] = {0, 0, -INFINITY, -INFINITY};
    ARGS4(price, n, call, put, parts);
    launch(price, 64 * 256, 256);
    fetch(parts, 0, sizeof part, part);
    fetch(call, 0, sizeof c, c), fetch(put, 0, sizeof p, p);
    for (int i = 0; i < 64; i++) {
        s[0] += part[i][0], s[1] += part[i][1];
        s[2] = fmax(s[2], part[i][2]), s[3] = fmax(s[3], part[i][3]);
    }
    if (!last) return;
    apl_print(apl_round(6, s[0] / (double)n), apl_round(6, s[1] / (double)n), apl_round(6, s[2]), apl_round(6, s[3]));
    for (int i = 0; i < 5; i++) c[i] = apl_round(6, c[i]), p[i] = apl_round(6, p[i]);
    apl_vector(c, 5), apl_vector(p, 5);
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 1000);
    start(source);
    price = kernel("price");
    call = buffer((size_t)n * 8), put = buffer((size_t)n * 8), parts = buffer(64 * 32);
    return twice(compute);
}
