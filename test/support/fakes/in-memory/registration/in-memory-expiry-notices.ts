import type {
  ExpiredDomain,
  ExpiringDomain,
  ExpiryNoticeRepository,
  NoticeSpan,
} from '../../../../../src/application/ports/notices/mails-and-notices';
import { addDays } from '../../../../../src/domain/shared/time/calendar';
import type { Tables } from '../tables';

export class InMemoryExpiryNotices implements ExpiryNoticeRepository {
  constructor(private readonly tables: Tables) {}

  async lock(now: Date): Promise<Date> {
    return (this.tables.noticedUntil ??= now);
  }

  async moveTo(until: Date): Promise<void> {
    this.tables.noticedUntil = until;
  }

  async reached(
    { from, to, now }: NoticeSpan,
    days: readonly number[],
    limit: number,
  ): Promise<readonly ExpiringDomain[]> {
    const reached = [...this.tables.domains.values()].flatMap(
      ({ id, name, accountId, status, expiresAt, autoRenew }) => {
        const nearest = days.find((each) => expiresAt <= addDays(now, each));
        const isReached =
          nearest !== undefined &&
          expiresAt > addDays(from, nearest) &&
          expiresAt <= addDays(to, nearest) &&
          expiresAt > now;
        return status === 'active' && isReached ? [{ id, name, accountId, expiresAt, autoRenew, days: nearest }] : [];
      },
    );
    return reached.slice(0, limit);
  }

  async expired(after: Date, until: Date, limit: number): Promise<readonly ExpiredDomain[]> {
    return [...this.tables.domains.values()]
      .filter(
        ({ status, expiresAt }) =>
          ['expired', 'redemption'].includes(status) && expiresAt > after && expiresAt <= until,
      )
      .slice(0, limit)
      .map(({ id, name, accountId, expiresAt, autoRenew }) => ({ id, name, accountId, expiresAt, autoRenew }));
  }
}
