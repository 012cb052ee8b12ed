const BY_DEFAULT = 5;
/** A vendor that asks for more is asked again after this time. */
const MAX_SECONDS = 3_600;

/**
 * The seconds to wait after a 429 or 503: Retry-After (RFC 9110 section 10.2.3, seconds or a date), else X-RateLimit-Reset
 * (seconds, or a Unix time). From 1 to 3,600; 5 without a valid header.
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number {
  const seconds =
    fromRetryAfter(headers.get('retry-after'), nowMs) ?? fromReset(headers.get('x-ratelimit-reset'), nowMs);
  return seconds === undefined ? BY_DEFAULT : Math.min(Math.max(1, Math.ceil(seconds)), MAX_SECONDS);
}

function fromRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : (at - nowMs) / 1_000;
}

function fromReset(value: string | null, nowMs: number): number | undefined {
  if (value === null || !/^\d{1,10}$/.test(value.trim())) return undefined;
  const seconds = Number(value);
  return seconds > 1_000_000_000 ? seconds - nowMs / 1_000 : seconds;
}
