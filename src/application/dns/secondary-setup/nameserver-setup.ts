import type { Endpoint, Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';

/** The parameters of a secondary's configuration. */
export interface NameserverSetup {
  readonly secondary: Secondary;
  readonly key: Pick<TsigKey, 'name' | 'algorithm'>;
  /** Of the key, in base64; or a placeholder for it. */
  readonly secret: string;
  /** Endpoints at which the secondary reaches this service, one per listening replica. */
  readonly primaries: readonly [Endpoint, ...Endpoint[]];
  readonly catalogZone: string;
  /** The nameserver's data folder; must exist and be writable. */
  readonly folder: string;
}
