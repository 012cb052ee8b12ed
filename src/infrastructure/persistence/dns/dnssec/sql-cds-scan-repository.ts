import type { EntityManager } from 'typeorm';
import type {
  CdsScanReader,
  CdsScanRepository,
  ScanCandidate,
} from '../../../../application/ports/dns/other-nameservers';
import type { CdsScanState } from '../../../../domain/dns/dnssec/parent/cds-scan';
import { SERVED_STATUSES } from '../../../../domain/registration/domain-status';
import type { Queries } from '../../database/database';
import { mappingOf, rowOf, stateOf } from '../../database/table';
import { DomainTable, type DomainRow } from '../../registration/registration-tables';
import { CdsScanTable, type CdsScanRow } from './dnssec-tables';

const CANDIDATE = ['id', 'account_id', 'name', 'nameservers'] as const;
type CandidateRow = Pick<DomainRow, (typeof CANDIDATE)[number]>;
const { stateOf: toCandidate } = mappingOf(DomainTable, CANDIDATE);

export class SqlCdsScanReader implements CdsScanReader {
  constructor(private readonly database: Queries) {}

  async find(domainId: string): Promise<CdsScanState | undefined> {
    const [row] = await this.database.query<CdsScanRow>('SELECT * FROM cds_scans WHERE domain_id = ?', [domainId]);
    return row && stateOf(CdsScanTable, row);
  }

  async candidates(now: Date, after: string, limit: number): Promise<readonly ScanCandidate[]> {
    const rows = await this.database.query<CandidateRow>(
      `SELECT domains.id, domains.account_id, domains.name, domains.nameservers FROM domains
        LEFT JOIN cds_scans ON cds_scans.domain_id = domains.id
        WHERE domains.id > ? AND domains.status IN (${SERVED_STATUSES.map(() => '?').join(', ')})
        AND (cds_scans.due_at IS NULL OR cds_scans.due_at <= ?)
        AND NOT EXISTS (SELECT 1 FROM zone_signing WHERE zone_signing.domain_id = domains.id)
        ORDER BY domains.id LIMIT ?`,
      [after, ...SERVED_STATUSES, now.getTime(), limit],
    );
    return rows.map(toCandidate);
  }

  async candidate(name: string): Promise<ScanCandidate | undefined> {
    const [row] = await this.database.query<CandidateRow>(
      `SELECT id, account_id, name, nameservers FROM domains WHERE live_name = ?
        AND status IN (${SERVED_STATUSES.map(() => '?').join(', ')})
        AND NOT EXISTS (SELECT 1 FROM zone_signing WHERE zone_signing.domain_id = domains.id)`,
      [name, ...SERVED_STATUSES],
    );
    return row && toCandidate(row);
  }
}

export class SqlCdsScanRepository implements CdsScanRepository {
  constructor(private readonly manager: EntityManager) {}

  async save(scan: CdsScanState): Promise<void> {
    const row = rowOf(CdsScanTable, scan);
    const { domain_id, ...values } = row;
    const { affected } = await this.manager.update(CdsScanTable, { domain_id }, values);
    if (affected === 0) await this.manager.insert(CdsScanTable, row);
  }
}
