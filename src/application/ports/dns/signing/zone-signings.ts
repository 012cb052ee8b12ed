import { token } from '../../inject';
import type { ZoneSigning } from '../../../../domain/dns/dnssec/zone-signing';
import type { HostedNameRef } from '../hosted-names';

export interface NamedSigning {
  /** The domain's name. */
  readonly name: string;
  readonly signing: ZoneSigning;
}

/** Reads committed state. */
export interface ZoneSigningReader {
  /** Undefined if signing is off. */
  find(domainId: string): Promise<ZoneSigning | undefined>;
  /** The zones of all accounts whose next step is due at `now`, longest waiting first. */
  due(now: Date, limit: number): Promise<readonly HostedNameRef[]>;
  /** When the next step that waits for a time, and not for a secondary or an operation, is due. */
  nextDueAt(): Promise<Date | undefined>;
  /** The zones of all accounts for which signing is not off, by name, after a name. */
  page(limit: number, after?: string): Promise<readonly NamedSigning[]>;
  /** Undefined if signing is off for the zone, or there is no domain of that name. */
  findByName(name: string): Promise<ZoneSigning | undefined>;
  /** Whether signing is on for any zone. */
  any(): Promise<boolean>;
}
export const ZoneSigningReader = token<ZoneSigningReader>('ZoneSigningReader');

/** Within a unit of work. */
export interface ZoneSigningRepository {
  /** Locks the row for the rest of the unit of work. Undefined if signing is off. */
  lock(domainId: string): Promise<ZoneSigning | undefined>;
  /** Undefined also if another transaction has locked it. */
  lockIfFree(domainId: string): Promise<ZoneSigning | undefined>;
  /** @throws OperationInProgress if another request has added it meanwhile */
  add(signing: ZoneSigning): Promise<void>;
  save(signing: ZoneSigning): Promise<void>;
  /** Signing is off. */
  remove(domainId: string): Promise<void>;
}
