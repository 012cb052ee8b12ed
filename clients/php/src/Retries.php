<?php

declare(strict_types=1);

namespace Namewright;

/** Adds the key, and repeats a request with one Idempotency-Key for all attempts. */
final class Retries
{
    private const STATUS = [0, 429, 502, 503, 504];

    /** `longestWait` is what Retry-After may ask for at most, in seconds. */
    public function __construct(
        private readonly \SensitiveParameterValue $key,
        private readonly float $timeout,
        private readonly int $attempts,
        private readonly float $longestWait,
    ) {
    }

    public function __invoke(array $request, callable $next): array
    {
        // The key is added to a copy, so that it is in no argument of a stack trace of an exception.
        $sent = $request;
        $sent['headers']['Authorization'] = 'Bearer ' . $this->key->getValue();
        $names = array_map('strtolower', array_keys($request['headers']));
        if ($request['method'] !== 'GET' && !in_array('idempotency-key', $names, true)) {
            $sent['headers']['Idempotency-Key'] = bin2hex(random_bytes(16));
        }
        $sent['timeout'] = $this->timeout + (isset($request['query']['wait']) ? 30 : 0);
        for ($attempt = 1; ; $attempt++) {
            $response = $next($sent);
            $seconds = $this->waitAfter($attempt, $response);
            if ($seconds === null) {
                return self::assertNotProposed($response);
            }
            usleep((int) round($seconds * 1_000_000));
        }
    }

    private static function assertNotProposed(array $response): array
    {
        $location = $response['headers']['location'] ?? '';
        if ($response['status'] === 202 && str_starts_with($location, '/api/proposals/')) {
            throw new WriteProposed($location);
        }
        return $response;
    }

    /** Seconds until the next attempt, or null if this was the last. */
    private function waitAfter(int $attempt, array $response): ?float
    {
        if ($attempt >= $this->attempts || !$this->mayRepeat($response)) {
            return null;
        }
        $asked = self::retryAfter($response['headers']['retry-after'] ?? null);
        if ($asked !== null) {
            return $asked <= $this->longestWait ? $asked : null;
        }
        return mt_rand() / mt_getrandmax() * min(0.5 * 2 ** ($attempt - 1), 8);
    }

    private function mayRepeat(array $response): bool
    {
        // A 409 with Retry-After: the first attempt, whose response was lost, still runs.
        return in_array($response['status'], self::STATUS, true)
            || ($response['status'] >= 400 && isset($response['headers']['retry-after']));
    }

    private static function retryAfter(?string $value): ?float
    {
        if ($value === null || ctype_digit($value)) {
            return $value === null ? null : (float) $value;
        }
        $date = \DateTimeImmutable::createFromFormat(\DateTimeInterface::RFC7231, $value);
        return $date === false ? null : max(0.0, $date->getTimestamp() - microtime(true));
    }
}
