package laila

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/control"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/library"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/laila/reduce"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/laila/shape"
	"github.com/tailor-lang/tailor/tail"
)

// Lower translates a checked program to loops. It returns them and what is known of
// their variables and buffers.
func Lower(p *tail.Program, o Options) (out *ir.Program, known *facts.Base, err error) {
	defer func() {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case *diag.Error:
				out, known, err = nil, nil, r
			case *checkError:
				out, known, err = nil, nil, r
			default:
				panic(r)
			}
		}
	}()
	if o.PP == 0 {
		o.PP = p.PP
	}
	if o.PP == 0 {
		o.PP = 10
	}
	run := newPipeline(p, o)
	run.enable()
	l := build.New(run.Context, p, lowered)
	control.Functions(l)
	l.Out.Entry = l.Funcs[p.Entry]
	l.Out.Main = &ir.Func{Name: "main"}
	g := l.Builder()
	l.Live.Walk(nil, p.Main)
	l.Out.Main.Body = g.Block(func() { library.Spine(g, p.Main) })
	run.rewrite()
	flow.DropConsts(l.Out)
	if o.Verify {
		err = ir.Check(l.Out)
	}
	return l.Out, l.Base, err
}

// Options controls the lowering.
type Options struct {
	// PP is the print precision, 10 when 0.
	PP int
	// Target is what executes the loops.
	Target Target
	// Skip has the names of passes to leave out.
	Skip map[string]bool
	// Before, if given, is asked whether the next pass is to run: first for all
	// that act while arrays become loops or within others, then for each of the others.
	Before func(pass string) bool
	// After, if given, sees the program after every pass over it.
	After func(pass string, p *ir.Program)
	// Relaxed lets results differ from those of the evaluator in the last digits
	// where that makes programs faster.
	Relaxed bool
	// Threads says that nests are to be shared among threads.
	Threads bool
	// Verify checks the program after every pass.
	Verify bool
}

// Target is what executes the loops.
type Target = pass.Target

// The targets. The zero value is for loops that are to run anywhere.
const (
	Anywhere   = pass.Anywhere
	CPU        = pass.CPU
	CPUKernels = pass.CPUKernels
	GPUKernels = pass.GPUKernels
)

// lowered is what Builder.Expr returns.
func lowered(g *build.Builder, e tail.Expr) *build.Value {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		g.Comment(let)
		search.Lets(g, let)
		e = let.Body
	}
	switch e := e.(type) {
	case *tail.Lit:
		return g.Literal(e.Value)
	case *tail.Ref:
		return g.Ref(e)
	case *tail.Vec:
		return g.Vector(e)
	case *tail.Apply:
		return apply(g, e)
	case *tail.Call:
		return control.Call(g, e)
	case *tail.If:
		return control.Conditional(g, e)
	case *tail.Tuple:
		return &build.Value{Tup: g.Args(e.Elems)}
	case *tail.Proj:
		return g.Expr(e.X).Tup[e.I]
	}
	panic("internal error: lowering of an expression without a value")
}

func applied(g *build.Builder, e *tail.Apply) *build.Value {
	row := e.Op.Row()
	if row.Scalar {
		vs := g.Args(e.Args)
		xs := make([]ir.Expr, len(vs))
		for i, v := range vs {
			xs[i] = v.X
		}
		return &build.Value{X: g.ScalarOp(e, xs)}
	}
	if v := search.Sought(g, e); v != nil {
		return v
	}
	if v := search.Search(g, e); v != nil {
		return v
	}
	if e.Op == tail.OpIndex {
		if v := search.SortedVector(g, e); v != nil {
			return v
		}
		if v := search.Grouped(g, e); v != nil {
			return v
		}
	}
	if e.Op == tail.OpTake {
		if v := search.LeadingPlaces(g, e); v != nil {
			return v
		}
		if v := search.LeadingElements(g, e); v != nil {
			return v
		}
	}
	if v := library.StopsWhere(g, e); v != nil {
		return v
	}
	lower, ok := arrayOps[e.Op]
	if !ok {
		g.Refuse(e.Where, "compiled code for "+row.Name+" ("+row.Doc+")")
	}
	return lower(g, e, g.Args(e.Args))
}

