import type { SharedAuthority } from '../../domain/dns/start-of-authority';

/** What stands in the SOA of every zone, and where the list of zones is. */
export interface PrimarySettings extends SharedAuthority {
  /** Name of the catalog zone, RFC 9432. */
  readonly catalogZone: string;
}
