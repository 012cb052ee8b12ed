import { token } from '../inject';
import type { Secondary } from '../../../domain/dns/secondary';
import type { TsigKey } from '../../../domain/dns/tsig-key';
import type { FoundZone } from './zone-sources';

/** What a secondary of ours serves. */
export interface SecondaryZones {
  /** The zones in the secondary's copy of the catalog (RFC 9432), by AXFR. @throws ZoneSourceFailed */
  members(secondary: Secondary, key: TsigKey | undefined): Promise<readonly string[]>;
  /** The SOA serial; undefined if the secondary does not serve the zone. */
  serial(secondary: Secondary, zoneName: string): Promise<number | 'no response' | undefined>;
  /** Whether it serves other records than we do; transfers the whole zone. The SOA record is not compared. @throws ZoneSourceFailed */
  differs(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<boolean>;
  /** By AXFR. @throws ZoneSourceFailed */
  zone(secondary: Secondary, zoneName: string, key: TsigKey | undefined): Promise<FoundZone>;
}
export const SecondaryZones = token<SecondaryZones>('SecondaryZones');
