import type { RegistryDomain, RegistryPort } from '../application/ports/registry/registry-port';
import { DomainName } from '../domain/registration/domain-name';
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

/** What a command is refused with that the name's status forbids. */
export const WRONG_STATUS = { code: 'REGISTRY_REJECTED', reason: 'status' };

/** Registries remember names and transaction ids for ever, also those of earlier runs. */
export const RUN = process.env['CONTRACT_RUN'] ?? `${Date.now().toString(36)}-${process.pid.toString(36)}`;
let serial = 0;

/** Hosts that a registry of host objects has never seen. */
export const freshHosts = (count: number): Nameservers =>
  Nameservers.of(
    Array.from({ length: count }, (_, index) => `ns${index + 1}.hosts-${RUN}-${(serial += 1)}.example.net`),
  );
export const HOSTS = freshHosts(2);

export const freshName = (tld = 'com'): DomainName => DomainName.parse(`contract-${RUN}-${(serial += 1)}.${tld}`);
export const freshId = (): string => `contract-${RUN}-${(serial += 1)}`;
export const years = (count: number): RegistrationTerm => RegistrationTerm.ofYears(count);

/** What registering a name for a term costs: asked of another one that is free, where this one is taken. */
async function registrationFee(registry: RegistryPort, name: DomainName, term: number): Promise<Money> {
  const offers = await registry.check([name, freshName(name.parent)], years(term));
  const price = offers.find((offer) => offer.price)?.price;
  if (!price) throw new TypeError(`.${name.parent} sells no name for ${term} years`);
  return price.registration;
}

/** Registers `name` at its price. */
export async function register(
  registry: RegistryPort,
  name: DomainName,
  term = 1,
  transactionId = freshId(),
): Promise<RegistryDomain> {
  return registry.register({
    name,
    term: years(term),
    registrant: REGISTRANT,
    nameservers: HOSTS,
    price: await registrationFee(registry, name, term),
    transactionId,
  });
}
