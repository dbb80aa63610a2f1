//go:build ignore

// Leaktable writes the table of docs/leak.md: the shares that alike stress leak finds
// under three sets of rules.
//
//	go run docs/leaktable.go md
package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
)

func main() {
	log.SetFlags(0)
	rows := map[string][]string{} // by what is planted, a cell for each set of rules and language
	var order []string
	for _, rules := range []string{"", "--threshold 0.5", "--passage 13"} {
		for _, lang := range []string{"en", "zh"} {
			args := append([]string{"run", "./cmd/alike", "stress", "leak", "-f", "csv", "--lang", lang}, strings.Fields(rules)...)
			cmd := exec.Command("go", args...)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				log.Fatal(err)
			}
			all, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
			if err != nil {
				log.Fatal(err)
			}
			for _, r := range all[1:] { // data, planted, items, found, share, low, high
				if rows[r[1]] == nil {
					order = append(order, r[1])
				}
				rows[r[1]] = append(rows[r[1]], r[4])
			}
		}
	}
	fmt.Println("| planted | English | Chinese | English, `--threshold 0.5` | Chinese, `--threshold 0.5` | English, `--passage 13` | Chinese, `--passage 13` |")
	fmt.Println("|:--|--:|--:|--:|--:|--:|--:|")
	for _, planted := range order {
		fmt.Printf("| %s | %s |\n", planted, strings.Join(rows[planted], " | "))
	}
}
