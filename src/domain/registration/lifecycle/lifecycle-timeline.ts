import { addDays } from '../../shared/time/calendar';
import type { DomainState } from '../domain';
import { lifecycleDates, mayDelete, renewalDueAt, type LifecyclePolicy, type RenewalSchedule } from './lifecycle';

export type LifecycleEvent =
  'registered' | 'renewal' | 'service_deletion' | 'expiry' | 'grace_end' | 'redemption_end' | 'deletion';

export interface TimelinePoint {
  readonly event: LifecycleEvent;
  readonly at: Date;
}

type PlannedPoint = readonly [LifecycleEvent, Date | null];

/**
 * The dates in the life of a domain in their order, past and planned. Those after the expiry of a registered domain apply only if
 * it is not renewed. Empty if nothing is planned: before the registry confirms the registration, and after a transfer to another
 * registrar.
 */
export function lifecycleTimeline(
  state: DomainState,
  policy: LifecyclePolicy,
  schedule: RenewalSchedule,
): readonly TimelinePoint[] {
  const planned = plannedPoints(state, policy, schedule);
  if (planned.length === 0) return [];
  const points = [['registered', state.registeredAt] as const, ...planned];
  return points
    .flatMap(([event, at]) => (at === null ? [] : [{ event, at }]))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function plannedPoints(
  state: DomainState,
  policy: LifecyclePolicy,
  schedule: RenewalSchedule,
): readonly PlannedPoint[] {
  const { periods } = policy;
  const { renewableUntil, redemptionEndsAt, deletesAt, deletionDueAt } = lifecycleDates(state, policy);
  if (state.status === 'redemption' || state.status === 'pending_delete')
    return [
      ['redemption_end', redemptionEndsAt],
      ['deletion', deletesAt],
    ];
  if (deletionDueAt)
    return [
      ['service_deletion', deletionDueAt],
      ['redemption_end', addDays(deletionDueAt, periods.redemption)],
      ['deletion', deletesAt],
    ];
  if (renewableUntil === null) return [];
  const term: readonly PlannedPoint[] = [
    ['renewal', renewalDueAt(state, schedule)],
    ['expiry', state.expiresAt],
  ];
  if (state.registrarRenews) return term;
  // The registrar then decides what happens after the grace period.
  if (!mayDelete(state, policy)) return [...term, ['grace_end', renewableUntil]];
  const redemptionEnd = addDays(renewableUntil, periods.redemption);
  return [
    ...term,
    ['grace_end', renewableUntil],
    ['redemption_end', redemptionEnd],
    ['deletion', addDays(redemptionEnd, periods.pendingDelete)],
  ];
}
