//go:build browser

package page

import (
	"compress/gzip"
	"context"
	"io"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/internal/site"
)

// browser is a tab of Chromium with the page, as make page builds it.
type browser struct {
	*testing.T
	ctx context.Context
	url string

	mutex    sync.Mutex
	said     []string // by the console
	foreign  []string // requests elsewhere
	requests int
}

// TestBrowser builds the page and uses it in headless Chromium.
func TestBrowser(t *testing.T) {
	if !sampling.All() {
		t.Skip("the page is built and tried in Chromium by make test-all (" + sampling.Variable + "=all)")
	}
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		t.Skip("Chromium is not installed (Debian's package chromium)")
	}
	server := httptest.NewServer(Handler(os.DirFS(built(t))))
	t.Cleanup(server.Close)
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	all, cancel := chromedp.NewExecAllocator(context.Background(), o...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(all)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	b := &browser{T: t, ctx: ctx, url: server.URL + "/"}
	chromedp.ListenTarget(ctx, b.hear)
	b.do(network.Enable(), chromedp.EmulateViewport(1280, 900), chromedp.Navigate(b.url))
	b.ready()
	for _, c := range []struct {
		name string
		run  func(*browser)
	}{
		{"Speed", (*browser).speed}, {"Typing", (*browser).typing}, {"Messages", (*browser).messages},
		{"Interrupt", (*browser).interrupt}, {"Deep", (*browser).deep}, {"Flood", (*browser).flood}, {"Lesson", (*browser).lesson},
		{"Views", (*browser).views}, {"Costs", (*browser).costs}, {"Line", (*browser).line}, {"Share", (*browser).share}, {"Files", (*browser).files}, {"Pictures", (*browser).pictures}, {"Tables", (*browser).tables},
		{"Keyboard", (*browser).keyboard}, {"Checks", (*browser).checks}, {"Phone", (*browser).phone},
		{"Documentation", (*browser).documentation},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			c.run(b)
		})
	}
	assert.Empty(t, b.said, "the console")
	assert.Empty(t, b.foreign, "requests elsewhere")
	assert.Positive(t, b.requests)
}

// built returns a folder with the files of the page and the program.
func built(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, Files()))
	wasm := filepath.Join(t.TempDir(), "tailor.wasm")
	cmd := exec.Command("go", "build", "-tags", "minimal", "-trimpath", "-ldflags=-s -w", "-o", wasm, "../cmd/page")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o600))
	require.NoError(t, site.Write(os.DirFS("../docs"), filepath.Join(dir, "docs")))
	from, err := os.Open(wasm)
	require.NoError(t, err)
	defer from.Close()
	to, err := os.Create(filepath.Join(dir, Program))
	require.NoError(t, err)
	w, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = io.Copy(w, from)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, to.Close())
	return dir
}

// hear notes what the console says and what is requested.
func (b *browser) hear(event any) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			b.said = append(b.said, string(a.Value)+a.Description)
		}
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Error())
	case *network.EventRequestWillBeSent:
		b.requests++
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" && u.Scheme != "blob" && !strings.HasPrefix(e.Request.URL, b.url) {
			b.foreign = append(b.foreign, e.Request.URL)
		}
	}
}

func (b *browser) do(actions ...chromedp.Action) {
	b.Helper()
	require.NoError(b, chromedp.Run(b.ctx, actions...))
}

// waits waits until an expression is true.
func (b *browser) waits(expression string) {
	b.Helper()
	err := chromedp.Run(b.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(30*time.Second)))
	if err != nil {
		b.Fatalf("%v: %s\nresult: %s\nstatus: %s", err, expression, b.text("result"), b.text("status"))
	}
}

func (b *browser) ready() { b.waits(`document.documentElement.dataset.ready !== undefined`) }

// asks returns the value of an expression.
func asks[T any](b *browser, expression string) (v T) {
	b.Helper()
	b.do(chromedp.Evaluate(expression, &v))
	return v
}

func (b *browser) text(id string) string {
	return asks[string](b, `document.getElementById("`+id+`").innerText`)
}

