import type { EntityManager } from 'typeorm';
import type {
  ExpiredDomain,
  ExpiringDomain,
  ExpiryNoticeRepository,
  NoticeSpan,
} from '../../../application/ports/notices/mails-and-notices';
import { addDays } from '../../../domain/shared/time/calendar';
import { forceIndex } from '../database/mysql/force-index';
import { DomainTable, type DomainRow } from '../registration/registration-tables';
import { fromMillis, mappingOf } from '../database/table';

const ROW = 1;
const ACTIVE = "'active'";
const EXPIRED = "'expired', 'redemption'";

const EXPIRING = ['id', 'name', 'account_id', 'expires_at', 'auto_renew'] as const;
type ExpiringRow = Pick<DomainRow, (typeof EXPIRING)[number]>;
const { stateOf: toExpiring } = mappingOf(DomainTable, EXPIRING);

export class SqlExpiryNotices implements ExpiryNoticeRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(now: Date): Promise<Date> {
    const find = () =>
      this.manager.query<{ noticed_until: number }[]>(
        `SELECT id, noticed_until FROM expiry_notices WHERE id = ?${this.forUpdate}`,
        [ROW],
      );
    const [row] = await find();
    if (row) return fromMillis(row.noticed_until);
    const ignoring = this.manager.connection.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    await this.manager.query(`${ignoring} INTO expiry_notices (id, noticed_until) VALUES (?, ?)`, [ROW, now.getTime()]);
    const [created] = await find();
    return created ? fromMillis(created.noticed_until) : now;
  }

  async moveTo(until: Date): Promise<void> {
    await this.manager.query('UPDATE expiry_notices SET noticed_until = ? WHERE id = ?', [until.getTime(), ROW]);
  }

  async reached(
    { from, to, now }: NoticeSpan,
    days: readonly number[],
    limit: number,
  ): Promise<readonly ExpiringDomain[]> {
    const reached: ExpiringDomain[] = [];
    let least = now;
    for (const each of days) {
      const [after, until] = [addDays(from, each), addDays(to, each)];
      const domains = await this.between(ACTIVE, after > least ? after : least, until, limit);
      reached.push(...domains.map((domain) => ({ ...domain, days: each })));
      least = addDays(now, each);
    }
    return reached;
  }

  expired(after: Date, until: Date, limit: number): Promise<readonly ExpiredDomain[]> {
    return this.between(EXPIRED, after, until, limit);
  }

  /** In order. They are sorted here, so that the database need not read more of them than the limit. */
  private async between(statuses: string, after: Date, until: Date, limit: number): Promise<readonly ExpiredDomain[]> {
    if (after >= until) return [];
    const rows = await this.manager.query<ExpiringRow[]>(
      `SELECT d.id, d.name, d.account_id, d.expires_at, d.auto_renew FROM accounts a JOIN domains d${forceIndex('domains_by_status_and_expiry')} ON d.account_id = a.id AND d.status IN (${statuses}) AND d.expires_at > ? AND d.expires_at <= ? LIMIT ?`,
      [after.getTime(), until.getTime(), limit],
    );
    return rows.toSorted(byExpiry).map(toExpiring);
  }
}

function byExpiry(one: ExpiringRow, other: ExpiringRow): number {
  return one.expires_at - other.expires_at || (one.id < other.id ? -1 : 1);
}
