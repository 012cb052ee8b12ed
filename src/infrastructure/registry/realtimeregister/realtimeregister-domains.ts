import {
  asUnknownOutcome,
  findPolicy,
  foreignDomain,
  instantOf,
  isSame,
  pendingDomain,
  RegistryInconclusive,
  RegistryRejected,
  requirePolicy,
  type Availability,
  type Clock,
  type DomainName,
  type Money,
  type Registrant,
  type RegistryDomain,
  type RejectionReason,
  type TldPolicy,
} from '../../../adapter';
import { RealtimeRegisterError, type RealtimeRegisterClient } from './realtimeregister-client';
import type { RtrAction, RtrDomain, RtrPrice, RtrProcess } from './realtimeregister-responses';
import {
  acknowledged,
  handleOf,
  listedPrice,
  toContact,
  toOrder,
  toRegistryDomain,
  toRejection,
  totalOf,
} from './realtimeregister-mapping';

const PRICES_MS = 10 * 60_000;

/** Names, contacts and prices at Realtime Register. */
export class RealtimeRegisterDomains {
  private prices: { readonly until: number; readonly list: Promise<readonly RtrPrice[]> } | undefined;

  constructor(
    private readonly client: RealtimeRegisterClient,
    readonly policies: readonly TldPolicy[],
    private readonly currency: string,
    private readonly clock: Clock,
  ) {}

  async check(name: DomainName, years?: number): Promise<Availability> {
    const policy = findPolicy(this.policies, name);
    if (!policy) return { name, available: false };
    const { available, premium, price, renewPrice } = await rejecting(() => this.client.check(name.value));
    const [registration, renewal, restore] = await Promise.all([
      this.listed(name, 'CREATE', years ?? policy.years.min),
      this.listed(name, 'RENEW', policy.renewalYears.min),
      this.listed(name, 'RESTORE', policy.years.min),
    ]);
    if (!available || !registration || !renewal) return { name, available: false };
    const standard = { registration, renewal, restore: restore ?? renewal };
    if (!premium) return { name, available: true, price: standard };
    if (typeof price !== 'number') return { name, available: false };
    const fee = { minor: price * (years ?? policy.years.min), currency: this.currency };
    const premiumRenewal = { minor: renewPrice ?? price, currency: this.currency };
    return { name, available: true, price: { ...standard, registration: fee, renewal: premiumRenewal } };
  }

  /** From the price list, which is kept for ten minutes; undefined for a product that it lacks. */
  async listed(name: DomainName, action: string, years: number): Promise<Money | undefined> {
    const now = this.clock.now().getTime();
    if (!this.prices || this.prices.until <= now) {
      const list = rejecting(() => this.client.prices(this.currency));
      this.prices = { until: now + PRICES_MS, list };
      list.catch(() => {
        this.prices = undefined;
      });
    }
    const policy = this.policyFor(name, 'policy');
    return listedPrice(await this.prices.list, policy, { action, years, currency: this.currency });
  }

  /** What the action costs this name, as Realtime Register will charge it, and the body that agrees to it. */
  async quote(name: DomainName, action: string, body: RtrAction): Promise<{ total: Money; agreed: RtrAction }> {
    const quote = await rejecting(() => this.client.quote(name.value, action, body));
    return { total: totalOf(quote, this.currency), agreed: { ...body, ...acknowledged(quote) } };
  }

  async info(name: DomainName): Promise<RegistryDomain | undefined> {
    if (!findPolicy(this.policies, name)) return undefined;
    const domain = await rejecting(() => this.client.findDomain(name.value));
    if (domain) return this.toDomain(name, domain);
    const open = (await this.processes(name)).filter((process) => toOrder(process).status === 'open');
    const creation = open.find(({ action }) => action === 'create');
    if (creation) return pendingDomain(name, instantOf(creation.createdDate));
    const { available } = await rejecting(() => this.client.check(name.value));
    return available
      ? undefined
      : foreignDomain(
          name,
          open.some(({ action }) => action === 'transfer'),
        );
  }

  /** Those of the name, newest first. */
  async processes(name: DomainName): Promise<readonly RtrProcess[]> {
    return rejecting(() => this.client.processes(name.value));
  }

  /** @throws RegistryRejected (`not_held`) */
  async requireHeld(name: DomainName): Promise<RtrDomain> {
    const domain = findPolicy(this.policies, name) && (await rejecting(() => this.client.findDomain(name.value)));
    if (!domain) throw new RegistryRejected('not_held', `${name.value} is not in our account at Realtime Register`);
    return domain;
  }

  toDomain(name: DomainName, domain: RtrDomain): RegistryDomain {
    return toRegistryDomain(domain, this.policyFor(name, 'not_held'));
  }

  /** Updates a name, and reads it back. */
  async update(name: DomainName, body: RtrAction): Promise<RegistryDomain> {
    await rejecting(() => this.client.act(name.value, '/update', body));
    return this.readBack(name);
  }

  /** After a command. */
  async readBack(name: DomainName): Promise<RegistryDomain> {
    return afterwards(async () => this.toDomain(name, await this.requireHeld(name)));
  }

  /** Returns the handle of a contact with these data. A repetition finds it. */
  async ensureContact(registrant: Registrant): Promise<string> {
    const contact = toContact(registrant);
    const handle = handleOf(contact);
    try {
      await this.client.createContact(handle, contact);
    } catch (error) {
      const exists = error instanceof RealtimeRegisterError && (error.type === 'ObjectExists' || error.status === 409);
      if (!exists) throw toRejection(error);
    }
    return handle;
  }

  /** @throws RegistryRejected for `reason` if the name is under another suffix */
  policyFor(name: DomainName, reason: RejectionReason): TldPolicy {
    return requirePolicy(this.policies, name, reason);
  }
}

/** @throws RegistryRejected (`price_changed`) */
export function assertPrice(actual: Money, agreed: Money): void {
  if (!isSame(actual, agreed))
    throw new RegistryRejected('price_changed', 'The price at Realtime Register has changed');
}

/** Turns a rejection by Realtime Register into one of the port. */
export async function rejecting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRejection(error);
  }
}

/** For the requests that follow a command: a failure leaves its outcome unknown. */
export async function afterwards<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RealtimeRegisterError || error instanceof RegistryRejected)
      throw new RegistryInconclusive('Realtime Register has not completed the command yet', undefined, {
        cause: error,
      });
    throw asUnknownOutcome(error);
  }
}
