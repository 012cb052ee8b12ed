import { inject, injectable } from 'inversify';
import type { Domain, DomainState, RegistryFacts } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import {
  lifecycleDates,
  nextDueAt,
  stepsDue,
  withKnownEnd,
  type DueStep,
  type LifecycleDates,
} from '../../domain/registration/lifecycle';
import { TldPolicies, type TldPolicy } from '../../domain/registration/tld-policy';
import { RenewalSettings } from './renewal-settings';

/** How long nobody else looks at a domain that somebody looks at. */
export const SYNC_INTERVAL_MS = 5 * 60_000;

/** When lives go on, by the rules of their TLDs and the operator's settings. A name under no TLD that is served has no plan. */
@injectable()
export class LifecyclePlan {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RenewalSettings) private readonly renewals: RenewalSettings,
  ) {}

  /** Sets when the domain is to be looked at next: at `notBefore` at the earliest. */
  schedule(domain: Domain, notBefore?: Date): void {
    const state = domain.toState();
    const policy = this.policyFor(state);
    const due = policy ? nextDueAt(state, policy.periods, this.renewals) : null;
    domain.schedule(due && notBefore && due < notBefore ? notBefore : due);
  }

  /**
   * The same after a change at `now` that came from elsewhere than a look. Where one is due or under way, the next is due
   * at once: what that one saw may be older than the change, and what it was to find out must not be lost.
   */
  reschedule(domain: Domain, now: Date): void {
    const { dueAt } = domain.toState();
    if (dueAt && dueAt.getTime() <= now.getTime() + SYNC_INTERVAL_MS) domain.schedule(now);
    else this.schedule(domain);
  }

  stepsDue(state: DomainState, now: Date): readonly DueStep[] {
    const policy = this.policyFor(state);
    return policy ? stepsDue(state, policy.periods, this.renewals, now) : [];
  }

  /** Makes the registry's facts the domain's, with the end of its phase as far as it is known. */
  adopt(domain: Domain, facts: RegistryFacts, now: Date): void {
    const state = domain.toState();
    const policy = this.policyFor(state);
    domain.adopt(policy ? withKnownEnd(facts, state, policy.periods, now) : facts, now);
  }

  dates(state: DomainState): LifecycleDates | undefined {
    const policy = this.policyFor(state);
    return policy && lifecycleDates(state, policy.periods);
  }

  policyFor({ name }: Pick<DomainState, 'name'>): TldPolicy | undefined {
    return this.policies.forName(DomainName.fromState(name));
  }
}
