package fcl

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
)

// compose is associative and not commutative: composition of functions a x + b.
const compose = "(fn (a, b) => fn (c, d) => (a * c, b * c + d))"

// A use of a library function: main takes an array of n ints, and gives what the reference
// gives.
var libraryUses = []struct {
	name, main string
	reference  func(x []int64) []int64
}{
	{"reduce", "fun main arr = reduce (+) 0 arr", func(x []int64) []int64 { return []int64{sum(x)} }},
	{"reduceThread", "fun main arr = threads 1 (fn _ => reduceThread (+) 0 arr) |> (fn p => concat<block> 1 (generate 1 (fn _ => p)))", func(x []int64) []int64 { return []int64{sum(x)} }},
	{"reduceBlock", "fun main arr = concat<block> 1 (generate 1 (fn _ => reduceBlock max (-1) arr))", func(x []int64) []int64 {
		m := int64(-1)
		for _, v := range x {
			m = max(m, v)
		}
		return []int64{m}
	}},
	{"reduceRowsThread", "fun main arr = reduceRowsThread (+) 0 3 arr", rowSums},
	{"reduceRowsGrid", "fun main arr = reduceRowsGrid (+) 0 2 3 arr", rowSums},
	{"foldRowsGrid", "fun main arr = foldRowsGrid (fn r => fn s => fn j => s + index arr (r * 3 + j)) (+) 0 (length arr / 3) 3", rowSums},
	{"foldRows", "fun main arr = foldRows (reduceRowsThread (+) 0 3 arr) (fn r => fn s => fn j => s + index arr (r * 3 + j)) (+) 0 false (length arr / 3) 3", rowSums},
	{"foldRowsOrdered", "fun main arr = foldRowsOrdered (reduceRowsThread (+) 0 3 arr) (fn r => fn s => fn j => s + index arr (r * 3 + j)) (+) 0 true true (length arr / 3) 3", rowSums},
	{"foldRowsSlices", "fun main arr = foldRowsSlices (fn r => fn s => fn j => s + index arr (r * 3 + j)) (+) 0 false true (length arr / 3) 3", rowSums},
	{"rowsBy", "fun main arr = let n = length arr / 3 in rowsBy (reduceRowsThread (+) 0 3 arr) n 3 (rowsBlock n (fn r => foldOrderedBlock (fn s => fn j => s + index arr (r * 3 + j)) (+) 0 true 3))", rowSums},
	{"reduceWarp", "fun main arr = concat<block> 1 (generate 1 (fn _ => concat<warp> 1 (generate 1 (fn _ => reduceWarp max (-1) arr))))", func(x []int64) []int64 {
		m := int64(-1)
		for _, v := range x {
			m = max(m, v)
		}
		return []int64{m}
	}},
	{"reduceRowsBlock", "fun main arr = reduceRowsBlock (+) 0 3 arr", rowSums},
	{"scan", "fun main arr = do { p <- scan " + compose + " (1, 0) (map (fn x => (x % 5, x)) arr); return (mapPush (fn (a, b) => a * 1000003 + b) p) }", composed(1, 0)},
	{"scanTiles", "fun main arr = do { p <- scanTiles " + compose + " (1, 0) (3, 7) (fn x => x) (map (fn x => (x % 5, x)) arr); return (mapPush (fn (a, b) => a * 1000003 + b) p) }", composed(3, 7)},
	{"scanByBlock", "fun main arr = do { p <- scanByBlock " + compose + " (1, 0) (3, 7) (fn x => x) (map (fn x => (x % 5, x)) arr); return (mapPush (fn (a, b) => a * 1000003 + b) p) }", composed(3, 7)},
	{"scanByThread", "fun main arr = do { p <- scanByThread " + compose + " (1, 0) (3, 7) (fn x => x) (map (fn x => (x % 5, x)) arr); return (mapPush (fn (a, b) => a * 1000003 + b) p) }", composed(3, 7)},
	{"scanGrid", "fun main arr = scanGrid (+) 0 5 (fn x => x) arr", func(x []int64) []int64 {
		all := prefixes(x)
		for i := range all {
			all[i] += 5
		}
		return all
	}},
	{"sklansky", "fun main arr = concat<block> (length arr) (generate 1 (fn _ => do { a <- sklansky (+) (length arr) (return (push arr)); return (push a) }))", prefixes},
	{"koggeStone", "fun main arr = concat<block> (length arr) (generate 1 (fn _ => do { a <- koggeStone (+) (length arr) (return (push arr)); return (push a) }))", prefixes},
	{"scanBlock", "fun main arr = concat<block> (length arr) (generate 1 (fn _ => do { a <- stored arr; scanBlock (+) 0 3 5 a }))", func(x []int64) []int64 {
		all := prefixes(x)
		for i := range all {
			all[i] += 5
		}
		return all
	}},
	{"log2Up", "fun main arr = push (mapIx (fn i => fn x => log2Up (1 << (2 * i + x % 2)) + 1000 * log2Up ((1 << (2 * i + x % 2)) + x / 2 % 2)) (take 31 arr))", func(x []int64) []int64 {
		all := []int64{}
		for i, v := range x[:min(len(x), 31)] {
			k := 2*int64(i) + v%2
			all = append(all, 1001*k+1000*(v/2%2))
		}
		return all
	}},
	{"byPlace", "fun main arr = let n = length arr in let at i = index arr i % 5 - 1 in do { p <- byPlace 4 n at; ns <- force p; place n (push (generate n (fn k => (true, k, 10 * max 0 (at (index ns k)) + index ns k)))) |> return }", func(x []int64) []int64 {
		all := []int64{}
		for part := range int64(2) {
			for i, v := range x {
				if place := max(0, v%5-1); place/2 == part {
					all = append(all, 10*place+int64(i))
				}
			}
		}
		return all
	}},
	{"byPlaceOr", "fun main arr = let n = length arr in do<grid> { p <- byPlaceOr (return<grid> (push<grid> (replicate n 7))) 20 4 n (fn i => 3 - index arr i % 4); return<grid> p }", func(x []int64) []int64 {
		if len(x) < 1 || len(x) > 20 {
			return slices.Repeat([]int64{7}, len(x))
		}
		var parts [2][]int64
		for i, v := range x {
			parts[(3-v%4)/2] = append(parts[(3-v%4)/2], int64(i))
		}
		return slices.Concat(parts[0], parts[1])
	}},
	{"compress", "fun main arr = compress (map (fn x => x % 3 == 0) arr) arr", func(x []int64) []int64 {
		all := []int64{}
		for _, v := range x {
			if v%3 == 0 {
				all = append(all, v)
			}
		}
		return all
	}},
	{"gradeBy", "fun main arr = gradeBy intKey 1 (-1) (map (fn x => x % 4 - 2) arr)", func(x []int64) []int64 {
		all := make([]int64, len(x))
		for i := range all {
			all[i] = int64(i) + 1
		}
		slices.SortStableFunc(all, func(a, b int64) int { return cmp.Compare(x[b-1]%4, x[a-1]%4) })
		return all
	}},
	{"grade", "fun main arr = let n = length arr / 2 in grade n 2 (fn j => fn i => intKey (index arr (i * 2 + j) % (3 - j)))", func(x []int64) []int64 {
		all := make([]int64, len(x)/2)
		for i := range all {
			all[i] = int64(i) + 1
		}
		slices.SortStableFunc(all, func(a, b int64) int {
			return cmp.Or(cmp.Compare(x[2*a-2]%3, x[2*b-2]%3), cmp.Compare(x[2*a-1]%2, x[2*b-1]%2))
		})
		return all
	}},
	{"placesIn", "fun main arr = placesIn (fn x => x) (fn k => k) 0 (map (fn x => x % 7) arr) arr", func(x []int64) []int64 {
		all := []int64{}
		for _, v := range x {
			all = append(all, int64(slices.IndexFunc(x, func(w int64) bool { return w%7 == v })+1))
		}
		return all
	}},
	{"placesNear", "fun main arr = placesNear 0.25 2251799813685256 53 (fn k => k) (length arr + 1) (map double arr) (map (fn x => double x * 1.2) arr)", func(x []int64) []int64 {
		all := []int64{}
		for _, v := range x {
			all = append(all, int64(slices.IndexFunc(x, func(w int64) bool {
				a, b := float64(w), float64(v)*1.2
				return math.Abs(a-b) <= 0.25*max(math.Abs(a), math.Abs(b))
			})+1))
		}
		return all
	}},
	{"firstCells", "fun main arr = let n = length arr / 2 in firstCells (fn x => x) 2 (generate (n * 2) (fn i => index arr i % 2))", func(x []int64) []int64 {
		all := []int64{}
		for i := 0; i+2 <= len(x); i += 2 {
			j := 0
			for x[j]%2 != x[i]%2 || x[j+1]%2 != x[i+1]%2 {
				j += 2
			}
			all = append(all, int64(j/2+1))
		}
		return all
	}},
	{"distinct", "fun main arr = distinct (fn x => x) (map (fn x => x % 5) arr)", func(x []int64) []int64 {
		all := []int64{}
		for _, v := range x {
			if !slices.Contains(all, v%5) {
				all = append(all, v%5)
			}
		}
		return all
	}},
	{"transposeGrid", "fun main arr = let rows = 3 in let cols = length arr / 3 in transposeGrid rows cols (take (rows * cols) arr)", transposedThirds},
	{"mapTiles", "fun main arr = let n = length arr / 3 in mapTiles (fn r => fn c => index arr (c * n + r)) n 3", transposedThirds},
	{"mapAcross", "fun main arr = let n = length arr / 3 in mapAcross (fn r => fn c => index arr (c * n + r)) (fn r => fn c => fn x => x) n 3", transposedThirds},
	{"matmul", "fun main arr = let n = length arr / 3 in matmul (+) (*) 0 n 3 n arr arr", productOfThirds},
	{"histogram", "fun main arr = histogram 5 (map (fn x => x % 7) arr)", func(x []int64) []int64 {
		all := make([]int64, 5)
		for _, v := range x {
			if v%7 < 5 {
				all[v%7]++
			}
		}
		return all
	}},
	{"scatter", "fun main arr = let n = length arr in scatter (generate (n * 2 / 3) (fn i => index arr i * 7 % n)) (map (fn x => 0 - x) arr) arr", func(x []int64) []int64 {
		all := append([]int64{}, x...)
		for i := range len(x) * 2 / 3 {
			all[x[i]*7%int64(len(x))] = -x[i]
		}
		return all
	}},
	{"totals", "fun main arr = do<grid> { a <- totals min (i32 1000) 9 (length arr) (fn i => let x = index arr i in (x % 2 == 0, x % 9, i32 x)); return<grid> (push<grid> (map int a)) }", func(x []int64) []int64 {
		all := slices.Repeat([]int64{1000}, 9)
		for _, v := range x {
			if v%2 == 0 {
				all[v%9] = min(all[v%9], v)
			}
		}
		return all
	}},
	{"totalsOr", "fun main arr = do<grid> { a <- totalsOr (return<grid> (push<grid> (replicate 3 (i32 (-1))))) 5 bitXor (i32 0) 3 (length arr) (fn i => let x = index arr i in (x % 3, i32 x)); return<grid> (mapPush<grid> int a) }", func(x []int64) []int64 {
		all := make([]int64, 3)
		for _, v := range x {
			all[v%3] ^= v
		}
		if len(x) > 5 || len(x) < 3 {
			return []int64{-1, -1, -1}
		}
		return all
	}},
	{"lasts", "fun main arr = let n = length arr in lasts (min n 5) n (fn i => if i % 7 < 5 then i % 7 else -1)", lastsBelow5},
	{"lastsOr", "fun main arr = let n = length arr in lastsOr (push<grid> (replicate 5 9) |> (fn p => return<grid> p)) 100 (min n 5) n (fn i => if i % 7 < 5 then i % 7 else -1)", lastsBelow5},
	{"stencil", "fun main arr = stencil 1 0 (fn at => at (-1) + 2 * at 0 + 3 * at 1) arr", func(x []int64) []int64 {
		all := []int64{}
		for i, v := range x {
			s := 2 * v
			if i > 0 {
				s += x[i-1]
			}
			if i+1 < len(x) {
				s += 3 * x[i+1]
			}
			all = append(all, s)
		}
		return all
	}},
	{"segmentedScan", "fun main arr = segmentedScan (+) 0 (map (fn x => x % 4 == 0) arr) arr", func(x []int64) []int64 {
		all, s := []int64{}, int64(0)
		for _, v := range x {
			if v%4 == 0 {
				s = 0
			}
			s += v
			all = append(all, s)
		}
		return all
	}},
	{"reduceSegments", "fun main arr = let n = length arr in reduceSegments max (-1) (generate 4 (fn s => (s + 1) * (s + 1) * n / 16)) arr", func(x []int64) []int64 {
		all, from := []int64{}, 0
		for s := range 4 {
			to, most := (s+1)*(s+1)*len(x)/16, int64(-1)
			for ; from < to; from++ {
				most = max(most, x[from])
			}
			all = append(all, most)
		}
		return all
	}},
	{"productTiles", "fun main arr = let n = length arr / 3 in productTiles (fn r => fn k => index arr (r * 3 + k)) (fn k => fn c => index arr (k * n + c)) (fn _ => fn _ => fn _ => fn s => fn x => fn y => s + x * y) 0 (fn _ => fn _ => fn s => s) n 3 n", productOfThirds},
	{"productRows", "fun main arr = let n = length arr / 3 in productRows 8 (fn r => fn k => index arr (r * 3 + k)) (fn k => fn c => index arr (k * n + c)) (fn _ => fn _ => fn _ => fn s => fn x => fn y => s + x * y) 0 (fn _ => fn _ => fn s => s) n 3 n", productOfThirds},
	{"matmulBlocked", "fun main arr = let n = length arr / 3 in matmulBlocked (+) (*) 0 n 3 n arr arr", productOfThirds},
	{"tiled2", "fun main arr = let cols = length arr / 3 in tiled2 (fn t => do<block> { s <- stored2<block> (transpose2 t); return<block> (transpose2 s) }) (transpose2 (matrix (3, cols) (take (3 * cols) arr)))", transposedThirds},
	{"concat2", "fun main arr = let cols = length arr / 3 in concat2<block> (3, cols) (2, 3) (map2 (fn t => return (push (elements (map2 (fn x => 2 * x) t)))) (tiles2 (2, 3) (matrix (3, cols) arr)))", func(x []int64) []int64 {
		all := []int64{}
		for i := range len(x) / 3 * 3 {
			all = append(all, 2*x[i])
		}
		return all
	}},
	{"zipWith2", "fun main arr = let a = matrix (length arr / 3, 3) arr in push<grid> (elements (zipWith2 (-) (window2 (1, 0) (9, 2) a) (map2 (fn x => x * x) a)))", func(x []int64) []int64 {
		all := []int64{}
		for i := 1; i < len(x)/3 && i < 10; i++ {
			for j := range 2 {
				all = append(all, x[i*3+j]-x[i*3-3+j]*x[i*3-3+j])
			}
		}
		return all
	}},
	{"row2", "fun main arr = let a = matrix (length arr / 3, 3) arr in let (h, _) = extents2 a in push<grid> (generate h (fn y => index2 a (h - y - 1, 2) + index (row2 y a) 1 + index (column2 0 a) y))", func(x []int64) []int64 {
		all := []int64{}
		for i, h := 0, len(x)/3; i < h; i++ {
			all = append(all, x[(h-i-1)*3+2]+x[i*3+1]+x[i*3])
		}
		return all
	}},
	{"radixSort", "fun main arr = do { p <- radixSort 3 (fn (k, _) => k) (map (fn x => (x % 7, x)) arr); return (mapPush snd p) }", func(x []int64) []int64 {
		all := append([]int64{}, x...)
		slices.SortStableFunc(all, func(a, b int64) int { return cmp.Compare(a%7, b%7) })
		return all
	}},
	{"stencilGrid", "fun main arr = let cols = length arr / 3 in stencilGrid 1 0 (fn at => at (-1) 0 + 2 * at 0 (-1) + 3 * at 0 1 + 5 * at 1 1) 3 cols arr", func(x []int64) []int64 {
		cols := len(x) / 3
		at := func(i, j int) int64 {
			if i < 0 || i >= 3 || j < 0 || j >= cols {
				return 0
			}
			return x[i*cols+j]
		}
		all := []int64{}
		for i := range 3 {
			for j := range cols {
				all = append(all, at(i-1, j)+2*at(i, j-1)+3*at(i, j+1)+5*at(i+1, j+1))
			}
		}
		return all
	}},
}

