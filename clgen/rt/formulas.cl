/* How kernels declare the formulas that they share with programs in C. */
#define TL_INLINE static
#define TL_SHARED static
#define TL_TABLE __constant
#define TL_INFINITE INFINITY
#define INT64_MIN LONG_MIN
#define TL_Z(re, im) ((tl_c64)(re, im))
typedef long int64_t;
typedef ulong uint64_t;
typedef int int32_t;
typedef uint uint32_t;
typedef uchar uint8_t;

static tl_c64 tl_z(double re, double im) { return TL_Z(re, im); }
static double tl_rez(tl_c64 x) { return x.x; }
static double tl_imz(tl_c64 x) { return x.y; }