// write puts a program into the editor, as pasting does.
func (b *browser) write(text string) {
	b.do(chromedp.Evaluate(`(() => { const p = document.getElementById("program"); p.focus(); p.select(); return document.execCommand("insertText", false, `+quoted(text)+`) })()`, nil))
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// runs runs a program and returns the result.
func (b *browser) runs(text string) string {
	b.write(text)
	b.do(chromedp.Click("#run"))
	b.waits(`!document.getElementById("run").disabled && document.getElementById("status").textContent !== "Running…"`)
	return b.text("result")
}

func (b *browser) speed() {
	load := asks[float64](b, `Number(document.documentElement.dataset.ready)`)
	begin := time.Now()
	assert.Contains(b, b.runs("+/⍳100"), "5050")
	b.Logf("ready after %.0f ms, first result after %d ms", load, time.Since(begin).Milliseconds())
	assert.Less(b, load, 20_000.0, "many times what it takes on a machine that has nothing else to do")
}

func (b *browser) typing() {
	b.write("")
	b.do(chromedp.SendKeys("#program", "2 3`r`i6 `, ``"))
	assert.Equal(b, "2 3⍴⍳6 ⍝ ⋄", asks[string](b, `document.getElementById("program").value`))
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)))
	b.waits(`document.getElementById("result").innerText.includes("4 5 6")`)
	assert.Contains(b, b.text("result"), "[int]2 · 2 3")
	b.write("")
	b.do(chromedp.Click(`#glyphs button[title^="iota;"]`), chromedp.SendKeys("#program", "3"))
	assert.Equal(b, "⍳3", asks[string](b, `document.getElementById("program").value`))
}

func (b *browser) messages() {
	b.write("a←1 2 3\nb←4 5\na+b")
	b.waits(`document.getElementById("messages").innerText.includes("LENGTH ERROR")`)
	assert.Contains(b, b.text("messages"), "Line 3, column 2: LENGTH ERROR: shapes 3 and 2 differ on axis 1 [E0301]")
	assert.Contains(b, b.text("marks"), "LENGTH ERROR")
	b.do(chromedp.Click("#messages button"))
	assert.Equal(b, "+", asks[string](b, `(() => { const p = document.getElementById("program"); return p.value.slice(p.selectionStart, p.selectionEnd) })()`))
	assert.Contains(b, b.runs("x←0\n𝕏←1\n'😀',1÷x"), "DOMAIN ERROR")
	b.write("1+1")
	b.waits(`document.getElementById("messages").innerText === ""`)
}

func (b *browser) interrupt() {
	for _, endless := range []string{"{⍵}⍣{0}1", ":While 1\n  x←⍳10\n:EndWhile"} {
		b.write(endless)
		b.do(chromedp.Click("#run"))
		b.waits(`!document.getElementById("stop").disabled`)
		time.Sleep(300 * time.Millisecond)
		b.do(chromedp.Click("#stop"))
		b.waits(`document.getElementById("result").innerText.includes("interrupted")`)
		assert.Contains(b, b.runs("6×7"), "42")
	}
}

// Recursion without end is an error of the program, and never the end of the page.
func (b *browser) deep() {
	assert.NotEmpty(b, b.runs("{1+∇ ⍵}1"))
	assert.Contains(b, b.runs("6×7"), "42")
}

func (b *browser) flood() {
	assert.Contains(b, b.runs("{⎕←⍵}¨⍳5000 ⋄ 0 0⍴0"), "and ")
	assert.Contains(b, b.runs("6×7"), "42")
}

func (b *browser) lesson() {
	b.do(chromedp.Click("#learn"))
	b.waits(`!document.getElementById("lesson").hidden && document.getElementById("lesson-text").innerText.includes("Your turn")`)
	assert.Equal(b, "1 of 10", b.text("lesson-place"))
	b.do(chromedp.Click("#run"))
	b.waits(`document.getElementById("result").innerText.includes("20 30 50")`)
	assert.Empty(b, b.text("lesson-verdict"))
	assert.Contains(b, b.runs("1 2 3 4÷2"), "0.5 1 1.5 2")
	assert.Contains(b, b.text("lesson-verdict"), "Right")
	b.do(chromedp.Click("#lesson-next"), chromedp.Click("#lesson-answer"), chromedp.Click("#run"))
	b.waits(`document.getElementById("lesson-verdict").innerText.includes("Right")`)
	b.do(chromedp.Click("#learn"))
	b.waits(`document.getElementById("lesson").hidden`)
}

func (b *browser) views() {
	b.write("f←{+/⍵*2} ⍝: <double>n → double\nx←f ?1000⍴0\nx")
	for tab, want := range map[string]string{"types": "double]n → double|<double>n → double", "tail": "reduce(", "c": "int main(", "opencl": "__kernel"} {
		b.do(chromedp.Click("#tab-" + tab))
		b.waits(`["` + strings.ReplaceAll(want, "|", `","`) + `"].some((t) => document.getElementById("view-` + tab + `").innerText.includes(t))`)
	}
	b.do(chromedp.Click("#tab-result"))
}

