import type { Endpoint, Secondary } from '../domain/dns/secondary';
import type { TsigKey } from '../domain/dns/tsig-key';

/** What the configuration of a secondary says. */
export interface NameserverSetup {
  readonly secondary: Secondary;
  readonly key: TsigKey;
  /** Where the secondary reaches this service: one address and port for each replica that listens. */
  readonly primaries: readonly [Endpoint, ...Endpoint[]];
  readonly catalogZone: string;
  /** Where the nameserver keeps its files; it must exist and be writable. */
  readonly folder: string;
}