// lastsBelow5 has for each of the numbers below 5 the last place that leaves it as a rest modulo 7.
func lastsBelow5(x []int64) []int64 {
	all := make([]int64, min(len(x), 5))
	for i := range x {
		if i%7 < 5 {
			all[i%7] = int64(i)
		}
	}
	return all
}

func sum(x []int64) int64 {
	s := int64(0)
	for _, v := range x {
		s += v
	}
	return s
}

// composed returns the scan by compose of the pairs of x % 5 and x, from a pair, as numbers.
func composed(a, b int64) func(x []int64) []int64 {
	return func(x []int64) []int64 {
		a, b := a, b
		all := []int64{}
		for _, v := range x {
			a, b = a*(v%5), b*(v%5)+v
			all = append(all, a*1000003+b)
		}
		return all
	}
}

func prefixes(x []int64) []int64 {
	all := []int64{}
	for i := range x {
		all = append(all, sum(x[:i+1]))
	}
	return all
}

func rowSums(x []int64) []int64 {
	all := []int64{}
	for i := 0; i+3 <= len(x); i += 3 {
		all = append(all, sum(x[i:i+3]))
	}
	return all
}

// small makes blocks, tiles and launches so small that few elements need several.
var small = map[string]int64{"BlockSize": 4, "WarpSize": 2, "Warps": 2, "Limit": 100, "TileSize": 2, "Groups": 3, "ScanPiece": 2, "RowItems": 9, "RowLength": 3, "RowGroups": 2, "RowSlice": 4, "RowPart": 1, "SortBits": 2, "SortParts": 3, "SortPart": 2, "Places": 3, "OrderItems": 1, "Spread": 2, "ItemGroup": 4, "LocalBins": 7, "Bins": 100, "BinsItem": 1, "ProductBlock": 2, "ProductTerms": 2, "ProductTall": 3}