// Lines have a background by their share of the time, and a run that does not end can be
// stopped.
func (b *browser) costs() {
	b.write("⍝ squares\nx←⍳300000\n+/x*2.5\n≢x")
	b.do(chromedp.Click("#tab-costs"), chromedp.Click("#measure"))
	b.waits(`document.querySelectorAll("#view-costs tbody tr").length === 3`)
	assert.Contains(b, b.text("view-costs"), "+/x*2.5")
	shares := asks[[]string](b, `[...document.querySelectorAll("#view-costs tbody tr")].map((r) => r.style.getPropertyValue("--share"))`)
	require.Len(b, shares, 3)
	assert.Regexp(b, `^\d+%$`, shares[1])
	assert.NotEqual(b, "rgba(0, 0, 0, 0)", asks[string](b, `getComputedStyle(document.querySelectorAll("#view-costs tbody tr")[1]).backgroundColor`))
	b.write("{⍵+1}⍣{0}⊢0")
	b.do(chromedp.Click("#measure"), chromedp.Click("#stop"))
	b.waits(`document.getElementById("view-costs").innerText.includes("interrupted")`)
	b.do(chromedp.Click("#tab-result"))
	b.ready()
}

func (b *browser) line() {
	b.runs("f←{⍵×2}\nx←f 21")
	b.do(chromedp.SendKeys("#entry", "x,f 4"+kb.Enter))
	b.waits(`document.getElementById("result").innerText.includes("42 8")`)
}

func (b *browser) share() {
	const text = "⍝ shared: 'é' 😀\n+/⍳7"
	b.write(text)
	b.do(chromedp.Click("#share"))
	b.waits(`location.hash.startsWith("#p=")`)
	address := asks[string](b, `location.href`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.ready()
	assert.Equal(b, text, asks[string](b, `document.getElementById("program").value`))
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+"#p=nonsense"))
	b.ready()
	assert.Contains(b, asks[string](b, `document.getElementById("program").value`), "Averages")
}

func (b *browser) files() {
	for _, text := range []string{"⊃⎕NGET '/etc/passwd'", "'x' ⎕NPUT 'y'", "⎕CSV 'a.csv'", "⎕SH 'ls'", "]load /etc/passwd", "]save x.apl"} {
		assert.Contains(b, b.runs(text), "neither files nor a shell", text)
	}
}

// Pictures are drawn, and said in words.
func (b *browser) pictures() {
	b.runs("⎕PLOT 1○0.1×⍳100\n'heat' ⎕PLOT (⍳9)∘.×⍳9")
	b.waits(`[...document.querySelectorAll("#result img")].filter((i) => i.complete && i.naturalWidth > 100).length === 2`)
	assert.Equal(b, "heat map of 9 by 9", asks[string](b, `document.querySelectorAll("#result img")[1].alt`))
}

// Nested matrices are tables.
func (b *browser) tables() {
	b.runs("2 2⍴'ann' 31 'bob'(2 2⍴⍳4)")
	assert.Equal(b, []string{"ann", "31", "bob", "1 2\n3 4"}, asks[[]string](b, `[...document.querySelectorAll("#result table.items td")].map((c) => c.innerText.trim())`))
}

