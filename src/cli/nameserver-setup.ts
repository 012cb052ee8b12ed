import type { Endpoint, Secondary } from '../domain/dns/secondary';
import type { TsigKey } from '../domain/dns/tsig-key';

/** The parameters of a secondary's configuration. */
export interface NameserverSetup {
  readonly secondary: Secondary;
  readonly key: TsigKey;
  /** Endpoints at which the secondary reaches this service, one per listening replica. */
  readonly primaries: readonly [Endpoint, ...Endpoint[]];
  readonly catalogZone: string;
  /** The nameserver's data folder; must exist and be writable. */
  readonly folder: string;
}
