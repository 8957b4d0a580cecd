package site

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func all(t *testing.T) map[string]*Page {
	pages, err := Pages(os.DirFS("../../docs"))
	require.NoError(t, err)
	named := map[string]*Page{}
	for _, p := range pages {
		named[p.Name] = p
	}
	return named
}

// Every file of docs is a page.
func TestAllPages(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	pages := all(t)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".md")
		if assert.NotNil(t, pages[name], "groups lack %s", name) {
			assert.NotEmpty(t, pages[name].Description, name)
		}
	}
	assert.Len(t, pages, len(files))
}

var (
	target = regexp.MustCompile(`href="([^"]*)"`)
	anchor = regexp.MustCompile(`id="([^"]*)"`)
)

// Links lead to pages and sections that there are.
func TestLinks(t *testing.T) {
	pages := all(t)
	for _, p := range pages {
		for _, m := range target.FindAllStringSubmatch(string(p.Body), -1) {
			name, place, _ := strings.Cut(m[1], "#")
			to := p
			if name != "" {
				to = pages[strings.TrimSuffix(name, ".html")]
			}
			if !assert.NotNil(t, to, "%s: %s", p.Name, m[1]) || place == "" {
				continue
			}
			found := false
			for _, a := range anchor.FindAllStringSubmatch(string(to.Body), -1) {
				found = found || a[1] == place
			}
			assert.True(t, found, "%s: %s", p.Name, m[1])
		}
	}
}

// Programs with what they show are examples; the elements of each are closed.
func TestFences(t *testing.T) {
	p, err := page("p", []byte("# P\n\nText.\n\n```apl\n⍳3<4\n```\n```text\n1\n```\n```types\nx : int\n```\n\nMore.\n\n```sh\nls\n```\n\n```apl\n2\n```\n"))
	require.NoError(t, err)
	assert.Equal(t, `<h1 id="p">P</h1>
<p>Text.</p>
<div class="example apl"><pre class="code program" tabindex="0">⍳3&lt;4
</pre>
<figure class="shown text"><figcaption>shows</figcaption><pre tabindex="0">1
</pre></figure>
<figure class="shown types"><figcaption>has the types</figcaption><pre tabindex="0">x : int
</pre></figure>
</div>
<p>More.</p>
<pre class="code" tabindex="0">ls
</pre>
<div class="example apl"><pre class="code program" tabindex="0">2
</pre>
</div>
`, string(p.Body))
	for _, p := range all(t) {
		for _, tag := range []string{"div", "figure", "pre", "table", "ul"} {
			assert.Equal(t, strings.Count(string(p.Body), "<"+tag), strings.Count(string(p.Body), "</"+tag+">"), "%s: %s", p.Name, tag)
		}
	}
}

// A link to a file that is no page is text.
func TestOtherFiles(t *testing.T) {
	p, err := page("p", []byte("# P\n\n[a `b`](../README.md), [c](types.md#shapes), [d](https://example.org)\n"))
	require.NoError(t, err)
	assert.Contains(t, string(p.Body), `<p>a <code>b</code>, <a href="types.html#shapes">c</a>, d</p>`)
}

// Pages load nothing from elsewhere.
func TestNothingFromElsewhere(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(os.DirFS("../../docs"), dir))
	outside := regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//|@import`)
	files, err := filepath.Glob(dir + "/*.html")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		assert.NotRegexp(t, outside, string(text), f)
	}
}
