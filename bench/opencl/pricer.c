/* Twin of testdata/programs/pricer.apl. Arguments: n. A work-item goes through
 * consecutive paths: the first Sobol point from its number, the next ones by an
 * exclusive or each; direction vectors are in local memory. Payoffs are summed
 * in groups of 64. */
#include "host.h"
#include "../c/sobol.h"

static const char source[] = DOUBLES
    "__constant double vols[] = {0.19, 0.19, 0.15};\n"
    "__constant double drifts[] = {\n"
    "  -0.0283491736871803, 0.0178771081725381, 0.0043096808044729,\n"
    "  -0.0183841413744211, -0.0044530897672834, 0.0024263805987983,\n"
    "  -0.0172686581005089, 0.0125638544546015, 0.0094452810918001,\n"
    "  -0.0144179417871814, 0.0157411263968213, 0.0125315353728014,\n"
    "  -0.0121497422218761, 0.0182904634062437, 0.0151125070556484};\n"
    "__constant double discount[] = {0.9797862861805930, 0.9505748482484491, 0.9214621679912968,\n"
    "  0.8906693055891434, 0.8588567633110704};\n"
    "#define POLY(x, a0, a1, a2, a3, a4, a5, a6, a7) \\\n"
    "  (a0 + x * (a1 + x * (a2 + x * (a3 + x * (a4 + x * (a5 + x * (a6 + x * a7)))))))\n"
    "double gauss(double q) {\n" /* Wichura, Algorithm AS 241, of q + ½ */
    "  if (fabs(q) <= 0.425) {\n"
    "    double x = 0.180625 - q * q;\n"
    "    return q * POLY(x, 3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,\n"
    "      45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727) /\n"
    "      POLY(x, 1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,\n"
    "      39307.89580009271061, 28729.085735721942674, 5226.495278852854561);\n"
    "  }\n"
    "  double r = sqrt(-log(0.5 - fabs(q)));\n"
    "  if (r <= 5) {\n"
    "    double x = r - 1.6;\n"
    "    return copysign(POLY(x, 1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,\n"
    "      1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4) /\n"
    "      POLY(x, 1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,\n"
    "      0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9), q);\n"
    "  }\n"
    "  double x = r - 5;\n"
    "  return copysign(POLY(x, 6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,\n"
    "    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7) /\n"
    "    POLY(x, 1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,\n"
    "    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15), q);\n"
    "}\n"
    "double payoff(const uint *point) {\n"
    "  double w[6][3], price[3] = {1, 1, 1}, worst = 0;\n"
    "  for (int u = 0; u < 3; u++) {\n"
    "    double z[5];\n"
    "    for (int d = 0; d < 5; d++) z[d] = gauss(point[d * 3 + u] * (1.0 / (1 << 30)) - 0.5);\n"
    "    w[0][u] = 0;\n"
    "    w[5][u] = 2.2372928847280580 * z[0];\n"
    "    w[2][u] = 1.0960951589853829 * z[1] + 0.5998905309250137 * w[0][u] + 0.4001094690749863 * w[5][u];\n"
    "    w[1][u] = 0.7075902730592357 * z[2] + 0.4993160054719562 * w[0][u] + 0.5006839945280438 * w[2][u];\n"
    "    w[3][u] = 0.8166828043492210 * z[3] + 0.6669708029197080 * w[2][u] + 0.3330291970802919 * w[5][u];\n"
    "    w[4][u] = 0.7075902730592357 * z[4] + 0.5006839945280438 * w[3][u] + 0.4993160054719562 * w[5][u];\n"
    "  }\n"
    "  for (int d = 0; d < 5; d++) {\n"
    "    double a = w[d + 1][0] - w[d][0], b = w[d + 1][1] - w[d][1], c = w[d + 1][2] - w[d][2];\n"
    "    price[0] *= exp(a * vols[0] + drifts[d * 3]);\n"
    "    price[1] *= exp((0.6 * a + 0.8 * b) * vols[1] + drifts[d * 3 + 1]);\n"
    "    price[2] *= exp((0.8 * a + 0.15 * b + 0.5809475 * c) * vols[2] + drifts[d * 3 + 2]);\n"
    "    worst = fmin(price[0], fmin(price[1], price[2]));\n"
    "    if (worst >= 1) return discount[d] * (1150 + 150 * d);\n"
    "  }\n"
    "  return discount[4] * 1000 * (worst > 0.75 ? 1 : worst);\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void price(\n"
    "    long n, __constant uint *dirs, __global double *first, __global double *parts) {\n"
    "  __local uint d[450];\n"
    "  __local double tree[64];\n"
    "  int me = get_local_id(0);\n"
    "  for (int k = me; k < 450; k += 64) d[k] = dirs[k];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  long item = get_global_id(0), items = get_global_size(0);\n"
    "  long from = n * item / items + 1, to = n * (item + 1) / items + 1;\n"
    "  uint point[15];\n"
    "  double sum = 0;\n"
    "  for (int k = 0; k < 15; k++) {\n"
    "    uint x = 0, gray = (uint)(from ^ (from >> 1));\n"
    "    for (int b = 0; b < 30; b++) x ^= (gray >> b & 1) ? d[k * 30 + b] : 0;\n"
    "    point[k] = x;\n"
    "  }\n"
    "  for (long path = from; path < to; path++) {\n"
    "    double pay = payoff(point);\n"
    "    sum += pay;\n"
    "    if (path <= 5) first[path - 1] = pay;\n"
    "    int bit = popcount((uint)(path ^ (path + 1))) - 1;\n"
    "    for (int k = 0; k < 15; k++) point[k] ^= d[k * 30 + bit];\n"
    "  }\n"
    "  tree[me] = sum;\n"
    "  for (int half_ = 32; half_ > 0; half_ /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < half_) tree[me] += tree[me + half_];\n"
    "  }\n"
    "  if (me == 0) parts[get_group_id(0)] = tree[0];\n"
    "}\n";

enum { GROUPS = 256, SIZE = 64 };

static int64_t n;
static handle dirs, first, parts, price;

static void compute(int last) {
    double part[GROUPS], five[5], s = 0;
    ARGS4(price, n, dirs, first, parts);
    launch(price, GROUPS * SIZE, SIZE);
    fetch(parts, 0, sizeof part, part);
    fetch(first, 0, sizeof five, five);
    for (int i = 0; i < GROUPS; i++) s += part[i];
    if (!last) return;
    apl_scalar(apl_round(6, s / (double)n));
    for (int i = 0; i < 5; i++) five[i] = apl_round(5, five[i]);
    apl_vector(five, 5);
}

int main(int argc, char **argv) {
    int32_t code;
    n = size_arg(argc, argv, 1, 1000);
    start(source);
    price = kernel("price");
    dirs = clCreateBuffer(context, 4 | 32, sizeof sobol_dirs, (void *)(uintptr_t)sobol_dirs, &code);
    ok(code, "buffer");
    first = buffer(5 * 8), parts = buffer(GROUPS * 8);
    return twice(compute);
}
