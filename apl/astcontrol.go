package apl

import "strings"

// This file holds the nodes of functions with headers. The body of such a function is
// a flat list of statements, because → may lead from any line to any other one:
// control words are statements, too, and know where their structure goes on.

type (
	// Tradfn is a definition with a header: a function or an operator.
	Tradfn struct {
		At
		Header *Header
		Body   []Stmt
		// lines[i] is the line of Body[i], and enclosing[i] the statement that opens
		// the innermost control structure around it, or -1; count is the number of lines.
		lines, enclosing []int
		count            int
		labels           map[string]int // their lines
	}
	// Header is `r←x f y;locals`. What is absent is nil.
	Header struct {
		At
		Result                    []*Name
		Name                      *Name
		Left                      *Name
		Right                     []*Name
		LeftOperand, RightOperand *Name
		Locals                    []*Name
		// ResultList and RightList report that the names are in parentheses: a strand.
		ResultList, RightList bool
		Shy                   bool // {r}←
		Ambivalent            bool // {x}
	}
	// Label is `name:` before the first statement of a line.
	Label struct {
		At
		Name *Name
	}
	// Branch is `→X`, or `→` alone with X nil.
	Branch struct {
		At
		X Expr
	}
	// Control is a control word and what stands behind it.
	Control struct {
		At
		Word  Word
		Names []*Name // of :For, and of :Implements Trigger
		// Strand is the names of :For where some are in parentheses, in place of Names.
		Strand *StrandTarget
		Each   bool // :InEach
		X      Expr // nil where the word takes none
		// open and end are the first and the last statement of the structure, and next
		// the one behind this clause: another clause or the last one.
		open, next, end int
	}
	// Loose is a statement that was read on assumptions about the classes of names
	// that only the run knows.
	Loose struct {
		At
		Stmt    Stmt
		assumed []Assumption
		reread  func(classes map[string]Class) (Stmt, error)
	}
)

// Assumption is the class that a name was taken to have. The name may be a path with
// dots.
type Assumption struct {
	Name  string
	Class Class
}

func (*Tradfn) stmt()  {}
func (*Label) stmt()   {}
func (*Branch) stmt()  {}
func (*Control) stmt() {}
func (*Loose) stmt()   {}

// Assumed returns the assumptions that a statement was read on.
func (s *Loose) Assumed() []Assumption { return s.assumed }

// Reread returns the statement as it reads where names have the classes given. It has
// nodes of its own.
func (s *Loose) Reread(classes map[string]Class) (Stmt, error) { return s.reread(classes) }

// Lines returns the number of lines of the body.
func (t *Tradfn) Lines() int { return t.count }

// LineOf returns the line of a statement of the body, from 1.
func (t *Tradfn) LineOf(i int) int {
	if i < len(t.lines) {
		return t.lines[i]
	}
	return t.count
}

// StartOf returns the first statement of a line, or of those behind it; the length of
// the body if there is none.
func (t *Tradfn) StartOf(line int) int {
	for i, l := range t.lines {
		if l >= line {
			return i
		}
	}
	return len(t.Body)
}

// Enclosing returns the statement that opens the innermost control structure around
// statement i, or -1.
func (t *Tradfn) Enclosing(i int) int {
	if i < 0 || i >= len(t.enclosing) {
		return -1
	}
	return t.enclosing[i]
}

// Labels returns the lines of the labels.
func (t *Tradfn) Labels() map[string]int { return t.labels }

// Class returns the class of the definition. A niladic function is an array where it
// is used.
func (h *Header) Class() Class {
	switch {
	case h.RightOperand != nil:
		return DyadicOperator
	case h.LeftOperand != nil:
		return MonadicOperator
	case len(h.Right) > 0:
		return FunctionClass
	}
	return ArrayClass
}

// Open, Next and End return the places in the body of the first statement of the
// structure, of the next clause, and of the last one.
func (c *Control) Open() int { return c.open }
func (c *Control) Next() int { return c.next }
func (c *Control) End() int  { return c.end }

