package namewright

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Options of Connect. The zero value is 30 seconds for an attempt, and five attempts.
type Options struct {
	// Timeout of one attempt; a request that waits gets the time that it asks for on top.
	Timeout time.Duration
	// Attempts in all; 1 does not retry.
	Attempts int
	// LongestWait is what Retry-After may ask for at most; default a minute.
	LongestWait time.Duration
	// Transport sends one attempt; default http.DefaultTransport.
	Transport http.RoundTripper
}

// Connect returns a client with one method for each operation of the API.
func Connect(url, key string, options Options) *Client {
	transport := &retrying{next: options.Transport, timeout: options.Timeout, attempts: options.Attempts, longestWait: options.LongestWait, key: key}
	if transport.next == nil {
		transport.next = http.DefaultTransport
	}
	if transport.timeout == 0 {
		transport.timeout = 30 * time.Second
	}
	if transport.attempts == 0 {
		transport.attempts = 5
	}
	if transport.longestWait == 0 {
		transport.longestWait = time.Minute
	}
	// A redirect is an error: it would take the key to another host.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return New(Config{ServerURL: url, HTTPClient: &http.Client{Transport: transport, CheckRedirect: stay}})
}

// Ptr gives an optional parameter or member its value.
func Ptr[T any](value T) *T { return &value }

type headersKey struct{}

// WithHeader adds a header to the requests of a context, such as If-Match, or an Idempotency-Key that outlives the process.
func WithHeader(ctx context.Context, name, value string) context.Context {
	headers := http.Header{}
	if outer, ok := ctx.Value(headersKey{}).(http.Header); ok {
		headers = outer.Clone()
	}
	headers.Set(name, value)
	return context.WithValue(ctx, headersKey{}, headers)
}

// Code is one of the ErrorCode constants, or a code of a newer service.
func (e *APIError) Code() ErrorCode {
	if code := e.member("code"); code != "" {
		return ErrorCode(code)
	}
	// A proxy responded in the place of the service.
	return "UNKNOWN_RESPONSE"
}

// Message explains the code.
func (e *APIError) Message() string {
	if message := e.member("message"); message != "" {
		return message
	}
	return fmt.Sprintf("HTTP status %d", e.Status)
}

// Details says what about this request, or is empty.
func (e *APIError) Details() string { return e.member("details") }

func (e *APIError) member(name string) string {
	body, _ := e.Body.(map[string]any)
	envelope, _ := body["error"].(map[string]any)
	value, _ := envelope[name].(string)
	return value
}

func (e *APIError) Error() string {
	text := fmt.Sprintf("%s (%d): %s", e.Code(), e.Status, e.Message())
	if e.Details() != "" {
		text += ": " + e.Details()
	}
	if e.RequestID != "" {
		text += " [request " + e.RequestID + "]"
	}
	return text
}

// HasCode tells whether the service refused the request with this code.
func HasCode(err error, code ErrorCode) bool {
	var refused *APIError
	return errors.As(err, &refused) && refused.Code() == code
}

// WriteProposed means that nothing was changed yet: the write is a proposal, which waits until someone else accepts it.
type WriteProposed struct {
	// Location is its path, such as /api/proposals/prop_….
	Location string
}

func (e *WriteProposed) Error() string {
	return "nothing was changed yet: " + e.Location + " waits until someone else accepts it"
}

// retrying adds the key, and repeats a request with one Idempotency-Key for all attempts.
type retrying struct {
	next        http.RoundTripper
	timeout     time.Duration
	attempts    int
	longestWait time.Duration
	key         string
}

func (t *retrying) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	body, err := readBody(request.Body)
	if err != nil {
		return nil, err
	}
	headers := t.headersOf(request)
	timeout := t.timeout
	if request.URL.Query().Has("wait") {
		timeout += 30 * time.Second
	}
	for attempt := 1; ; attempt++ {
		response, err := t.once(request, headers, body, timeout)
		wait, again := t.waitAfter(attempt, response)
		if !again || ctx.Err() != nil {
			if location := proposalOf(response); location != "" {
				return nil, &WriteProposed{Location: location}
			}
			return response, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// proposalOf returns the path of the proposal that a write became.
func proposalOf(response *http.Response) string {
	if response == nil || response.StatusCode != http.StatusAccepted {
		return ""
	}
	if location := response.Header.Get("Location"); strings.HasPrefix(location, "/api/proposals/") {
		return location
	}
	return ""
}

func (t *retrying) headersOf(request *http.Request) http.Header {
	headers := request.Header.Clone()
	if extra, ok := request.Context().Value(headersKey{}).(http.Header); ok {
		for name, values := range extra {
			headers[name] = values
		}
	}
	headers.Set("Authorization", "Bearer "+t.key)
	headers.Set("User-Agent", "namewright-go/0.1.0")
	if request.Method != http.MethodGet && request.Method != http.MethodHead && headers.Get("Idempotency-Key") == "" {
		headers.Set("Idempotency-Key", randomKey())
	}
	return headers
}

// once sends one attempt and reads the whole response: a connection may be lost in the middle of the body, too.
func (t *retrying) once(request *http.Request, headers http.Header, body []byte, timeout time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), timeout)
	defer cancel()
	attempt := request.Clone(ctx)
	attempt.Header = headers.Clone()
	if body != nil {
		attempt.Body = io.NopCloser(bytes.NewReader(body))
	}
	response, err := t.next.RoundTrip(attempt)
	if err != nil {
		return nil, err
	}
	data, err := readBody(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	return response, nil
}

// waitAfter says whether to repeat, and when. No response means a lost connection or a timeout.
func (t *retrying) waitAfter(attempt int, response *http.Response) (time.Duration, bool) {
	if attempt >= t.attempts || (response != nil && !mayRepeat(response)) {
		return 0, false
	}
	if response != nil {
		if asked, ok := retryAfter(response.Header.Get("Retry-After")); ok {
			return asked, asked <= t.longestWait
		}
	}
	return time.Duration(mathrand.Int63n(int64(min(500*time.Millisecond<<(attempt-1), 8*time.Second)))), true
}

func mayRepeat(response *http.Response) bool {
	switch response.StatusCode {
	case 429, 502, 503, 504:
		return true
	}
	// A 409 with Retry-After: the first attempt, whose response was lost, still runs.
	return response.StatusCode >= 400 && response.Header.Get("Retry-After") != ""
}

func retryAfter(value string) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		if wait := time.Until(date); wait > 0 {
			return wait, true
		}
		return 0, true
	}
	return 0, false
}

func min(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

func readBody(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	defer body.Close()
	return io.ReadAll(body)
}

func randomKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}
