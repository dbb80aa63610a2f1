// Package browsertest looks at the pages of alike serve in a real browser. It is a module of its
// own, so that who uses alike need not know of the browser's protocol.
package browsertest
