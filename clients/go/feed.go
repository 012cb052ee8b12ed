package namewright

import (
	"context"
	"time"
)

// The service may respond at once without events, if too many wait.
const shortestTurn = time.Second

// Feed gives one event after another, and waits for new ones. It is for one goroutine.
type Feed struct {
	client   *Client
	params   ListEventsParams
	page     []Event
	next     *string
	position string
}

// FollowEvents begins after params.After. Without params.Wait it waits 30 seconds at a time.
func (c *Client) FollowEvents(params ListEventsParams) *Feed {
	if params.Wait == nil {
		params.Wait = Ptr[int64](30)
	}
	feed := &Feed{client: c, params: params}
	if params.After != nil {
		feed.position = *params.After
	}
	return feed
}

// Position is after the event that Next returned last: store it, and pass it as After next time.
func (f *Feed) Position() string { return f.position }

// Next returns the next event. It waits until there is one, ctx is done, or a request fails.
func (f *Feed) Next(ctx context.Context) (Event, error) {
	for len(f.page) == 0 {
		f.advance()
		started := time.Now()
		page, headers, err := f.client.ListEventsWithHeaders(ctx, &f.params)
		if err != nil {
			return Event{}, err
		}
		f.page, f.next = page, headers.EventsPosition
		if len(page) > 0 {
			break
		}
		pause := min(shortestTurn, time.Duration(*f.params.Wait)*time.Second) - time.Since(started)
		select {
		case <-ctx.Done():
			return Event{}, ctx.Err()
		case <-time.After(pause):
		}
	}
	event := f.page[0]
	f.page = f.page[1:]
	f.position = event.Id
	return event, nil
}

// advance goes past events that the parameters leave out.
func (f *Feed) advance() {
	if f.next != nil {
		f.position = *f.next
	}
	if f.position != "" {
		f.params.After = Ptr(f.position)
	}
}
