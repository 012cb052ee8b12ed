import { DomainName } from '../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { PROFILES } from '../../../src/infrastructure/registry/epp/profiles/load-profile';
import type { RegistryProfile } from '../../../src/infrastructure/registry/epp/profiles/profile';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import { years, REGISTRANT } from '../../../src/testing/registry-fixtures';

/** The name of the recorded responses. */
export const LIFE = DomainName.fromState('life187315.test');

/** Registers it as it was recorded. */
export function registerLife(registry: RegistryAdapter): ReturnType<RegistryAdapter['register']> {
  return registry.register({
    name: LIFE,
    term: years(2),
    registrant: REGISTRANT,
    nameservers: Nameservers.of(['ns1.ex187315.net', 'ns2.ex187315.net']),
    price: { minor: 1_000, currency: 'EUR' },
    transactionId: 'op-1',
  });
}

export function profileNamed(name: string): RegistryProfile {
  const profile = PROFILES[name];
  if (!profile) throw new TypeError(`no profile ${name}`);
  return profile;
}
