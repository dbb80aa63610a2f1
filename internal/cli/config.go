package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/spf13/pflag"
)

// ReadConfig sets flags as a YAML file says. A key is the name of a flag, with _ for -
// if you like, and a list sets a flag that may be given several times. What the command
// line set stays. An unknown key or a wrong value is an error with its line.
func ReadConfig(name string, flags *pflag.FlagSet) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	given := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	for _, doc := range file.Docs {
		var pairs []*ast.MappingValueNode
		switch body := doc.Body.(type) {
		case nil, *ast.NullNode:
		case *ast.MappingNode:
			pairs = body.Values
		case *ast.MappingValueNode:
			pairs = []*ast.MappingValueNode{body}
		default:
			return fmt.Errorf("%s: want keys with values, such as seed: 1", name)
		}
		for _, p := range pairs {
			if err := setFlag(flags, given, p); err != nil {
				return fmt.Errorf("%s:%d: %w", name, p.Key.GetToken().Position.Line, err)
			}
		}
	}
	return nil
}

func setFlag(flags *pflag.FlagSet, given map[string]bool, p *ast.MappingValueNode) error {
	key := p.Key.GetToken().Value
	f := flags.Lookup(strings.ReplaceAll(key, "_", "-"))
	if key == "methods" {
		f = flags.Lookup("method")
	}
	if f == nil || f.Name == "config" || f.Name == "help" {
		return fmt.Errorf("unknown key %q, want the name of a flag", key)
	}
	values := []ast.Node{p.Value}
	if list, ok := p.Value.(*ast.SequenceNode); ok {
		values = list.Values
	}
	for _, v := range values {
		s, ok := v.(ast.ScalarNode)
		if !ok {
			return fmt.Errorf("%s: want a value or a list of values", key)
		}
		text := s.GetToken().Value
		if l, ok := v.(*ast.LiteralNode); ok {
			text = l.Value.Value
		}
		if given[f.Name] {
			continue
		}
		if err := flags.Set(f.Name, text); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}
