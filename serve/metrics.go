package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// observer is a histogram whose labels are chosen.
type observer = prometheus.Observer

// metrics are what /metrics shows.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec // by route and class of status
	methods  *prometheus.HistogramVec // by method of the catalog
	refused  prometheus.Counter
	panics   prometheus.Counter
	handler  http.Handler
}

// latencies are the bounds of histograms: by powers of two from 10 µs to 21 s.
var latencies = prometheus.ExponentialBuckets(10e-6, 2, 22)

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "alike_request_seconds", Help: "Time to answer a request, by route and class of status.", Buckets: latencies,
		}, []string{"route", "status"}),
		methods: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "alike_method_seconds", Help: "Time to sketch the texts of a comparison and score them, by method.", Buckets: latencies,
		}, []string{"method"}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{Name: "alike_refused_total", Help: "Requests refused because their client makes too many."}),
		panics:  prometheus.NewCounter(prometheus.CounterOpts{Name: "alike_panics_total", Help: "Faults of the program that a request met."}),
	}
	m.registry.MustRegister(m.requests, m.methods, m.refused, m.panics, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	gauge := func(name, help string, of func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, of))
	}
	gauge("alike_jobs_open", "Jobs that wait or run.", func() float64 { return float64(s.jobs.open()) })
	if s.o.Index != nil {
		size := func(of func(indexStats) int64) func() float64 {
			return func() float64 {
				st, ok := s.stats.last()
				if !ok {
					return -1
				}
				return float64(of(st))
			}
		}
		gauge("alike_index_documents", "Documents of the index; -1 where it is not known.", size(func(st indexStats) int64 { return st.Documents }))
		gauge("alike_index_postings", "Postings of the index.", size(func(st indexStats) int64 { return st.Postings }))
		gauge("alike_index_posting_bytes", "Bytes of the postings of the index.", size(func(st indexStats) int64 { return st.PostingBytes }))
		gauge("alike_index_document_bytes", "Bytes of the documents of the index.", size(func(st indexStats) int64 { return st.DocumentBytes }))
	}
	m.handler = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

// curry chooses the histograms of a route once, so that no request has to.
func (m *metrics) curry(rt *route) {
	for i := range rt.seconds {
		rt.seconds[i] = m.requests.WithLabelValues(rt.pattern, strconv.Itoa(i)+"xx")
	}
}

// method counts the time of a method by its name in the catalog, of which there are few.
func (m *metrics) method(name string, took time.Duration) {
	m.methods.WithLabelValues(name).Observe(took.Seconds())
}
