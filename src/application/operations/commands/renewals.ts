import { inject, injectable } from 'inversify';
import { addedYears, endsWithAddedYear, hasAddedYear } from '../../../domain/registration/added-year';
import type { Domain } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { Operation, RequestOf } from '../../../domain/registration/operation';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { isYearsAfter } from '../../../domain/shared/calendar';
import { isWithin, minus, plus } from '../../../domain/shared/money';
import { LifecycleClock, type Clock } from '../../ports/system/clock';
import { RegistryRejected, RenewalUndecided } from '../../ports/registry/registry-errors';
import { RegistryPort, type ChargedDomain } from '../../ports/registry/registry-port';
import { resolveBeforeRetry } from '../resolve-before-retry';
import { renewalPrice } from './renewal-price';

interface Renewal {
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
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  /** Returns the registry's data afterwards. @throws RegistryRejected, RegistryUnavailable */
  async renew(domain: Domain, request: RequestOf<'renew'>, operation: Operation): Promise<ChargedDomain> {
    const { name, expiresAt } = domain;
    if (isNoLongerWanted(domain, operation))
      throw new RegistryRejected('status', 'Auto-renewal was switched off before the renewal was sent');
    const renewal: Renewal = { name, from: new Date(request.currentExpiry ?? expiresAt), request, operation };
    const facts = await resolveBeforeRetry(operation, {
      check: () => this.findRenewal(renewal),
      send: () => this.order(renewal),
    });
    if (facts.renewalPending && !isYearsAfter(facts.expiresAt, renewal.from, request.years))
      throw new RenewalUndecided();
    if (facts.expiresAt > renewal.from) return facts;
    throw new RegistryRejected(
      'expiry_differs',
      'The registry accepted the renewal, but did not extend the registration. Check the expiry again before you repeat it',
    );
  }

  /**
   * Detects a renewal by the expiry. Years that the registry added automatically do not prove an order.
   * @throws RenewalUndecided while the registry decides; RegistryRejected if it has decided and did not renew
   */
  private async findRenewal({ name, from, request, operation }: Renewal): Promise<ChargedDomain | undefined> {
    const { years, undecided } = request;
    const held = await this.registry.info(name);
    if (held?.sponsoredByUs && isYearsAfter(held.expiresAt, from, years)) {
      if (years <= addedYears(held) || !endsWithAddedYear(held, this.clock.now())) return held;
    }
    if (held?.sponsoredByUs && held.renewalPending && operation.mayHaveTakenEffect) throw new RenewalUndecided();
    if (undecided) throw new RegistryRejected('status', 'The registry has not granted the renewal');
    return undefined;
  }

  private async order(renewal: Renewal): Promise<ChargedDomain> {
    const { name, from, request, operation } = renewal;
    try {
      return await this.registry.renew(
        name,
        from,
        RegistrationTerm.ofYears(request.years),
        operation.transactionId,
        request.price,
      );
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
    name,
    from,
    request: { years, price },
    operation: { transactionId },
  }: Renewal): Promise<ChargedDomain | undefined> {
    const held = await this.registry.info(name);
    if (!held?.sponsoredByUs || !hasAddedYear(held, from, this.clock.now())) return undefined;
    const term = RegistrationTerm.ofYears(years);
    const added = RegistrationTerm.ofYears(addedYears(held));
    const rest = term.without(added);
    if (!rest) return held;
    const [total, { renewal }] = await Promise.all([
      renewalPrice(this.registry, name, { term, parts: { added, rest } }),
      this.registry.price(name, rest),
    ]);
    if (!isWithin(total, price))
      throw new RegistryRejected('price_changed', 'The price has changed since it was shown');
    const renewed = await this.registry.renew(name, held.expiresAt, rest, `${transactionId}-rest`, renewal);
    const charged = plus(minus(total, renewal), renewed.charged ?? renewal);
    return { ...renewed, charged };
  }
}

/** An automatic renewal that the registry cannot have received; it may have waited for the registry. */
function isNoLongerWanted(domain: Domain, { actor, mayHaveTakenEffect }: Operation): boolean {
  return actor.kind === 'service' && !mayHaveTakenEffect && !domain.toState().autoRenew;
}
