package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/alike-go/alike/datasets"
)

// Each journey is a script of commands as a user types them in an empty folder.
//
//	alike pairs titles.csv -t .8        runs the command, which must exit with 0
//	exits 1 alike leak train test       runs a command, which must exit with 1
//	exits 0 sh -c 'cat a | alike ...'   runs a pipe
//	[!data] skip 'no shared data'       stops where the shared data is absent
//
// Everything else is as in package testscript: stdin, stdout, stderr, cmp, exists.
func TestJourneys(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shared, data := datasets.SharedDir()
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "journeys"),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			bin := filepath.Join(env.WorkDir, ".bin")
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("ALIKE_TEST_COMMAND", "1")
			if data {
				dir, err := filepath.Abs(shared)
				if err != nil {
					return err
				}
				env.Setenv("ALIKE_DATA", dir)
			}
			if err := os.Mkdir(bin, 0o777); err != nil {
				return err
			}
			return os.Symlink(self, filepath.Join(bin, "alike"))
		},
		Condition: func(cond string) (bool, error) {
			switch {
			case cond != "data":
				return false, fmt.Errorf("unknown condition %s", cond)
			case !data && os.Getenv("ALIKE_REQUIRE_DATA") == "1":
				return false, errors.New("no data sets in ../shared/data or ALIKE_DATA, and ALIKE_REQUIRE_DATA=1")
			}
			return data, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"alike": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg {
					ts.Fatalf("say with exits which status is wanted")
				}
				exits(ts, 0, "alike", args)
			},
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exits STATUS COMMAND...")
				}
				status, err := strconv.Atoi(args[0])
				ts.Check(err)
				exits(ts, status, args[1], args[2:])
			},
		},
	})
}

func exits(ts *testscript.TestScript, status int, name string, args []string) {
	err := ts.Exec(name, args...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != status {
		ts.Fatalf("%s exits with %d, want %d", name, got, status)
	}
}
