import { inject, injectable } from '../../ports/inject';
import type { Domain } from '../../../domain/registration/domain';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { RequestOf } from '../../../domain/registration/operations/operation-request';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { addDays } from '../../../domain/shared/time/calendar';
import { LifecyclePlan } from '../lifecycle-plan';
import { OperationReader } from '../../ports/registration/operations-and-transfers';
import { LifecycleClock } from '../../ports/system';
import { AccountRegistries } from '../../ports/registry/registries';
import {
  AcceptedNotShown,
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
} from '../../ports/registry/registry-errors';
import type { ChargedDomain, RegistryDomain, RegistryPort } from '../../ports/registry/registry-port';
import { resolveBeforeRetry } from '../resolve-before-retry';

/** More than a domain usually has unfinished. */
const LATEST_OPERATIONS = 20;
/** Tolerance when a date of the registry is compared with our clock. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** A deletion that took effect. `held` is the registry's data afterwards; undefined if the name is unregistered. */
interface Deletion {
  readonly held: RegistryDomain | undefined;
}

/** Deletes domains at a registry, and restores them from redemption (RFC 3915). */
@injectable()
export class DomainDeletions {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LifecyclePlan) private readonly plan: Pick<LifecyclePlan, 'stepsDue'>,
    @inject(OperationReader) private readonly operations: Pick<OperationReader, 'page'>,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** Returns the registry's data afterwards; undefined if the name is unregistered. @throws RegistryRejected, RegistryUnavailable */
  async delete(
    domain: Domain,
    request: RequestOf<'delete'>,
    operation: Operation,
  ): Promise<RegistryDomain | undefined> {
    const { name } = domain;
    const registry = this.registryOf(domain);
    const { held } = await resolveBeforeRetry<Deletion>(operation, {
      check: () => this.findDeletion(domain),
      send: async () => {
        if (request.within === 'add_grace') await this.assertInAddGrace(domain);
        if (request.within === 'any_time') await this.assertStillDue(domain);
        if (request.within === 'before_renewal') await this.assertUnrenewed(domain, new Date(request.currentExpiry));
        return { held: await registry.delete(name, operation.transactionId) };
      },
    });
    return held && this.withEnd(held, operation);
  }

  /** @throws RegistryRejected, RegistryUnavailable; AcceptedNotShown if the name is still in redemption after an accepted restore */
  async restore(domain: Domain, { price }: RequestOf<'restore'>, operation: Operation): Promise<ChargedDomain> {
    const { transactionId, idempotencyKey } = operation;
    return resolveBeforeRetry<ChargedDomain>(operation, {
      check: (when) => this.findRestore(domain, when),
      send: async () => {
        const restored = await this.registryOf(domain).restore(domain.name, price, transactionId, idempotencyKey);
        if (restored.phase === 'redemption') throw new AcceptedNotShown(restored.charged);
        return restored;
      },
    });
  }

  /**
   * The registry's estimate of the end of redemption, if it can be that of a delete that was sent since the first uncertain one.
   * Otherwise that delete began the redemption: the registry has not changed its date of the last update.
   */
  private withEnd(held: RegistryDomain, operation: Operation): RegistryDomain {
    const { updatedAt, uncertainSince } = operation.toState();
    const periods = this.policies.forName(held.name)?.periods;
    if (!held.phaseEndIsEstimate || held.phase !== 'redemption' || !periods) return held;
    const uncertainMs = uncertainSince ? updatedAt.getTime() - uncertainSince.getTime() : 0;
    const latest = addDays(this.clock.now(), periods.redemption);
    const earliest = new Date(latest.getTime() - uncertainMs);
    const estimate = held.phaseEndsAt?.getTime() ?? 0;
    const isPossible = estimate >= earliest.getTime() - CLOCK_SKEW_MS && estimate <= latest.getTime() + CLOCK_SKEW_MS;
    return isPossible ? held : { ...held, phaseEndsAt: earliest };
  }

  /** A later registration by another registrar proves a deletion. Our own registration at another registrar was transferred, not deleted. */
  private async findDeletion(domain: Domain): Promise<Deletion | undefined> {
    const held = await this.registryOf(domain).info(domain.name);
    if (!held || (!held.sponsoredByUs && held.createdAt > addDays(domain.registeredAt, 1))) return { held: undefined };
    if (!held.sponsoredByUs) return undefined;
    return held.phase === 'redemption' || held.phase === 'pending_delete' ? { held } : undefined;
  }

  /** A pending restore may wait for a report from us, so it is repeated; if that is rejected, it was already complete. */
  private async findRestore(domain: Domain, when: 'before' | 'rejected'): Promise<RegistryDomain | undefined> {
    const held = await this.registryOf(domain).info(domain.name);
    if (!held?.sponsoredByUs || held.phase === 'redemption' || held.phase === 'pending_delete') return undefined;
    return held.phase === 'pending_restore' && when === 'before' ? undefined : held;
  }

  /** A deletion after the add grace period would not be refunded and would lead into redemption. */
  private async assertInAddGrace(domain: Domain): Promise<void> {
    const held = await this.registryOf(domain).info(domain.name).catch(rethrowAsNotSent);
    const policy = this.policies.forName(domain.name);
    const inGrace =
      held?.sponsoredByUs && policy && addDays(held.createdAt, policy.periods.addGrace) > this.clock.now();
    if (!inGrace) throw new RegistryRejected('status', 'The add grace period has ended');
  }

  /** The operation may have waited until auto-renewal was switched on again, or until the account ordered a renewal. */
  private async assertStillDue(domain: Domain): Promise<void> {
    const latest = await this.operations.page(
      { accountId: domain.toState().accountId, domainId: domain.id },
      LATEST_OPERATIONS,
    );
    const isRenewing = latest.some(({ request, finishedAt }) => request.kind === 'renew' && finishedAt === null);
    if (isRenewing || !this.plan.stepsDue(domain.toState(), this.clock.now()).includes('delete'))
      throw new RegistryRejected('status', 'The deletion is no longer due');
  }

  /** The operation may have waited until auto-renewal was switched on again, or until the registry renewed the domain. */
  private async assertUnrenewed(domain: Domain, expiresAt: Date): Promise<void> {
    const { name } = domain;
    if (domain.toState().autoRenew || this.policies.forName(name)?.deleteUnrenewedDays === undefined)
      throw new RegistryRejected('status', 'Auto-renewal is on, so the domain is kept');
    const held = await this.registryOf(domain).info(name).catch(rethrowAsNotSent);
    if (!held || !isUnrenewed(held, expiresAt) || held.expiresAt <= this.clock.now())
      throw new RegistryRejected('status', 'The registry has renewed or transfers the domain, so it is kept');
  }

  private registryOf({ accountId }: Domain): RegistryPort {
    return this.registries.forAccount(accountId);
  }
}

/** Whether the registry still has the domain as we knew it, so that it can be deleted before it is renewed. */
export function isUnrenewed(
  { phase, sponsoredByUs, transferPending, expiresAt, registrarRenews = false }: RegistryDomain,
  known: Date,
): boolean {
  const isOurs = sponsoredByUs && registrarRenews && phase === 'registered' && !transferPending;
  return isOurs && expiresAt.getTime() === known.getTime();
}

/** A failed query before the command does not make the outcome of the deletion unknown. */
function rethrowAsNotSent(error: unknown): never {
  throw error instanceof RegistryUnavailable
    ? new RegistryNotContacted(error.details, error.retryAfterSeconds, { cause: error })
    : error;
}
