package plant

import (
	"math"
	"reflect"
	"testing"
)

func TestOptions(t *testing.T) {
	got := newPlanter(t, Options{}).options
	want := Options{Share: 0.2, Copies: []float64{8, 4, 2, 1}, Mix: DefaultMix(), Window: 10_000}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the defaults are %+v, want %+v", got, want)
	}
	o := Options{Mix: []Choice{{Edit{OCR, 0.05}, 2}, {Edit{Move, 0.1}, 1}}, Copies: []float64{0.5, 1}}
	if got, want := newPlanter(t, o).String(), "share=0.2 copies=0.5,1 mix=ocr:0.05*2,move:0.1 window=10000 lang=auto seed=0"; got != want {
		t.Errorf("the settings are %s, want %s", got, want)
	}
	for _, d := range gather(t, newPlanter(t, Options{Share: -1}).Plant(newMaker(t, MakeOptions{Mean: 5}).Docs(0, 100))) {
		if d.Copy != 0 {
			t.Fatal("a copy, with a share below 0")
		}
	}
	for want, o := range map[string]Options{
		"plant: Share is 1.5, want at most 1":                                {Share: 1.5},
		"plant: Share is NaN, want at most 1":                                {Share: math.NaN()},
		"plant: Window is -1, want 1 to 1000000000":                          {Window: -1},
		`plant: Lang is "fr", want en, zh or nothing`:                        {Lang: "fr"},
		"plant: weight 2 of Copies is -1, want a number from 0 up":           {Copies: []float64{1, -1}},
		"plant: Copies has 1 weights, want up to 65536, one of them above 0": {Copies: []float64{0}},
		"plant: Copies has 1001 weights, want at most 1000":                  {Copies: make([]float64, 1001)},
		"plant: Mix has 0 weights, want up to 65536, one of them above 0":    {Mix: []Choice{}},
		"plant: the weight of move:0.1 is 0, want a number above 0":          {Mix: []Choice{{Edit: Edit{Move, 0.1}}}},
		"plant: the rate of move is 0, want above 0 and at most 0.5":         {Mix: []Choice{{Edit: Edit{Kind: Move}, Weight: 1}}},
	} {
		if _, err := New(o); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}
