package browsertest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/alike-go/alike/eval/report"
)

var screenshots = flag.String("screenshots", "", "write screenshots into this `DIR`")

// patience is how long a condition may take to come true: long, since it is lost only where a
// test fails.
const patience = 3 * time.Minute

// chromium returns the path of a browser. Without one the test is skipped, or fails where
// services are required.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("ALIKE_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("ALIKE_REQUIRE_SERVICES") != "" {
		t.Fatal("no Chromium found; install it, or name it in ALIKE_CHROMIUM")
	}
	t.Skip("no Chromium found; install it, or name it in ALIKE_CHROMIUM")
	return ""
}

// browser is the one that all tests open their tabs in: starting one takes longer than most
// of them.
var browser struct {
	once  sync.Once
	ctx   context.Context
	close []context.CancelFunc
	err   error
}

// started returns the context of the browser.
func started(t *testing.T, path string) context.Context {
	t.Helper()
	browser.once.Do(func() {
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
			chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1200, 900), chromedp.WSURLReadTimeout(patience))
		ctx, closing := chromedp.NewExecAllocator(context.Background(), options...)
		browser.close = append(browser.close, closing)
		browser.ctx, closing = chromedp.NewContext(ctx)
		browser.close = append(browser.close, closing)
		browser.err = chromedp.Do(browser.ctx)
	})
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	return browser.ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, closing := range slices.Backward(browser.close) {
		closing()
	}
	os.Exit(code)
}

// tab is an open page, with what it said and asked for.
type tab struct {
	ctx context.Context
	t   *testing.T

	mu       sync.Mutex
	said     []string // errors and warnings
	requests []string
}

// open writes the report to a file and opens it. When the test ends it fails if the page has
// complained or asked for anything.
func open(t *testing.T, in report.Input, o report.Options, before ...action) *tab {
	t.Helper()
	path := chromium(t)
	file := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Write(f, in, o); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// A browser context of its own: no tab keeps what another has stored.
	ctx, cancel := chromedp.NewContext(started(t, path), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{ctx: ctx, t: t}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	// A page that takes itself for the one that is looked at draws and runs its timers, whatever
	// other tabs are open.
	b.do(command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	b.do(before...)
	b.do(chromedp.Navigate("file://" + file))
	b.drawn()
	get[any](b, helpers)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, s := range b.said {
			t.Errorf("the page said %s", s)
		}
		for _, url := range b.requests {
			if !strings.HasPrefix(url, "file://"+file) && !strings.HasPrefix(url, "data:") {
				t.Errorf("the page asked for %s", url)
			}
		}
		if len(b.requests) == 0 {
			t.Error("no request was seen, not even that for the page")
		}
	})
	return b
}

// hear takes note of what the page says and asks for.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		b.said = append(b.said, fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

type action = chromedp.Action[chromedp.Void]

// command is an action that sends a command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) action {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, params)
		return chromedp.Void{}, err
	}
}

// limited bounds an action: a browser that does not answer fails the test.
func (b *tab) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(b.ctx, patience)
}

func (b *tab) do(actions ...action) {
	b.t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// get evaluates an expression.
func get[T any](b *tab, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression))
}

func run[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	out, err := chromedp.Run(ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// until waits for an expression to be true. One that throws, say of a chart that is being drawn anew, is not.
// It looks by a timer and not at every frame, as a browser draws none where it sees no need.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool]("(() => { try { return Boolean("+expression+"); } catch { return false; } })()",
		chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
		b.t.Fatalf("%s never came true: %v", expression, err)
	}
}

// drawn waits until all charts are.
func (b *tab) drawn() {
	b.t.Helper()
	b.until(`document.querySelectorAll("figure[data-chart], .passages").length > 0 && !document.querySelector("figure[data-chart]:not([data-drawn])")`)
}

func (b *tab) press(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// size makes the window so large; phones have fingers and three pixels for one.
func size(width, height int64, phone bool) action {
	scale := 1.0
	if phone {
		scale = 3
	}
	return command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: scale, Mobile: phone})
}

// media pretends a medium, and that its user prefers a theme.
func media(medium, theme string) action {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

// shoot writes a picture of part of the page, from the top of one element to the bottom of
// another, if the test was asked to.
func (b *tab) shoot(name, from, to string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	box := func(selector string) [4]float64 {
		return get[[4]float64](b, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY]; })()`, selector))
	}
	first, last := box(from), box(to)
	yes := true
	picture := run(b, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		clip := &page.Viewport{X: first[0] - 12, Y: max(0, first[1]-12), Width: first[2] - first[0] + 24, Height: last[3] - first[1] + 24, Scale: 1}
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &yes, Clip: clip})
		return r.Data, err
	})
	if err := os.WriteFile(filepath.Join(*screenshots, name), picture, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// helpers tell where a mark lies by what the ticks beside it say.
const helpers = `0;
function scale(figure, side, log) {
  const along = side === "x" ? 0 : 1;
  const value = (s) => parseFloat(s) * ({ k: 1e3, M: 1e6, G: 1e9 }[s.at(-1)] ?? 1);
  const ticks = [...document.querySelectorAll(figure + " g[aria-label='" + side + "-axis tick label'] text")]
    .filter((t) => t.textContent)
    .map((t) => [t.transform.baseVal[0].matrix[along ? "f" : "e"], value(t.textContent)])
    .map(([at, v]) => [at, log ? Math.log(v) : v]);
  const [a, z] = [ticks[0], ticks.at(-1)];
  return (at) => { const v = a[1] + ((at - a[0]) / (z[0] - a[0])) * (z[1] - a[1]); return log ? Math.exp(v) : v; };
}
function at(figure, marks, i, log) {
  const m = document.querySelectorAll(figure + " " + marks)[i].transform.baseVal[0].matrix;
  return [scale(figure, "x", log)(m.e), scale(figure, "y")(m.f)];
}
`
