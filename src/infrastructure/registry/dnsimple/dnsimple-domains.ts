import {
  asUnknownOutcome,
  findPolicy,
  foreignDomain,
  instantOf,
  requirePolicy,
  RegistryInconclusive,
  RegistryRejected,
  type Availability,
  type Clock,
  type DomainName,
  type LifecyclePeriods,
  type Registrant,
  type RegistryDomain,
  type RegistryTransfer,
  type RejectionReason,
  type TldPolicy,
} from '../../../adapter';
import { DnsimpleError, type DnsimpleClient } from './dnsimple-client';
import type { DnsimpleDomain, DnsimplePrices } from './dnsimple-responses';
import { toContact, toPendingDomain, toQuote, toRegistryDomain, toRejection } from './dnsimple-mapping';

/** How long a registration or transfer may leave a name in the state `hosted`. */
const UNDECIDED_MS = 8 * 24 * 3_600_000;

/** Reads names: three requests for one that is ours, and a check for one that is not. */
export class DnsimpleDomains {
  constructor(
    private readonly client: DnsimpleClient,
    readonly policies: readonly TldPolicy[],
    private readonly clock: Clock,
  ) {}

  async check(name: DomainName): Promise<Availability> {
    if (!findPolicy(this.policies, name)) return { name, available: false };
    try {
      if (!(await this.client.isAvailable(name.value))) return { name, available: false };
      return { name, available: true, price: toQuote(await this.client.prices(name.value)) };
    } catch (error) {
      // A TLD that DNSimple does not sell, or a name that its registry reserves.
      if (error instanceof DnsimpleError && error.status === 400) return { name, available: false };
      throw toRejection(error);
    }
  }

  async prices(name: DomainName): Promise<DnsimplePrices> {
    return rejecting(() => this.client.prices(name.value));
  }

  /** @param transfer the latest transfer to us, if known */
  async info(name: DomainName, transfer?: RegistryTransfer): Promise<RegistryDomain | undefined> {
    if (!findPolicy(this.policies, name)) return undefined;
    const domain = await rejecting(() => this.client.findDomain(name.value));
    if (domain && domain.state !== 'hosted')
      return { ...(await this.complete(name, domain)), createdByUs: transfer?.status !== 'completed' };
    const { available } = await this.check(name);
    const isUndecided = domain !== undefined && !transfer && this.isYoung(domain, UNDECIDED_MS);
    if (available) return isUndecided ? toPendingDomain(domain) : undefined;
    if (isUndecided) throw new RegistryInconclusive(`DNSimple has not completed the registration of ${name.value}`);
    return foreignDomain(name, transfer?.status === 'pending');
  }

  isYoung({ created_at: createdAt }: DnsimpleDomain, ms: number): boolean {
    return this.clock.now().getTime() - instantOf(createdAt).getTime() < ms;
  }

  /** @throws RegistryRejected (`not_held`) */
  async requireHeld(name: DomainName): Promise<DnsimpleDomain> {
    const domain = findPolicy(this.policies, name) && (await rejecting(() => this.client.findDomain(name.value)));
    if (!domain || domain.state === 'hosted')
      throw new RegistryRejected('not_held', `${name.value} is not registered in our account at DNSimple`);
    return domain;
  }

  /** With its delegation and lock. */
  async complete(name: DomainName, domain: DnsimpleDomain): Promise<RegistryDomain> {
    const [hosts, locked] = await rejecting(() =>
      Promise.all([this.client.nameservers(name.value), this.isLocked(name)]),
    );
    return toRegistryDomain(domain, hosts, locked, this.timeOf(name));
  }

  /** After a command. */
  async readBack(name: DomainName): Promise<RegistryDomain> {
    return this.complete(name, await this.requireHeld(name));
  }

  /** False for a TLD without transfer lock. */
  async isLocked(name: DomainName): Promise<boolean> {
    try {
      return await this.client.isLocked(name.value);
    } catch (error) {
      if (error instanceof DnsimpleError && (error.status === 400 || error.status === 404)) return false;
      throw error;
    }
  }

  /** Undefined if DNSimple does not say. */
  async isKnownAvailable(name: DomainName): Promise<boolean | undefined> {
    return this.client.isAvailable(name.value).catch(() => undefined);
  }

  /** Creates a contact for `use`, and deletes it if DNSimple rejects that. */
  async withContact<T>(registrant: Registrant, use: (contactId: number) => Promise<T>): Promise<T> {
    const contactId = await this.client.createContact(toContact(registrant));
    try {
      return await use(contactId);
    } catch (error) {
      if (error instanceof DnsimpleError) await this.client.deleteContact(contactId).catch(() => undefined);
      throw error;
    }
  }

  timeOf(name: DomainName): { readonly periods: LifecyclePeriods; readonly now: Date } {
    return { periods: this.policyFor(name, 'not_held').periods, now: this.clock.now() };
  }

  /** @throws RegistryRejected for `reason` if the name is under another suffix */
  policyFor(name: DomainName, reason: RejectionReason): TldPolicy {
    return requirePolicy(this.policies, name, reason);
  }
}

/** Turns a rejection by DNSimple into one of the port. `badRequest` is the reason of an HTTP 400. */
export async function rejecting<T>(work: () => Promise<T>, badRequest?: RejectionReason): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRejection(error, badRequest);
  }
}

/** For the requests that follow a command: a failure leaves its outcome unknown. */
export async function afterwards<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DnsimpleError || error instanceof RegistryRejected)
      throw new RegistryInconclusive('DNSimple completed the command only in part', undefined, { cause: error });
    throw asUnknownOutcome(error);
  }
}
