import { inject, injectable } from 'inversify';
import { endsWithAddedYear, mayHaveAddedYear } from '../../domain/registration/added-year';
import type { Domain } from '../../domain/registration/domain';
import type { DomainName } from '../../domain/registration/domain-name';
import type { Operation, RequestOf } from '../../domain/registration/operation';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { isYearsAfter } from '../../domain/shared/calendar';
import { times } from '../../domain/shared/money';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { RegistryPort, type RegistryDomain } from '../ports/registry/registry-port';
import { once } from './once';

interface Renewal {
  readonly name: DomainName;
  /** The end of the term that the account has paid for. */
  readonly from: Date;
  readonly request: RequestOf<'renew'>;
  readonly operation: Operation;
}

/**
 * Extends the account's term at a registry. After expiry the registry has added a year by itself and charged us for it:
 * that year is the first of the renewal, and only what comes on top of it is ordered.
 */
@injectable()
export class Renewals {
  constructor(
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  /** Answers the registry's facts afterwards. @throws RegistryRejected, RegistryUnavailable */
  async renew(domain: Domain, request: RequestOf<'renew'>, operation: Operation): Promise<RegistryDomain> {
    const { name, expiresAt } = domain;
    const renewal: Renewal = { name, from: new Date(request.currentExpiry ?? expiresAt), request, operation };
    const facts = await once(operation, { look: () => this.renewed(renewal), call: () => this.order(renewal) });
    if (facts.expiresAt <= renewal.from) throw new RegistryRejected('expiry_differs', 'The registry did not extend the registration');
    return facts;
  }

  /** Decided by the expiry: the year that the registry adds by itself is the first of several only, and no sign of an order. */
  private async renewed({ name, from, request: { years } }: Renewal): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(name);
    if (!held?.ours || !isYearsAfter(held.expiresAt, from, years)) return undefined;
    return years === 1 || !endsWithAddedYear(held, this.clock.now()) ? held : undefined;
  }

  private async order(renewal: Renewal): Promise<RegistryDomain> {
    const { name, from, request, operation } = renewal;
    try {
      return await this.registry.renew(name, from, RegistrationTerm.ofYears(request.years), operation.transactionId, request.price);
    } catch (error) {
      if (!(error instanceof RegistryRejected) || error.reason !== 'expiry_differs') throw error;
      return (await this.onTopOfAddedYear(renewal)) ?? Promise.reject(error);
    }
  }

  /** Undefined where the registry has added no year to the term that is to be extended. */
  private async onTopOfAddedYear({ name, from, request: { years, price }, operation: { transactionId } }: Renewal): Promise<RegistryDomain | undefined> {
    const held = await this.registry.info(name);
    if (!held?.ours || !mayHaveAddedYear(held, from, this.clock.now()) || !isYearsAfter(held.expiresAt, from, 1)) return undefined;
    if (years === 1) return held;
    const rest = years - 1;
    return this.registry.renew(name, held.expiresAt, RegistrationTerm.ofYears(rest), `${transactionId}-rest`, times({ ...price, minor: price.minor / years }, rest));
  }
}
