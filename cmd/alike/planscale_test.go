package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/index/plan"
)

// The rows are those of package plan for every backend that has constants, in every format.
func TestPlanBackends(t *testing.T) {
	code, stdout, stderr := alike(t, "", "plan", "--backends", "--documents", "1e6,8e9", "--machine-memory", "32GiB", "-f", "json")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	machine := plan.DefaultMachine
	machine.Memory = 32 << 30
	estimates, err := plan.Measured().Compare([]int64{1e6, 8e9}, 64, 3, machine)
	if err != nil {
		t.Fatal(err)
	}
	var want []backendRow
	for _, e := range estimates {
		want = append(want, newBackendRow(e))
	}
	var got []backendRow
	for d := json.NewDecoder(strings.NewReader(stdout)); d.More(); {
		var r backendRow
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for format, lines := range map[string]int{"csv": 1 + len(want), "md": 2 + len(want) + 2, "table": 1 + len(want) + 1 + 2} {
		code, stdout, stderr := alike(t, "", "plan", "--backends", "--documents", "1e6,8e9", "-f", format)
		if table, text, ok := strings.Cut(stdout, "\n\n"); format == "table" && ok { // the text is wrapped
			stdout = table + "\n\n" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", " ") + "\n"
		}
		if code != 0 || strings.Count(stdout, "\n") != lines || !strings.Contains(stdout, "redis cluster") {
			t.Errorf("%s: exit code %d, %d lines, want %d: %s%s", format, code, strings.Count(stdout, "\n"), lines, stdout, stderr)
		}
	}
}

// The arithmetic of Manku, Jain, Das Sarma (WWW 2007): 8·10^9 fingerprints of 64 bits are 64 GB, and
// of the layouts there is that of 20 tables.
func TestPlanWorked(t *testing.T) {
	for _, format := range []string{"table", "md"} {
		code, stdout, stderr := alike(t, "", "plan", "--worked", "-f", format)
		if code != 0 {
			t.Fatalf("%s: exit code %d, %s", format, code, stderr)
		}
		for _, want := range []string{"64 GB", "40 TB", "20 tables of 31 to 33 bits", "10 tables of 25 to 26 bits", "4 tables of 16 bits", "In all"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%s: no %q in %s", format, want, stdout)
			}
		}
	}
	code, stdout, _ := alike(t, "", "plan", "--worked", "--documents", "1e9", "--text-bytes", "1e4", "--cores", "10", "-f", "json")
	var got plan.Worked
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v", code, err)
	}
	j := plan.Job{Documents: 1e9, Text: 1e4, Bits: 64, Distance: 3, Cores: 10, Machine: plan.DefaultMachine}
	j.Machine.Disk = 2e12
	want, err := plan.Measured().Work(j)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if code, stdout, _ := alike(t, "", "plan", "--worked", "-f", "csv"); code != 0 || !strings.Contains(stdout, "fingerprints,8·10^9 documents × 8 B,6.4e+10,bytes\n") {
		t.Errorf("csv: exit code %d, %s", code, stdout)
	}
}

func TestPlanScaleUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--backends --worked":                    "either",
		"--backends --docs 10 --documents 10":    "either",
		"--backends --documents 1.5":             "whole number",
		"--backends --docs 0":                    "at least 1",
		"--backends --costs default":             "--costs",
		"--backends --bits 48":                   "32, 64 or 128",
		"--backends -k 64":                       "0 to 63",
		"--backends --machine-memory lots":       "--machine-memory",
		"--worked --documents 1e8,1e9":           "one number",
		"--worked --cores 0":                     "cores",
		"--worked --text-bytes 0":                "bytes a document",
		"--docs 10 --cores 4":                    "--cores is of",
		"--worked --machine-disk 0B --docs 1000": "",
	} {
		code, stdout, stderr := alike(t, "", append([]string{"plan"}, strings.Fields(args)...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("plan %s: exit code %d, %q, %q, want %q", args, code, stdout, stderr, want)
		}
	}
}
