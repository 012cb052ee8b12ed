import { token } from '../inject';
import type { ZoneState } from './published-zones';

/** A zone whose present serial has no event yet. */
export interface UnrecordedZone extends ZoneState {
  readonly accountId: string;
  readonly version: number;
}

/** Reads committed state. */
export interface ZonePublicationReader {
  /**
   * Those of the zones that are served, have changed since the feed of their account is read with `zone.published`, and of whose serial
   * that feed has no event.
   */
  unrecorded(zoneNames: readonly string[]): Promise<readonly UnrecordedZone[]>;
}
export const ZonePublicationReader = token<ZonePublicationReader>('ZonePublicationReader');

/** Within a unit of work: the latest serial of each zone that has an event. */
export interface ZonePublicationRepository {
  /** Stores the serials that are later than the stored ones, and returns their zones. Of processes that do it at once, one gets each. */
  advance<Z extends Pick<ZoneState, 'domainId' | 'serial'>>(zones: readonly Z[]): Promise<readonly Z[]>;
}
