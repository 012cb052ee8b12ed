<?php

declare(strict_types=1);

namespace Namewright;

/** A client with one method for each operation of the API. `timeout` is of one attempt, in seconds. */
function connect(
    string $url,
    #[\SensitiveParameter] string $key,
    float $timeout = 30.0,
    int $attempts = 5,
    float $longestWait = 60.0,
): Client {
    return new Client(new Config(
        serverUrl: $url,
        timeout: $timeout,
        retry: ['attempts' => 1],
        middleware: [new Retries(new \SensitiveParameterValue($key), $timeout, $attempts, $longestWait)],
        clientHeader: 'namewright-php/0.1.0',
    ));
}