// TestLibrary holds the functions of the library against references, for lengths with and
// without a rest, in the evaluator, and on a device.
func TestLibrary(t *testing.T) {
	for number, u := range libraryUses {
		t.Run(u.name, func(t *testing.T) {
			p, err := Load(diag.NewSource("a", u.main))
			if err != nil {
				require.FailNow(t, err.(*diag.Error).Render())
			}
			assert.NotEmpty(t, lib.Doc(u.name))
			for _, n := range []int{0, 1, 2, 4, 6, 17, 33} {
				want := fmt.Sprint(u.reference(numbers(n)))
				v, _, err := p.Run(arguments(t, n), small)
				require.NoError(t, err, n)
				assert.Equal(t, want, listed(v), n)
			}
			if many() == 0 && number%15 != 0 {
				return
			}
			v, _, err := p.RunOn(queue(t), arguments(t, 33), small)
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprint(u.reference(numbers(33))), listed(Hosted(v)))
		})
	}
}

// TestOrder holds sums of doubles to the order of num.Ordered, digit by digit, where a block is one
// thread and where it is several, of whole arrays and of rows, and folds of up to 16 numbers one after the other.
func TestOrder(t *testing.T) {
	p, err := Load(diag.NewSource("a", `
fun main few arr = do
  { sumPush <- foldOrdered everywhere (fn s => fn i => s + double (index arr i) / 7.0) (+) 0.0 few (length arr)
  ; sum <- force sumPush
  ; pairPush <- foldOrdered everywhere (fn (a, b) => fn i => (a * (i % 5), b * (i % 5) + index arr i))
      (fn (a, b) => fn (c, d) => (a * c, b * c + d)) (1, 0) few (length arr)
  ; pair <- force pairPush
  ; rowsPush <- foldRowsSlices (fn r => fn s => fn i => s + double (index arr i) / double (r + 6)) (+) 0.0 few few 3 (length arr)
  ; rows <- force rowsPush
  ; let (a, b) = index pair 0
  ; return (index sum 0, index rows 1, a, b)
  }`))
	if err != nil {
		require.FailNow(t, err.(*diag.Error).Render())
	}
	for _, size := range []int64{1, 4, 256} {
		params := map[string]int64{"BlockSize": size, "Groups": 3, "Limit": 100}
		for _, n := range []int{0, 1, 15, 16, 17, 1024, 1025, 3100} {
			for _, few := range []bool{false, true} {
				x := numbers(n)
				d := num.Ordered(n, 0, func(s float64, i int) float64 { return s + float64(x[i])/7 }, func(a, b float64) float64 { return a + b })
				compose := func(x, y [2]int64) [2]int64 { return [2]int64{x[0] * y[0], x[1]*y[0] + y[1]} }
				step := func(s [2]int64, i int) [2]int64 { return compose(s, [2]int64{int64(i) % 5, x[i]}) }
				pair := num.Ordered(n, [2]int64{1, 0}, step, compose)
				want := eval.Text(eval.Tuple{scalar.Number(types.F64, 0, d), scalar.Number(types.F64, 0, d), scalar.Int(pair[0]), scalar.Int(pair[1])})
				args := append([]Data{{Elem: types.Bool, Elems: []eval.Scalar{scalar.Bool(few)}}}, arguments(t, n)...)
				v, _, err := p.Run(args, params)
				require.NoError(t, err)
				assert.Equal(t, want, eval.Text(v), "%d numbers, blocks of %d", n, size)
			}
		}
	}
}

