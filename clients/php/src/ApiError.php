<?php

declare(strict_types=1);

namespace Namewright;

/** The service refused the request. `errorCode` is a value of ErrorCode, or one of a newer service. */
final class ApiError extends \RuntimeException
{
    public readonly string $errorCode;
    public readonly ?string $details;

    public function __construct(
        public readonly string $url,
        public readonly int $status,
        public readonly mixed $body,
        public readonly ?string $requestId,
    ) {
        $error = is_array($body) && is_array($body['error'] ?? null) ? $body['error'] : [];
        $this->errorCode = $error['code'] ?? 'UNKNOWN_RESPONSE';
        $this->details = $error['details'] ?? null;
        $text = "{$this->errorCode} ({$status}): " . ($error['message'] ?? "HTTP status {$status}");
        $text .= $this->details === null ? '' : ": {$this->details}";
        parent::__construct($requestId === null ? $text : "{$text} [request {$requestId}]");
    }

    public function is(ErrorCode $code): bool
    {
        return $this->errorCode === $code->value;
    }
}
