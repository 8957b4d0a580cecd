package display

// formCheck checks a form of Picture.
type formCheck struct {
	form  []rune
	ranks []int // of the parts that are left
	bad   bool
}

// FormFits reports whether a form is right for parts of the given ranks.
func FormFits(form []rune, ranks []int) bool {
	c := &formCheck{form: form, ranks: ranks}
	c.value()
	return !c.bad && len(c.form) == 0 && len(c.ranks) == 0
}

func (c *formCheck) next() rune {
	if len(c.form) == 0 {
		c.bad = true
		return 0
	}
	r := c.form[0]
	c.form = c.form[1:]
	return r
}

func (c *formCheck) expect(r rune) { c.bad = c.next() != r || c.bad }

// parts takes parts of the given ranks; -1 is any.
func (c *formCheck) parts(ranks ...int) {
	for _, rank := range ranks {
		if len(c.ranks) == 0 || rank >= 0 && c.ranks[0] >= 0 && rank != c.ranks[0] {
			c.bad = true
			return
		}
		c.ranks = c.ranks[1:]
	}
}

// shape returns how many items a shape has, of at most as many as there are runes.
func (c *formCheck) shape() int {
	n, extent, open := 1, 0, false
	for !c.bad {
		r := c.next()
		switch {
		case r >= '0' && r <= '9':
			extent, open = 10*extent+int(r-'0'), true
			c.bad = c.bad || extent > 1<<20
		case r == ' ' || r == ':':
			if open {
				n *= extent
			}
			extent, open = 0, false
			c.bad = c.bad || n > 1<<20
		default:
			c.bad = true
		}
		if r == ':' {
			return n
		}
	}
	return 0
}

func (c *formCheck) value() {
	switch c.next() {
	case 'a':
		c.parts(-1)
	case '(':
		for n := c.shape(); n > 0 && !c.bad; n-- {
			c.value()
		}
		c.expect(')')
	case '*':
		c.column()
	case '@':
		c.column()
		c.parts(1)
	case '#':
		n := c.shape()
		c.bad = c.bad || n == 0
		c.columns(n)
	default:
		c.bad = true
	}
}

func (c *formCheck) columns(n int) {
	for ; n > 0 && !c.bad; n-- {
		c.column()
	}
}

// column returns the rank of the items, or -1.
func (c *formCheck) column() int {
	switch c.next() {
	case 'a':
		c.parts(1)
		return 0
	case 'r':
		c.parts(1, 1, 1)
		return 1
	case 'h':
		c.parts(1, 1, 1, 2)
	case '<':
		ranks := []int{}
		for len(c.form) > 0 && c.form[0] != '|' && !c.bad {
			ranks = append(ranks, c.column())
		}
		c.expect('|')
		item := &formCheck{form: c.form, ranks: ranks, bad: c.bad || len(ranks) == 0}
		item.value()
		c.form, c.bad = item.form, item.bad || len(item.ranks) > 0
		c.expect('>')
		return -1
	default:
		c.bad = true
	}
	return -1
}
