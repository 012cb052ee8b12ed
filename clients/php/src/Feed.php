<?php

declare(strict_types=1);

namespace Namewright;

/**
 * Events one after another, then those that come. Store `position` after each, and pass it as `after` next time.
 * @implements \IteratorAggregate<int, Event>
 */
final class Feed implements \IteratorAggregate
{
    /** The service may respond at once without events, if too many wait. */
    private const SHORTEST_TURN = 1.0;

    public function __construct(
        private readonly Client $client,
        public ?string $position = null,
        private readonly ?string $types = null,
        private readonly ?string $domain = null,
        private readonly int $wait = 30,
    ) {
    }

    public function getIterator(): \Generator
    {
        while (true) {
            $started = microtime(true);
            $page = $this->client->listEventsWithHeaders(
                after: $this->position,
                types: $this->types,
                domain: $this->domain,
                wait: $this->wait,
            );
            foreach ($page->data as $event) {
                $this->position = $event->id;
                yield $event;
            }
            $this->position = $page->headers['eventsPosition'] ?? $this->position;
            if ($page->data === []) {
                $left = min(self::SHORTEST_TURN, $this->wait) - (microtime(true) - $started);
                usleep((int) round(max(0.0, $left) * 1_000_000));
            }
        }
    }
}
