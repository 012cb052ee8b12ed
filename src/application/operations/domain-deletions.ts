import { inject, injectable } from 'inversify';
import type { Domain } from '../../domain/registration/domain';
import type { DomainName } from '../../domain/registration/domain-name';
import type { Operation, RequestOf } from '../../domain/registration/operation';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { addDays, DAY_MS } from '../../domain/shared/calendar';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { RegistryRejected, RegistryNotContacted, RegistryUnavailable } from '../ports/registry/registry-errors';
import { RegistryPort, type ChargedDomain, type RegistryDomain } from '../ports/registry/registry-port';
import { resolveBeforeRetry } from './resolve-before-retry';

/** What the registry holds for us after a deletion; `held` is absent where it holds nothing. */
interface Departed {
  readonly held: RegistryDomain | undefined;
}

/** Lets names go at a registry, and brings them back. */
@injectable()
export class DomainDeletions {
  constructor(
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  /** Answers what the registry holds afterwards. @throws RegistryRejected, RegistryUnavailable */
  async delete(
    domain: Domain,
    { within }: RequestOf<'delete'>,
    operation: Operation,
  ): Promise<RegistryDomain | undefined> {
    const { name } = domain;
    const { held } = await resolveBeforeRetry<Departed>(operation, {
      look: () => this.departed(domain),
      call: async () => {
        if (within === 'add_grace') await this.assertInAddGrace(name);
        return { held: await this.registry.delete(name, operation.transactionId) };
      },
    });
    return held && this.withEnd(held, operation);
  }

  /** @throws RegistryRejected, RegistryUnavailable */
  async restore(domain: Domain, { price }: RequestOf<'restore'>, operation: Operation): Promise<ChargedDomain> {
    const { name } = domain;
    return resolveBeforeRetry<ChargedDomain>(operation, {
      look: (when) => this.restored(name, when),
      call: () => this.registry.restore(name, price, operation.transactionId),
    });
  }

  /** Some registries say neither when redemption ends nor when it began. We know when the delete was sent: at the latest when its outcome became unknown. */
  private withEnd(held: RegistryDomain, operation: Operation): RegistryDomain {
    const { updatedAt, uncertainSince } = operation.toState();
    const periods = this.policies.forName(held.name)?.periods;
    if (!held.phaseEndIsEstimate || held.phase !== 'redemption' || !periods) return held;
    const sentAt = new Date(
      this.clock.now().getTime() - (uncertainSince ? updatedAt.getTime() - uncertainSince.getTime() : 0),
    );
    const phaseEndsAt = addDays(sentAt, periods.redemption);
    const isClose =
      held.phaseEndsAt !== undefined && Math.abs(held.phaseEndsAt.getTime() - phaseEndsAt.getTime()) < DAY_MS;
    return isClose ? held : { ...held, phaseEndsAt };
  }

  /** A name that somebody else has by a registration after ours was deleted; by ours, it was transferred, and that is no deletion. */
  private async departed(domain: Domain): Promise<Departed | undefined> {
    const held = await this.registry.info(domain.name);
    if (!held || (!held.sponsoredByUs && held.createdAt > addDays(domain.registeredAt, 1))) return { held: undefined };
    if (!held.sponsoredByUs) return undefined;
    return held.phase === 'redemption' || held.phase === 'pending_delete' ? { held } : undefined;
  }

  /** One that was asked for and is pending may wait for more from us: repeating it goes on with it, and where that is rejected, it waits for nothing. */
  private async restored(name: DomainName, when: 'before' | 'rejected'): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(name);
    if (!held?.sponsoredByUs || held.phase === 'redemption' || held.phase === 'pending_delete') return undefined;
    return held.phase === 'pending_restore' && when === 'before' ? undefined : held;
  }

  /** A deletion that comes too late would not free the name, but end in a redemption that has to be paid for. */
  private async assertInAddGrace(name: DomainName): Promise<void> {
    const [held, policy] = [await this.registry.info(name).catch(notSent), this.policies.forName(name)];
    const inGrace =
      held?.sponsoredByUs && policy && addDays(held.createdAt, policy.periods.addGrace) > this.clock.now();
    if (!inGrace) throw new RegistryRejected('status', 'The add grace period is over');
  }
}

/** A question that is not answered leaves no deletion in doubt. */
function notSent(error: unknown): never {
  throw error instanceof RegistryUnavailable
    ? new RegistryNotContacted(error.details, error.retryAfterSeconds, { cause: error })
    : error;
}