// The keyboard leads to every control, and the focus is seen.
func (b *browser) keyboard() {
	b.do(chromedp.Evaluate(`document.activeElement.blur(); window.scrollTo(0, 0)`, nil), chromedp.Focus("#run"))
	visited := map[string]bool{}
	for range 40 {
		visited[asks[string](b, `document.activeElement.id || document.activeElement.parentElement.id`)] = true
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	for _, id := range []string{"run", "examples", "learn", "share", "theme", "glyphs", "program", "tab-result", "view-result", "entry"} {
		assert.True(b, visited[id], id)
	}
	b.do(chromedp.Focus("#glyphs button[tabindex='0']"), chromedp.KeyEvent(kb.ArrowRight))
	assert.Equal(b, "÷", asks[string](b, `document.activeElement.textContent`))
	b.do(chromedp.Focus("#tab-result"), chromedp.KeyEvent(kb.ArrowRight))
	assert.Equal(b, "true", asks[string](b, `document.getElementById("tab-types").getAttribute("aria-selected")`))
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
}

// faults is a script that returns what is wrong with the page for people who see or hear
// it otherwise: controls without names, texts with little contrast, small targets.
const faults = `(() => {
  const all = [];
  const shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden" && !e.closest(".unseen");
  const name = (e) => e.getAttribute("aria-label") || (e.labels?.length > 0 && e.labels[0].textContent) || (e.getAttribute("aria-labelledby") && document.getElementById(e.getAttribute("aria-labelledby"))?.textContent) || e.textContent.trim();
  if (!document.title || !document.documentElement.lang) all.push("no title or language");
  if (!document.querySelector("meta[name=description]") || !document.querySelector("meta[name=viewport]")) all.push("no description or viewport");
  if (document.querySelectorAll("h1").length !== 1) all.push("headings");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) all.push("an id occurs twice");
  for (const e of document.querySelectorAll("[aria-controls],[aria-labelledby],[aria-describedby],[for]"))
    for (const a of ["aria-controls", "aria-labelledby", "aria-describedby", "for"])
      for (const id of (e.getAttribute(a) ?? "").split(" ").filter(Boolean)) if (!ids.includes(id)) all.push("no element " + id);
  for (const e of document.querySelectorAll("button,input,select,textarea,img")) {
    if (e.tagName === "IMG" ? !e.alt : !name(e)) all.push("no name: " + e.outerHTML.slice(0, 80));
    const box = e.getBoundingClientRect();
    if (shown(e) && (box.width < 24 || box.height < 24)) all.push("small: " + e.outerHTML.slice(0, 80));
  }
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (text) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !shown(e) || e.disabled || e.id === "program" || e.tagName === "OPTION") continue;
    let under = e;
    while (under && colour(getComputedStyle(under).backgroundColor)[3] === 0) under = under.parentElement;
    const [x, y] = [light(colour(getComputedStyle(e).color)), light(colour(getComputedStyle(under ?? document.body).backgroundColor))];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) all.push("contrast " + ratio.toFixed(2) + ": " + e.outerHTML.slice(0, 80));
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) all.push("wider than the screen: " + document.documentElement.scrollWidth);
  return all;
})()`

// crowded shows all that the page can show.
func (b *browser) crowded() {
	b.runs("f←{⍵+1} ⍝ note\n'text',⍕f 1E3\nx←⍳3\nx+1 2")
	if asks[bool](b, `document.getElementById("lesson").hidden`) {
		b.do(chromedp.Click("#learn"))
	}
	b.runs("f←{⍵+1} ⍝ note\n'text',⍕f 1E3\nx←⍳3\nx+1 2")
	b.waits(`document.getElementById("messages").innerText.includes("LENGTH")`)
}

func (b *browser) checks() {
	b.crowded()
	for range 3 { // as the system has them, light, dark
		assert.Empty(b, asks[[]string](b, faults))
		b.do(chromedp.Click("#theme"))
	}
}

func (b *browser) phone() {
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	b.crowded()
	assert.Empty(b, asks[[]string](b, faults))
	for _, tab := range []string{"types", "tail", "c", "opencl", "costs", "result"} {
		b.do(chromedp.Click("#tab-" + tab))
		assert.LessOrEqual(b, asks[int](b, `document.documentElement.scrollWidth`), 360)
	}
}

// documentation looks at every page of the documentation as a phone and as a large screen
// show it, light and dark, and runs an example.
func (b *browser) documentation() {
	pages, err := site.Pages(os.DirFS("../docs"))
	require.NoError(b, err)
	for _, p := range pages {
		b.do(chromedp.Navigate(b.url + "docs/" + p.Name + ".html"))
		b.ready()
		for _, width := range []int64{1280, 360} {
			b.do(chromedp.EmulateViewport(width, 800))
			for range 2 { // two of the colours, the third on the page after it
				assert.Empty(b, asks[[]string](b, faults), "%s, %d wide", p.Name, width)
				b.do(chromedp.Click("#theme"))
			}
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(b.url+"docs/index.html"))
	b.ready()
	b.do(chromedp.SendKeys(".example textarea", "\n6`-7"), chromedp.Click(".example button.main"))
	b.waits(`document.querySelector(".example .result").innerText.includes("42")`)
	assert.Equal(b, "none", asks[string](b, `getComputedStyle(document.querySelector(".example .shown")).display`))
	b.do(chromedp.SetValue(".example textarea", "1 2+3 4 5"), chromedp.Click(".example button.main"))
	b.waits(`document.querySelector(".example .marks").innerText.includes("LENGTH ERROR")`)
	b.do(chromedp.SetValue(".example textarea", "{⍵}⍣{0}1"), chromedp.Click(".example button.main"))
	b.waits(`document.querySelector(".example .actions button:nth-child(2)").getClientRects().length > 0`)
	time.Sleep(200 * time.Millisecond)
	b.do(chromedp.Click(".example .actions button:nth-child(2)"))
	b.waits(`document.querySelector(".example .result").innerText.includes("interrupted")`)
}
