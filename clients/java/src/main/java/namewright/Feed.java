package namewright;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;

/** Events one after another, then those that come. It has no end, and is for one thread. */
public final class Feed implements Iterator<Client.Event> {
    /** The service may respond at once without events, if too many wait. */
    private static final long SHORTEST_TURN_MS = 1_000;

    private final Client client;
    private final Client.ListEventsParams params;
    private final Queue<Client.Event> page = new ArrayDeque<>();
    private String next;
    private String position;

    /** Begins after `params.after`. Without `params.wait` it waits 30 seconds at a time. */
    public Feed(Client client, Client.ListEventsParams params) {
        this.client = client;
        this.params = params;
        this.position = params.after;
        if (params.wait == null) {
            params.waitSeconds(30L);
        }
    }

    /** After the event that `next` returned last: store it, and pass it as `after` next time. */
    public String position() {
        return position;
    }

    @Override
    public boolean hasNext() {
        return true;
    }

    /** The next event; waits until there is one. */
    @Override
    public Client.Event next() {
        while (page.isEmpty()) {
            // Goes past events that the parameters leave out.
            position = next == null ? position : next;
            long started = System.nanoTime();
            Client.Envelope<List<Client.Event>> read = client.listEventsWithHeaders(params.after(position));
            page.addAll(read.data());
            next = (String) read.headers().get("eventsPosition");
            if (page.isEmpty()) {
                long took = (System.nanoTime() - started) / 1_000_000;
                Retries.sleep(Duration.ofMillis(Math.max(0, Math.min(SHORTEST_TURN_MS, params.wait * 1_000) - took)));
            }
        }
        Client.Event event = page.remove();
        position = event.id();
        return event;
    }
}