func numbers(n int) []int64 {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	x := make([]int64, n)
	for i := range x {
		x[i] = r.Int64N(50)
	}
	return x
}

func arguments(t *testing.T, n int) []Data {
	d, err := ReadData(strings.ReplaceAll(fmt.Sprint(numbers(n)), " ", ", "))
	require.NoError(t, err)
	return []Data{d}
}

// listed writes a scalar or an array as Go writes a slice.
func listed(v eval.Value) string {
	text := strings.ReplaceAll(eval.Text(v), ",", "")
	if text[0] != '[' {
		return "[" + text + "]"
	}
	return text
}

// TestLibraryTypes infers all functions of the library, and looks for their comments.
func TestLibraryTypes(t *testing.T) {
	p, err := Load(diag.NewSource("lib", lib.Source))
	if err != nil {
		require.FailNow(t, err.(*diag.Error).Render())
	}
	for _, g := range p.Scope.Order {
		require.NotNil(t, g.Sig, g.Fun.Name)
		assert.NotEmpty(t, lib.Doc(g.Fun.Name), g.Fun.Name)
	}
}

// productOfThirds is the product of the matrix of three columns and that of three rows that
// x begins with.
func productOfThirds(x []int64) []int64 {
	n := len(x) / 3
	all := []int64{}
	for i := range n {
		for j := range n {
			s := int64(0)
			for k := range 3 {
				s += x[i*3+k] * x[k*n+j]
			}
			all = append(all, s)
		}
	}
	return all
}

// transposedThirds is the transpose of the matrix of three rows that x begins with.
func transposedThirds(x []int64) []int64 {
	cols := len(x) / 3
	all := []int64{}
	for j := range cols {
		for i := range 3 {
			all = append(all, x[i*cols+j])
		}
	}
	return all
}
