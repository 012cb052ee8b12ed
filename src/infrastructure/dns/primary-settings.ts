/** What stands in the SOA of every zone, and where the list of zones is. */
export interface PrimarySettings {
  /** Name of the catalog zone, RFC 9432. */
  readonly catalogZone: string;
  /** Undefined: the first nameserver of the domain. */
  readonly primaryName: string | undefined;
  /** Mailbox in the form of a name; undefined: `hostmaster` at the domain. */
  readonly contact: string | undefined;
  readonly timers: SoaTimers;
}

/** Seconds, RFC 1035, section 3.3.13, and RFC 2308, section 4. */
export interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negative: number;
}
