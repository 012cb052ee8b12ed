import type { HealthState } from '../../../domain/health/health-check';
import type { HealthReport } from '../../../domain/health/health-report';
import { instant, json, key, longText, notInState, varchar } from '../database/columns';
import { table, type RowOf } from '../database/table';

type StoredReport = Pick<HealthReport, 'checks' | 'servers'>;

/** The last result of the checks of a domain; no row before the first one. */
export const DomainHealthTable = table(
  'domain_health',
  {
    domain_id: notInState(key(varchar(40))),
    /** The domain's, so that a list of an account's domains can be filtered by state. */
    account_id: notInState(varchar(40)),
    state: varchar<HealthState>(12),
    checked_at: instant(),
    report: json<StoredReport>(longText('mediumtext')),
  },
  {
    indices: { domain_health_by_state: ['account_id', 'state', 'domain_id'] },
    references: [['domain_id', 'domains', 'id']],
  },
);
export type DomainHealthRow = RowOf<typeof DomainHealthTable>;
