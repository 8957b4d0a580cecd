package profile

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

// barWidth is the width of the heat bar, in characters.
const barWidth = 10

// Table writes the profile as a table of the lines that hold code, in their order. Width
// is that of the terminal, 0 where lines are not cut.
func (p *Profile) Table(w io.Writer, width int) {
	fmt.Fprintf(w, "%s: %s, target %s\n", name(p.Source.Name), duration(p.Time), p.Target)
	fmt.Fprintf(w, "%5s  %-*s %4s  %8s  %8s  %8s  %7s\n", "line", barWidth, "share", "", "time", "runs", "bytes", "allocs")
	for _, line := range p.Code {
		row := p.row(line)
		text := strings.TrimRight(p.Source.Line(line), " \t")
		if room := width - runewidth.StringWidth(row); width > 0 {
			text = runewidth.Truncate(text, max(room, 1), "…")
		}
		fmt.Fprintf(w, "%s%s\n", row, text)
	}
	if p.Share(p.Other) >= 0.001 {
		fmt.Fprintf(w, "%5s  %-*s %4s  %8s\n", "", barWidth, bar(p.Share(p.Other)), percent(p.Share(p.Other)), duration(p.Other))
	}
}

// row returns the columns before the text of a line.
func (p *Profile) row(line int) string {
	c, counted := p.Lines[line]
	if !counted {
		return fmt.Sprintf("%5d  %-*s%s", line, barWidth, "·", strings.Repeat(" ", 46))
	}
	share := p.Share(c.Time)
	bytes, allocs := "", ""
	if c.Allocations > 0 {
		bytes, allocs = size(c.Bytes), count(c.Allocations)
	}
	return fmt.Sprintf("%5d  %s %4s  %8s  %8s  %8s  %7s  ", line, pad(bar(share), barWidth), percent(share), duration(c.Time), count(c.Runs), bytes, allocs)
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-runewidth.StringWidth(s), 0))
}

// name is what a source without a name is called.
func name(s string) string {
	if s == "" {
		return "the program"
	}
	return s
}

// bar returns a bar of eighths of characters for a share from 0 to 1.
func bar(share float64) string {
	eighths := int(share*barWidth*8 + 0.5)
	parts := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	return strings.Repeat("█", eighths/8) + parts[eighths%8]
}

func percent(share float64) string {
	if share < 0.005 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// duration writes a time with three digits.
func duration(t time.Duration) string {
	switch {
	case t < time.Microsecond/10:
		return "0 µs"
	case t >= 100*time.Second:
		return fmt.Sprintf("%.0f s", t.Seconds())
	case t >= time.Second:
		return fmt.Sprintf("%.3g s", t.Seconds())
	case t >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(t)/1e6)
	}
	return fmt.Sprintf("%.3g µs", float64(t)/1e3)
}

// size writes a number of bytes with three digits.
func size(n int64) string { return scaled(n, []string{"B", "kB", "MB", "GB", "TB"}, " ") }

// count writes a number with three digits, where it is large.
func count(n int64) string {
	if n < 100_000 {
		return fmt.Sprint(n)
	}
	return scaled(n, []string{"", "k", "M", "G", "T"}, "")
}

func scaled(n int64, units []string, between string) string {
	x, i := float64(n), 0
	for x >= 999.5 && i < len(units)-1 {
		x /= 1000
		i++
	}
	if x >= 99.95 || i == 0 {
		return fmt.Sprintf("%.0f%s%s", x, between, units[i])
	}
	return fmt.Sprintf("%.3g%s%s", x, between, units[i])
}
