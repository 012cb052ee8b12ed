/** A zone as it has just been committed. */
export interface ZoneState {
  readonly domainId: string;
  readonly zoneName: string;
  readonly version: number;
}

/** What a nameserver says of a zone. */
export type SecondaryAnswer =
  | {
      readonly kind: 'serves';
      readonly version: number;
      /** When it was first seen to answer this. */ readonly since: Date;
    }
  /** It answers, but not for this zone: it has not heard of it yet, or it refuses. */
  | { readonly kind: 'unknown_zone' }
  | { readonly kind: 'unreachable' };

export interface SecondaryReport {
  readonly secondary: string;
  readonly answer: SecondaryAnswer;
}

/** Brings zones to the nameservers that serve them to the world. */
export interface ZonePublisher {
  /** Has the secondaries told of a change that is committed. Returns at once; telling them goes on until each has it. */
  announce(zone: ZoneState): void;
  /** Asks every secondary what it serves, now. Empty where there are none. Never fails: silence is an answer, too. */
  ask(zone: ZoneState): Promise<readonly SecondaryReport[]>;
}
export const ZonePublisher = Symbol('ZonePublisher');
