import type {
  CdsScanReader,
  CdsScanRepository,
  ScanCandidate,
} from '../../../../../src/application/ports/dns/other-nameservers';
import type { CdsScanState } from '../../../../../src/domain/dns/dnssec/parent/cds-scan';
import { isServed } from '../../../../../src/domain/registration/domain-status';
import type { Tables } from '../tables';

export class InMemoryCdsScanReader implements CdsScanReader {
  constructor(private readonly committed: () => Tables) {}

  async find(domainId: string): Promise<CdsScanState | undefined> {
    return this.committed().cdsScans.get(domainId);
  }

  async candidate(wanted: string): Promise<ScanCandidate | undefined> {
    const { domains, zoneSignings } = this.committed();
    const found = [...domains.values()].find(
      ({ id, name, status }) => name === wanted && isServed(status) && !zoneSignings.has(id),
    );
    return found && { id: found.id, accountId: found.accountId, name: wanted, nameservers: found.nameservers };
  }

  async candidates(now: Date, after: string, limit: number): Promise<readonly ScanCandidate[]> {
    const { cdsScans, domains, zoneSignings } = this.committed();
    return [...domains.values()]
      .filter(({ id, status }) => {
        const dueAt = cdsScans.get(id)?.dueAt ?? now;
        return id > after && isServed(status) && dueAt <= now && !zoneSignings.has(id);
      })
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .map(({ id, accountId, name, nameservers }) => ({ id, accountId, name, nameservers }))
      .slice(0, limit);
  }
}

export class InMemoryCdsScanRepository implements CdsScanRepository {
  constructor(private readonly tables: Tables) {}

  async save(scan: CdsScanState): Promise<void> {
    this.tables.cdsScans.set(scan.domainId, scan);
  }
}