// Word is a control word.
type Word uint8

// The control words. The zero value is "unset".
const (
	NoWord Word = iota
	If
	ElseIf
	AndIf
	OrIf
	Else
	EndIf
	For
	EndFor
	While
	EndWhile
	Repeat
	Until
	EndRepeat
	Select
	Case
	CaseList
	EndSelect
	Trap
	EndTrap
	With
	EndWith
	Hold
	EndHold
	Disposable
	EndDisposable
	End
	Return
	GoTo
	Leave
	Continue
	Section
	EndSection
	Implements
	numberOfWords
)

// wordRow says how a control word is used.
type wordRow struct {
	text string
	// takes reports that an expression follows; loop that :Leave and :Continue belong
	// to the structure; ends is the word that it opens where it is an end, opens the
	// end that it has where it opens.
	takes, loop bool
	ends, opens Word
	// within are the words that open the structures that it is a clause of.
	within []Word
}

var words = [numberOfWords]wordRow{
	If:            {text: "If", takes: true, opens: EndIf},
	ElseIf:        {text: "ElseIf", takes: true, within: []Word{If}},
	AndIf:         {text: "AndIf", takes: true, within: []Word{If, While, Repeat}},
	OrIf:          {text: "OrIf", takes: true, within: []Word{If, While, Repeat}},
	Else:          {text: "Else", within: []Word{If, Select, Trap, Hold}},
	EndIf:         {text: "EndIf", ends: If},
	For:           {text: "For", takes: true, loop: true, opens: EndFor},
	EndFor:        {text: "EndFor", ends: For},
	While:         {text: "While", takes: true, loop: true, opens: EndWhile},
	EndWhile:      {text: "EndWhile", ends: While},
	Repeat:        {text: "Repeat", loop: true, opens: EndRepeat},
	Until:         {text: "Until", takes: true},
	EndRepeat:     {text: "EndRepeat", ends: Repeat},
	Select:        {text: "Select", takes: true, opens: EndSelect},
	Case:          {text: "Case", takes: true, within: []Word{Select, Trap}},
	CaseList:      {text: "CaseList", takes: true, within: []Word{Select, Trap}},
	EndSelect:     {text: "EndSelect", ends: Select},
	Trap:          {text: "Trap", takes: true, opens: EndTrap},
	EndTrap:       {text: "EndTrap", ends: Trap},
	With:          {text: "With", takes: true, opens: EndWith},
	EndWith:       {text: "EndWith", ends: With},
	Hold:          {text: "Hold", takes: true, opens: EndHold},
	EndHold:       {text: "EndHold", ends: Hold},
	Disposable:    {text: "Disposable", takes: true, opens: EndDisposable},
	EndDisposable: {text: "EndDisposable", ends: Disposable},
	End:           {text: "End"},
	Return:        {text: "Return"},
	GoTo:          {text: "GoTo", takes: true},
	Leave:         {text: "Leave"},
	Continue:      {text: "Continue"},
	Section:       {text: "Section"},
	EndSection:    {text: "EndSection"},
	Implements:    {text: "Implements"},
}

func (w Word) String() string { return ":" + words[w].text }

// Closes reports whether w ends a structure of one kind.
func (w Word) Closes() bool { return words[w].ends != NoWord }

// Loop reports whether a structure that w opens is a loop.
func (w Word) Loop() bool { return words[w].loop }

// wordOf returns the control word of a spelling without the colon, in any case, or
// NoWord.
func wordOf(text string) Word {
	for w := If; w < numberOfWords; w++ {
		if strings.EqualFold(words[w].text, text) {
			return w
		}
	}
	return NoWord
}

// Triggers returns the names whose assignment calls the function: those of its lines
// `:Implements Trigger a,b`.
func (t *Tradfn) Triggers() (names []*Name) {
	for _, s := range t.Body {
		if l, ok := s.(*Loose); ok {
			s = l.Stmt
		}
		if c, ok := s.(*Control); ok && c.Word == Implements {
			names = append(names, c.Names...)
		}
	}
	return names
}
