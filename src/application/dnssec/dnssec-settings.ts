import { token } from '../ports/inject';

/** Set by the operator. */
export interface DnssecSettings {
  /** Days until the service replaces the key of a zone; 0: never. */
  readonly keyLifetimeDays: number;
  /** How long resolvers may keep DS records that a registry no longer publishes, in seconds, its delay included. */
  readonly dsTtlSeconds: number;
}
export const DnssecSettings = token<DnssecSettings>('DnssecSettings');
