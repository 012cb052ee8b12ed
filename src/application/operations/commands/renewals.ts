import { inject, injectable } from '../../ports/inject';
import { addedYears, endsWithAddedYear, hasAddedYear } from '../../../domain/registration/added-year';
import type { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Operation } from '../../../domain/registration/operations/operation';
import type { RequestOf } from '../../../domain/registration/operations/operation-request';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { isYearsAfter, sameDay } from '../../../domain/shared/time/calendar';
import { isWithin, minus, plus } from '../../../domain/shared/money';
import { LifecycleClock } from '../../ports/system';
import { AccountRegistries } from '../../ports/registry/registries';
import { AcceptedNotShown, RegistryRejected, RenewalUndecided } from '../../ports/registry/registry-errors';
import type { ChargedDomain, RegistryPort } from '../../ports/registry/registry-port';
import { resolveBeforeRetry } from '../resolve-before-retry';
import { renewalPrice } from './renewal-price';

interface Renewal {
  readonly registry: RegistryPort;
  readonly name: DomainName;
  /** End of the paid term. */
  readonly from: Date;
  readonly request: RequestOf<'renew'>;
  readonly operation: Operation;
}

/**
 * Renews domains at a registry. After expiry, the registry has already added and charged its shortest term: that is the first
 * part of the renewal, and only the rest is ordered.
 */
@injectable()
export class Renewals {
  constructor(
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  /** Returns the registry's data afterwards. @throws RegistryRejected, RegistryUnavailable */
  async renew(domain: Domain, request: RequestOf<'renew'>, operation: Operation): Promise<ChargedDomain> {
    const { accountId, name, expiresAt } = domain;
    if (isNoLongerWanted(domain, operation))
      throw new RegistryRejected('status', 'Auto-renewal was switched off before the renewal was sent');
    const registry = this.registries.forAccount(accountId);
    const from = new Date(request.currentExpiry ?? expiresAt);
    const renewal: Renewal = { registry, name, from, request, operation };
    return resolveBeforeRetry(operation, {
      check: () => this.findRenewal(renewal),
      send: () => this.order(renewal),
    });
  }

  /**
   * Detects a renewal by the expiry. Years that the registry added automatically do not prove an order.
   * What the registry accepted without showing it stays uncertain until the expiry moves.
   * @throws RenewalUndecided while the registry decides; RegistryRejected if it has decided and did not renew
   */
  private async findRenewal({ registry, name, from, request, operation }: Renewal): Promise<ChargedDomain | undefined> {
    const { years, undecided } = request;
    const held = await registry.info(name);
    if (held?.sponsoredByUs && isYearsAfter(held.expiresAt, from, years)) {
      if (years <= addedYears(held) || !endsWithAddedYear(held, this.clock.now())) return held;
    }
    if (held?.sponsoredByUs && held.renewalPending && operation.mayHaveTakenEffect) throw new RenewalUndecided();
    if (undecided && !operation.mayOnlyRead)
      throw new RegistryRejected('status', 'The registry has not granted the renewal');
    return undefined;
  }

  private async order(renewal: Renewal): Promise<ChargedDomain> {
    const { registry, name, from, request, operation } = renewal;
    const { transactionId, idempotencyKey } = operation;
    const term = RegistrationTerm.ofYears(request.years);
    try {
      const renewed = await registry.renew(name, from, term, transactionId, request.price, idempotencyKey);
      return assertExtended(renewed, from, request.years);
    } catch (error) {
      if (!(error instanceof RegistryRejected) || error.reason !== 'expiry_differs') throw error;
      return (await this.orderRest(renewal)) ?? Promise.reject(error);
    }
  }

  /**
   * Orders the rest after an automatic renewal. Returns undefined if the registry added no years. The agreed price covers both
   * parts. @throws RegistryRejected (`price_changed`) if the agreed price is too low
   */
  private async orderRest({
    registry,
    name,
    from,
    request: { years, price },
    operation: { transactionId, idempotencyKey },
  }: Renewal): Promise<ChargedDomain | undefined> {
    const held = await registry.info(name);
    if (!held?.sponsoredByUs || !hasAddedYear(held, from, this.clock.now())) return undefined;
    const term = RegistrationTerm.ofYears(years);
    const added = RegistrationTerm.ofYears(addedYears(held));
    const rest = term.without(added);
    if (!rest) return held;
    const [total, { renewal }] = await Promise.all([
      renewalPrice(registry, name, { term, parts: { added, rest } }),
      registry.price(name, rest),
    ]);
    if (!isWithin(total, price))
      throw new RegistryRejected('price_changed', 'The price has changed since it was shown');
    const ids = [`${transactionId}-rest`, renewal, `${idempotencyKey}-rest`] as const;
    const renewed = await registry.renew(name, held.expiresAt, rest, ...ids);
    const charged = plus(minus(total, renewal), renewed.charged ?? renewal);
    return assertExtended({ ...renewed, charged }, held.expiresAt, rest.years);
  }
}

/** @throws RenewalUndecided, AcceptedNotShown: the registry has accepted the renewal, and its expiry has not moved from `from` */
function assertExtended(renewed: ChargedDomain, from: Date, years: number): ChargedDomain {
  const { expiresAt, renewalPending = false, charged } = renewed;
  if (renewalPending && !isYearsAfter(expiresAt, from, years)) throw new RenewalUndecided(charged);
  // Registries compare the day, and some show another time of it with each response.
  if (expiresAt <= from || sameDay(expiresAt, from)) throw new AcceptedNotShown(charged);
  return renewed;
}

/** An automatic renewal that the registry cannot have received; it may have waited for the registry. */
function isNoLongerWanted(domain: Domain, { actor, mayHaveTakenEffect }: Operation): boolean {
  return actor.kind === 'service' && !mayHaveTakenEffect && !domain.toState().autoRenew;
}
