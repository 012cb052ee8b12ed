import type { RegistrationRequest, RegistryDomain, RegistryPort } from '../application/ports/registry/registry-port';
import { DomainName } from '../domain/shared/domain-name';
import { Nameservers } from '../domain/registration/nameservers';
import type { Registrant } from '../domain/registration/registrant';
import { RegistrationTerm } from '../domain/registration/registration-term';
import type { Money } from '../domain/shared/money';

export const REGISTRANT: Registrant = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

/** The error of a command that the name's status prohibits. */
export const WRONG_STATUS = { code: 'REGISTRY_REJECTED', reason: 'status' };

/** Makes names and transaction ids unique: registries keep those of earlier runs. */
export const RUN = process.env['CONTRACT_RUN'] ?? `${Date.now().toString(36)}-${process.pid.toString(36)}`;
let serial = 0;

const HOST_PREFIX = process.env['EPP_INTEROP_HOST_PREFIX'] ?? 'hosts';

/** Hosts that do not exist as host objects yet. */
export const freshHosts = (count: number): Nameservers =>
  Nameservers.of(
    Array.from({ length: count }, (_, index) => `ns${index + 1}.${HOST_PREFIX}-${RUN}-${(serial += 1)}.example.net`),
  );
export const HOSTS = freshHosts(2);

export const freshName = (tld = 'com'): DomainName => DomainName.parse(`contract-${RUN}-${(serial += 1)}.${tld}`);
export const freshId = (): string => `contract-${RUN}-${(serial += 1)}`;
export const years = (count: number): RegistrationTerm => RegistrationTerm.ofYears(count);

/** The registration fee. Falls back to another name's if this one is taken and has none. */
async function registrationFee(registry: RegistryPort, name: DomainName, term: number): Promise<Money> {
  const offers = await registry.check([name, freshName(name.parent)], years(term));
  const price = offers.find((offer) => offer.price)?.price;
  if (!price) throw new TypeError(`.${name.parent} sells no name for ${term} years`);
  return price.registration;
}

/** The shortest renewal that `tld` sells. */
export function shortestRenewal(registry: Pick<RegistryPort, 'policies'>, tld: string): RegistrationTerm {
  return years(registry.policies().find(({ suffix }) => suffix === tld)?.renewalYears.min ?? 1);
}

/** The prices of a held name, whose restore the registry must price. */
export async function restorePrices(
  registry: RegistryPort,
  name: DomainName,
): Promise<{ readonly renewal: Money; readonly restore: Money }> {
  const { renewal, restore } = await registry.price(name);
  if (!restore) throw new TypeError(`the registry reports no price for a restore of ${name.value}`);
  return { renewal, restore };
}

/** An order for a registration at that price. */
export function orderOf(name: DomainName, term: number, price: Money, idempotencyKey = freshId()): RegistrationRequest {
  const order = { name, term: years(term), registrant: REGISTRANT, nameservers: HOSTS, price };
  return { ...order, transactionId: freshId(), idempotencyKey };
}

/** Registers `name` at the registry's price. */
export async function register(
  registry: RegistryPort,
  name: DomainName,
  term = 1,
  idempotencyKey = freshId(),
): Promise<RegistryDomain> {
  return registry.register(orderOf(name, term, await registrationFee(registry, name, term), idempotencyKey));
}
