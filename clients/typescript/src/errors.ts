import type { ErrorCode } from './api.ts';

/** The service refused a request, or could not answer it. `code` says why; https://…/docs lists the codes. */
export class NamewrightError extends Error {
  override readonly name = 'NamewrightError';

  constructor(
    /** Codes may be added. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly status: number,
    /** Explains the problem, such as the members that are invalid. */
    readonly details: string | undefined,
    /** Of the request, as in the log of the service. */
    readonly requestId: string | undefined,
    /** Seconds after which a repetition may succeed. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

/** The service did not respond: it is not running, not at this URL, or took too long. A write may have been carried out. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';

  constructor(
    readonly url: string,
    cause: unknown,
  ) {
    super(`${url} does not respond`, { cause });
  }
}

/** The key may only propose: nothing was changed, and a proposal waits until someone accepts it. */
export class WriteProposed extends Error {
  override readonly name = 'WriteProposed';

  constructor(
    /** Such as `/api/proposals/prop_…`. */
    readonly location: string,
  ) {
    super(`Nothing was changed yet: ${location} waits until someone else accepts it`);
  }
}

/** Whether the service failed with this code: `hasCode(error, 'DOMAIN_UNAVAILABLE')`. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is NamewrightError {
  return error instanceof NamewrightError && codes.some((code) => code === error.code);
}
