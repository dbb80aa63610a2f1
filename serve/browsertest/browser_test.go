package browsertest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
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
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var screenshots = flag.String("screenshots", "", "write screenshots into this `DIR`")

// patience is how long a condition may take to come true: long, since it is lost only where a
// test fails.
var patience = 3 * time.Minute

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
	flag.DurationVar(&patience, "patience", patience, "how long a condition may take to come true")
	flag.Parse()
	code := m.Run()
	for _, closing := range slices.Backward(browser.close) {
		closing()
	}
	site.end()
	os.Exit(code)
}

// tab is an open page, with what it said and asked for.
type tab struct {
	ctx context.Context
	t   *testing.T
	url string // of the server

	mu       sync.Mutex
	said     []string // errors and warnings
	requests []string
	expected int // status of a failure that the browser may note
}

// expect lets the browser note failures of a status, which a test brings about.
func (b *tab) expect(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = status
}

// open opens a page of the site: what stands behind the # of its address. When the test ends it
// fails if the page has complained or asked for anything of another server.
func open(t *testing.T, fragment string, before ...action) *tab {
	t.Helper()
	chromium(t) // before a server is started in vain
	return openAt(t, site.start(t), fragment, 0, before...)
}

// openAt opens a page of another server, whose failures of one status the browser may note.
func openAt(t *testing.T, url, fragment string, expected int, before ...action) *tab {
	t.Helper()
	path := chromium(t)
	// A browser context of its own: no tab keeps what another has stored.
	ctx, cancel := chromedp.NewContext(started(t, path), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{ctx: ctx, t: t, url: url, expected: expected}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	// A page that takes itself for the one that is looked at draws and runs its timers, whatever
	// other tabs are open.
	b.do(command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	b.do(before...)
	b.do(chromedp.Navigate(url + fragment))
	b.until(`document.querySelector("main h1")`)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, s := range b.said {
			t.Errorf("the page said %s", s)
		}
		for _, address := range b.requests {
			if !strings.HasPrefix(address, url) && !strings.HasPrefix(address, "data:") {
				t.Errorf("the page asked for %s", address)
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
		if b.expected != 0 && strings.Contains(e.Entry.Text, fmt.Sprintf("status of %d", b.expected)) {
			return
		}
		b.said = append(b.said, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// asked returns the addresses that the page has asked for.
func (b *tab) asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
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

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	if err := b.comes(expression); err != nil {
		body, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector("main")?.innerText ?? ""`))
		b.t.Fatalf("%s never came true: %v; the page says:\n%.2000s", expression, err, body)
	}
}

// comes waits for an expression to be true. One that throws, say of an element that is not there yet, is not.
// It looks by a timer and not at every frame, as a browser draws none where it sees no need.
func (b *tab) comes(expression string) error {
	ctx, cancel := b.limited()
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool]("(() => { try { return Boolean("+expression+"); } catch { return false; } })()",
		chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(20*time.Millisecond)))
	return err
}

// press clicks on the middle of what a selector finds, once it is there and nothing lies over it, and
// takes the mouse to the corner. Left where it was it would point at whatever comes to lie there.
func (b *tab) press(selector string) {
	b.t.Helper()
	place := fmt.Sprintf(`(() => {
	  const e = document.querySelector(%s);
	  e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
	  const r = e.getBoundingClientRect(), at = [r.left + r.width / 2, r.top + r.height / 2];
	  return e.contains(document.elementFromPoint(...at)) ? at : undefined;
	})()`, quote(selector))
	for deadline := time.Now().Add(patience); ; {
		b.until(place)
		at := get[[2]float64](b, place)
		get[any](b, fmt.Sprintf(`window.pressed = false, document.querySelector(%s).addEventListener("click", () => { window.pressed = true; }, { once: true, capture: true })`, quote(selector)))
		b.mouse("mouseMoved", at)
		b.mouse("mousePressed", at)
		b.mouse("mouseReleased", at)
		b.leave()
		if get[bool](b, `window.pressed`) {
			return
		}
		// It has moved between looking and pressing, as when an answer arrives.
		if time.Now().After(deadline) {
			b.t.Fatalf("%s was at %v and was never pressed", selector, at)
		}
	}
}

// mouse sends an event of the mouse at a place of the window.
func (b *tab) mouse(kind input.DispatchMouseEventType, at [2]float64) {
	b.t.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1]}
	if kind != "mouseMoved" {
		p.Button, p.ClickCount = "left", 1
	}
	b.do(command(input.DispatchMouseEvent, p))
}

// leave takes the mouse to the corner of the window, where nothing heeds it.
func (b *tab) leave() {
	b.t.Helper()
	b.mouse("mouseMoved", [2]float64{0, 0})
}

// key presses a key by its name, such as Tab or y.
func (b *tab) key(name string) {
	b.t.Helper()
	down := input.DispatchKeyEventParams{Type: "keyDown", Key: name, Code: name}
	switch name {
	case "Enter":
		down.Text, down.WindowsVirtualKeyCode = "\r", 13
	case "Tab":
		down.WindowsVirtualKeyCode = 9
	default:
		down.Text, down.Code = name, "Key"+strings.ToUpper(name)
	}
	up := down
	up.Type, up.Text = "keyUp", ""
	b.do(command(input.DispatchKeyEvent, down), command(input.DispatchKeyEvent, up))
}

// write types a text into what has the focus.
func (b *tab) write(text string) {
	b.t.Helper()
	b.do(command(input.InsertText, input.InsertTextParams{Text: text}))
}

// fill replaces the text of an editor as somebody who selects all and types.
func (b *tab) fill(selector, text string) {
	b.t.Helper()
	get[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus(); e.select(); return true; })()`, selector))
	if text == "" {
		get[bool](b, `document.execCommand("delete")`)
		return
	}
	b.write(text)
}

// size makes the window so large; phones have fingers and three pixels for one.
func size(width, height int64, phone bool) action {
	scale := 1.0
	if phone {
		scale = 3
	}
	return command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: scale, Mobile: phone})
}

// theme pretends that the user prefers one.
func theme(name string) action {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// shoot writes a picture of what the window shows, if the test was asked to.
func (b *tab) shoot(name string) {
	b.t.Helper()
	if *screenshots == "" {
		return
	}
	picture := run(b, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{})
		return r.Data, err
	})
	if err := os.WriteFile(filepath.Join(*screenshots, name), picture, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// quote makes a text a string of JavaScript.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string does not fail
	return string(b)
}

// listen returns a listener on a free port of this machine.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}
