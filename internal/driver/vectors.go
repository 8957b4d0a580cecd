package driver

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Vectors is what the C compiler says about the lines of a source.
type Vectors struct {
	// Done has the widths, "32 bytes" or "4 lanes", of the vector code that
	// the loop at a line became.
	Done map[int][]string
	// Missed says why the loop at a line did not become vector code.
	Missed map[int]string
}

// VectorReport compiles a source and returns the C compiler's report.
func (cc *Compiler) VectorReport(source string, o Options) (*Vectors, error) {
	dir, err := os.MkdirTemp("", "tailor-report-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeRunTime(dir); err != nil {
		return nil, err
	}
	file, report := filepath.Join(dir, "program.c"), filepath.Join(dir, "report")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return nil, err
	}
	args := append(cc.Flags(o, source), "-c", "-o", filepath.Join(dir, "program.o"), file)
	if !cc.Clang {
		if err := cc.run(dir, append(args, "-fopt-info-vec-optimized-missed="+report)...); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(report)
		return gccVectors(string(text)), err
	}
	out, err := cc.output(dir, append(args, "-Rpass=loop-vectorize", "-Rpass-analysis=loop-vectorize")...)
	return clangVectors(out), err
}

var (
	gccLine   = regexp.MustCompile(`(?m)program\.c:(\d+):\d+: (optimized|missed): +(.*)$`)
	gccWidth  = regexp.MustCompile(`^loop vectorized using (\S+) byte vectors`)
	clangLine = regexp.MustCompile(`(?m)program\.c:(\d+):\d+: remark: (.*?) \[-Rpass`)
	clangWide = regexp.MustCompile(`^vectorized loop \(vectorization width: (\d+)`)
)

// gccVectors reads the report of gcc: a loop that is missed is named by its
// line, and the next message says why, at the line of the culprit.
func gccVectors(text string) *Vectors {
	v := &Vectors{Done: map[int][]string{}, Missed: map[int]string{}}
	missed := 0
	for _, m := range gccLine.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[1])
		if w := gccWidth.FindStringSubmatch(m[3]); w != nil {
			v.Done[line] = append(v.Done[line], w[1]+" bytes")
			continue
		}
		switch {
		case m[3] == "couldn't vectorize loop":
			missed = line
		case missed > 0 && strings.HasPrefix(m[3], "not vectorized: "):
			if v.Missed[missed] == "" {
				v.Missed[missed] = strings.TrimSuffix(strings.TrimPrefix(m[3], "not vectorized: "), ".")
			}
			missed = 0
		}
	}
	return v
}

func clangVectors(text string) *Vectors {
	v := &Vectors{Done: map[int][]string{}, Missed: map[int]string{}}
	for _, m := range clangLine.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[1])
		if w := clangWide.FindStringSubmatch(m[2]); w != nil {
			v.Done[line] = append(v.Done[line], w[1]+" lanes")
		} else if why, ok := strings.CutPrefix(m[2], "loop not vectorized: "); ok {
			v.Missed[line] = why
		}
	}
	return v
}
