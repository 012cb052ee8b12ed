import { SERVICE } from '../../domain/access/actor';
import type { EventFact } from '../../domain/access/events/account-event';
import type { HealthChange } from '../ports/health/health-repository';

/** Checks are no changes of an account, so no audit entry has them. The first check of a domain has an event unless it finds nothing. */
export function healthEvents(changes: readonly HealthChange[]): readonly EventFact[] {
  return changes
    .filter(({ before, after }) => after.state !== (before ?? 'ok'))
    .map(({ accountId, domain, before, after: { state, checkedAt, checks } }) => ({
      accountId,
      at: checkedAt,
      actor: SERVICE,
      type: 'health.changed',
      domain,
      data: { before, after: state, problems: checks.filter((check) => check.state === 'problem').map(({ id }) => id) },
    }));
}