// arrayOps are the lowerings of the ops on arrays; args are lowered, but for
// functions.
var arrayOps map[tail.Op]func(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value

func init() {
	arrayOps = map[tail.Op]func(g *build.Builder, e *tail.Apply, args []*build.Value) *build.Value{
		tail.OpIota: (*build.Builder).Iota, tail.OpEach: (*build.Builder).Each, tail.OpZipWith: (*build.Builder).ZipWith, tail.OpOuter: (*build.Builder).Outer,
		tail.OpReduce: reduce.Reduce, tail.OpReduce1: reduce.Reduce, tail.OpReduceWin: reduce.ReduceWindows, tail.OpScan: reduce.Scan,
		tail.OpInner: reduce.Inner, tail.OpInner1: reduce.Inner, tail.OpChain: reduce.Inner,
		tail.OpCells: control.Cells, tail.OpCells2: control.Cells, tail.OpItems: control.Items, tail.OpSegments: control.Segments, tail.OpPower: control.Power, tail.OpWhile: control.While,
		tail.OpShape: shape.Shape, tail.OpTally: shape.Tally, tail.OpCount: shape.CountOf,
		tail.OpReshape: shape.Reshape, tail.OpRavel: shape.Ravel, tail.OpReverse: shape.Reverse,
		tail.OpRotate: shape.Rotate, tail.OpRotateM: shape.RotateM, tail.OpTransp: shape.Transp, tail.OpTransp2: shape.Transp2,
		tail.OpExpect: (*build.Builder).Expect, tail.OpTake: shape.Take, tail.OpDrop: shape.Drop, tail.OpFirst: shape.First, tail.OpOnly: (*build.Builder).Only, tail.OpStretch: (*build.Builder).Stretch,
		tail.OpCat: shape.Cat, tail.OpCons: shape.Cons, tail.OpSnoc: shape.Snoc, tail.OpLaminate: shape.Laminate,
		tail.OpCompress: shape.Compress, tail.OpReplicate: shape.Replicate, tail.OpExpand: shape.Expand, tail.OpWhere: shape.Where, tail.OpLongest: search.Longest,
		tail.OpIndex: shape.Gather, tail.OpUpdate: shape.Updated,
		tail.OpEncode: (*build.Builder).Encode, tail.OpDecode: (*build.Builder).Decode,
		tail.OpMember: library.Library, tail.OpIndexOf: library.Library, tail.OpItemTable: search.ItemTable, tail.OpItemPlace: search.ItemPlace, tail.OpRaggedTable: search.RaggedTable, tail.OpRaggedPlace: search.RaggedPlace, tail.OpIntervalIndex: library.Library,
		tail.OpUnique: library.Library, tail.OpFirstCell: library.Library, tail.OpFirstItem: library.Library, tail.OpWithout: library.Library, tail.OpGradeUp: library.Library, tail.OpGradeDown: library.Library,
		tail.OpMatch: library.Library, tail.OpFind: library.Library, tail.OpMatInv: library.Library, tail.OpMatDiv: library.Library,
		tail.OpDeal: library.Library, tail.OpFormat: library.Library, tail.OpFormatBy: library.Library, tail.OpPicture: library.Picture,
		tail.OpPrint: library.Print, tail.OpPrintBare: library.Print,
		tail.OpReadText: library.Library, tail.OpWriteText: library.Library, tail.OpStop: library.Library, tail.OpReadCSV: library.Library,
		tail.OpReadNpy: library.Library, tail.OpCSVText: library.Library, tail.OpWriteNpy: library.Library, tail.OpArgText: library.Library, tail.OpArgCount: library.Library,
		tail.OpReceive: library.Library, tail.OpSend: library.Library,
		tail.OpParseNumber: library.Library, tail.OpTimeStamp: library.Library, tail.OpClock: library.Library, tail.OpSeed: library.Library, tail.OpGenerator: library.Library,
		tail.OpAll: func(*build.Builder, *tail.Apply, []*build.Value) *build.Value {
			return &build.Value{Tup: []*build.Value{}}
		},
	}
}

// apply lowers the application of an op.
func apply(g *build.Builder, e *tail.Apply) *build.Value {
	outer := g.Src
	g.Src = e.Where
	defer func() { g.Src = outer }()
	v := applied(g, e)
	if v.Arr != nil && v.Arr.Buf == nil {
		g.Captured(e, v.Arr)
	}
	if v.Arr != nil && !v.Arr.Src.Valid() {
		v.Arr.Src = e.Where
	}
	return v
}
