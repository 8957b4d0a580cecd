package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// :Return in a loop leaves the loop, and then the function:
//
//	:For x :In v          q←0
//	  :If x>9             :For x :In v
//	    r←x                 :If x>9
//	    :Return               r←x ⋄ q←1 ⋄ :Leave
//	  :EndIf              :EndIf
//	:EndFor               :EndFor
//	                      :If q ⋄ :Return ⋄ :EndIf
//
// Whether the result has a value is tested in the loop, not behind it.

// returning returns items in which no loop has :Return.
func (w *writer) returning(items []item) []item {
	var all []item
	for _, it := range items {
		switch {
		case it.isLoop() && returns(it.clauses[0].body):
			q, m := w.hide("r"), placed(it.word)
			body := it.clauses[0]
			body.body = left(w.returning(body.body), m, q)
			it.clauses = []clause{body}
			if_ := &apl.Control{At: m.at, Word: apl.If, X: m.name(q)}
			back := item{word: &apl.Control{At: m.at, Word: apl.Return}, tested: true}
			all = append(all, item{stmt: m.assign(q, m.number(0))}, it,
				item{word: if_, clauses: []clause{{word: if_, tests: []test{{if_}}, body: []item{back}}}})
			continue
		case it.clauses != nil:
			it.clauses = slices.Clone(it.clauses)
			for i := range it.clauses {
				it.clauses[i].body = w.returning(it.clauses[i].body)
			}
		}
		all = append(all, it)
	}
	return all
}

// returns reports whether :Return stands among items, or in what stands in them.
func returns(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool {
		return it.word != nil && it.word.Word == apl.Return ||
			slices.ContainsFunc(it.clauses, func(c clause) bool { return returns(c.body) })
	})
}

// left returns items of a loop, without those of loops in it, that note in q that they
// return, and leave the loop.
func left(items []item, m maker, q string) []item {
	var all []item
	for _, it := range items {
		switch {
		case it.word != nil && it.word.Word == apl.Return:
			leave := item{word: &apl.Control{At: it.word.At, Word: apl.Leave}, returns: true}
			all = append(all, item{stmt: m.assign(q, m.number(1))}, leave)
			continue
		case it.clauses != nil && !it.isLoop():
			it.clauses = slices.Clone(it.clauses)
			for i := range it.clauses {
				it.clauses[i].body = left(it.clauses[i].body, m, q)
			}
		}
		all = append(all, it)
	}
	return all
}
