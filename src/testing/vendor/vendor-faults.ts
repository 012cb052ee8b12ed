/** What a stand-in does wrong. */
export interface VendorFault {
  /**
   * `lost_response` runs the request and closes the connection; `refused` closes it without running the request;
   * `rate_limited` responds with 429 and Retry-After, `bad_gateway` with 502 and HTML; neither runs the request unless
   * `takesEffect`; `slow` delays the response by `milliseconds`; `duplicate` runs the request twice, as after a proxy's
   * retry, and sends the second response; `truncated` runs the request and sends half of the JSON.
   */
  readonly kind: 'lost_response' | 'refused' | 'rate_limited' | 'bad_gateway' | 'slow' | 'duplicate' | 'truncated';
  /** Ids of operations; all if absent. */
  readonly operations?: readonly string[];
  /** A name that the request must contain, in its path, query or body. */
  readonly name?: string;
  /** How many requests it applies to; one if absent. */
  readonly times?: number;
  readonly takesEffect?: boolean;
  readonly milliseconds?: number;
  /** Of Retry-After; 1 if absent. */
  readonly retryAfterSeconds?: number;
}

/** Active faults, oldest first. */
export class VendorFaults {
  private active: { readonly fault: VendorFault; left: number }[] = [];

  add(fault: VendorFault): void {
    this.active.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.active = [];
  }

  /** The fault that applies to a request, which uses it up. `text` is the request as text. */
  take(operation: string, text: string): VendorFault | undefined {
    const found = this.active.find(
      ({ fault }) =>
        (fault.operations === undefined || fault.operations.includes(operation)) &&
        (fault.name === undefined || text.includes(fault.name)),
    );
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.active = this.active.filter((each) => each !== found);
    return found.fault;
  }
}
