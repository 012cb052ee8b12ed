import type { SoaSettings } from '../../domain/dns/start-of-authority';

/** The SOA fields that all zones share, and the name of the catalog zone. */
export interface PrimaryZoneSettings extends SoaSettings {
  /** RFC 9432. */
  readonly catalogZone: string;
}
