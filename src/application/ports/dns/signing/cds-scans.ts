import { token } from '../../inject';
import type { CdsScanState } from '../../../../domain/dns/dnssec/cds-scan';

/** A domain that may have to be scanned. */
export interface ScanCandidate {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly nameservers: readonly string[];
}

/** Reads committed state. */
export interface CdsScanReader {
  /** The last scan of a domain. */
  find(domainId: string): Promise<CdsScanState | undefined>;
  /**
   * Served domains of all accounts after the id `after`, in order of their ids. Those whose zone this service signs and those whose
   * next scan is not due at `now` are left out.
   */
  candidates(now: Date, after: string, limit: number): Promise<readonly ScanCandidate[]>;
}
export const CdsScanReader = token<CdsScanReader>('CdsScanReader');

/** Within a unit of work. */
export interface CdsScanRepository {
  save(scan: CdsScanState): Promise<void>;
}
