import {
  type RenewalSchedule,
  lifecycleDates,
  nextDueAt,
  stepsDue,
  withKnownEnd,
  withPendingRelease,
  type DueStep,
  type LifecycleDates,
} from '../../domain/registration/lifecycle/lifecycle';
import { lifecycleTimeline, type TimelinePoint } from '../../domain/registration/lifecycle/lifecycle-timeline';
import { inject, injectable, token } from '../ports/inject';
import type { Domain, DomainState } from '../../domain/registration/domain';
import type { RegistryFacts } from '../../domain/registration/registry-facts';
import { DomainName } from '../../domain/shared/domain-name';
import { TldPolicies, type RegistryFeature, type TldPolicy } from '../../domain/registration/names/tld-policy';
import { addDays } from '../../domain/shared/time/calendar';
import { groupedBy } from '../../domain/shared/grouped-by';
import type { UnrenewedDeletion } from '../ports/registration/domain-repository';

export type RenewalSettings = RenewalSchedule;
export const RenewalSettings = token<RenewalSettings>('RenewalSettings');

/** How long a check claims a domain. */
export const SYNC_INTERVAL_MS = 5 * 60_000;

/** Applies the lifecycle rules with the TLD's policy and the operator's settings. Names under unsupported TLDs have no schedule. */
@injectable()
export class LifecyclePlan {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RenewalSettings) private readonly renewals: RenewalSettings,
  ) {}

  /** Schedules the next check, at `notBefore` at the earliest; of a name without a registration, the next check is another one. */
  schedule(domain: Domain, notBefore?: Date): void {
    if (domain.hasLeft) return;
    const state = domain.toState();
    const policy = this.policyFor(state);
    const planned = policy ? nextDueAt(withoutCode(state, policy), policy, this.renewals) : null;
    const isStuck =
      planned !== null &&
      planned <= state.updatedAt &&
      lacks(policy, 'renewal') &&
      !this.stepsDue(state, state.updatedAt).includes('delete before renewal');
    const due = isStuck ? addDays(state.updatedAt, 1) : planned;
    domain.schedule(due && notBefore && due < notBefore ? notBefore : due);
  }

  /**
   * Schedules the next check after another change. If a check is due or running, the next one is due at once, because the
   * running one may have read data that are older than the change.
   */
  reschedule(domain: Domain, now: Date): void {
    const { dueAt } = domain.toState();
    if (dueAt && dueAt.getTime() <= now.getTime() + SYNC_INTERVAL_MS) domain.schedule(now);
    else this.schedule(domain);
  }

  stepsDue(state: DomainState, now: Date): readonly DueStep[] {
    const policy = this.policyFor(state);
    if (!policy) return [];
    const steps = stepsDue(withoutCode(state, policy), policy, this.renewals, now);
    return lacks(policy, 'renewal') ? steps.filter((step) => step !== 'renew') : steps;
  }

  /** Adopts the registry's data, with the best known end of the phase. */
  adopt(domain: Domain, facts: RegistryFacts, now: Date): void {
    const state = domain.toState();
    const policy = this.policyFor(state);
    const known = policy && withKnownEnd(facts, state, policy.periods, now);
    domain.adopt(policy && known ? withPendingRelease(known, state, policy, now) : facts, now);
  }

  dates(state: DomainState): LifecycleDates | undefined {
    const policy = this.policyFor(state);
    return policy && lifecycleDates(state, policy);
  }

  /** What the service deletes before the registry would renew it, by the number of days before the expiry. */
  unrenewedDeletions(): readonly UnrenewedDeletion[] {
    const deleting = this.policies.all().filter((policy) => !lacks(policy, 'delete'));
    return [...groupedBy(deleting, ({ deleteUnrenewedDays }) => deleteUnrenewedDays)].flatMap(([days, policies]) =>
      days === undefined ? [] : [{ days, suffixes: policies.map(({ suffix }) => suffix) }],
    );
  }

  /** Empty if no registry serves the TLD any more. */
  timeline(state: DomainState): readonly TimelinePoint[] {
    const policy = this.policyFor(state);
    return policy ? lifecycleTimeline(state, policy, this.renewals) : [];
  }

  supports(state: Pick<DomainState, 'name'>, feature: RegistryFeature): boolean {
    return !lacks(this.policyFor(state), feature);
  }

  policyFor({ name }: Pick<DomainState, 'name'>): TldPolicy | undefined {
    return this.policies.forName(DomainName.fromState(name));
  }
}

function lacks(policy: TldPolicy | undefined, feature: RegistryFeature): boolean {
  return policy?.unsupported?.includes(feature) ?? false;
}

/** A registrar that cannot withdraw auth codes ends them by itself. */
function withoutCode(state: DomainState, policy: TldPolicy): DomainState {
  return lacks(policy, 'withdraw_auth_code') ? { ...state, authCodeUntil: null } : state;
}
