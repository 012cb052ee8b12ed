import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { A_REGISTRANT } from '../data/a-domain';
import type { TestService } from '../service/service';

export const HOSTS_ELSEWHERE = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

/** Registers a name at the service's registry, so that our account there holds it and the service does not know it. */
export async function registerAtRegistry(
  { container }: TestService,
  text: string,
  hosts: readonly string[] = HOSTS_ELSEWHERE,
): Promise<void> {
  const registry = container.get<RegistryPort>(RegistryPort);
  const [name, term] = [DomainName.parse(text), RegistrationTerm.ofYears(2)];
  const [offer] = await registry.check([name], term);
  if (!offer?.price) throw new Error(`${text} is not available`);
  await registry.register({
    name,
    term,
    registrant: A_REGISTRANT,
    nameservers: Nameservers.fromState(hosts),
    price: offer.price.registration,
    transactionId: `at-registry-${text.replaceAll('.', '-')}`,
  });
}
