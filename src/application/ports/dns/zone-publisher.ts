import { token } from '../inject';

/** A zone as it has just been committed. */
export interface ZoneState {
  readonly domainId: string;
  readonly zoneName: string;
  /** Of the SOA record, without its wrap-around. */
  readonly serial: number;
}

/** A secondary's answer to a query for a zone's serial. */
export type SecondaryAnswer =
  | {
      readonly kind: 'serves';
      readonly serial: number;
      /** When this process first saw the secondary serve this serial. */
      readonly since: Date;
    }
  /** The secondary responds, but not for this zone: it does not have it yet, or refuses. */
  | { readonly kind: 'unknown_zone' }
  | { readonly kind: 'unreachable' };

export interface SecondaryReport {
  readonly secondary: string;
  readonly answer: SecondaryAnswer;
}

/** Publishes zones to the secondaries that serve them to the public. */
export interface ZonePublisher {
  /** Sends NOTIFY for a committed change, in the background, until every secondary serves it. Returns at once. */
  notifySecondaries(zone: ZoneState): void;
  /** Asks every secondary for its serial of the zone. Empty without secondaries. Never fails: a timeout is `unreachable`. */
  querySecondaries(zone: ZoneState): Promise<readonly SecondaryReport[]>;
}
export const ZonePublisher = token<ZonePublisher>('ZonePublisher');
