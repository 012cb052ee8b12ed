import type { DomainName } from '../../domain/registration/domain-name';
import type { RegistrationTerm } from '../../domain/registration/registration-term';
import { plus, type Money } from '../../domain/shared/money';
import type { RegistryPort } from '../ports/registry/registry-port';

/** What is still to be ordered where the registry has added a term by itself. */
export interface RenewalParts {
  readonly added: RegistrationTerm;
  /** Absent where the added term is all of it. */
  readonly rest: RegistrationTerm | undefined;
}

/** The registry's fee for a renewal; in two parts where it has added one of them, and charged for it, by itself. */
export async function renewalPrice(
  registry: RegistryPort,
  name: DomainName,
  { term, parts }: { readonly term: RegistrationTerm; readonly parts: RenewalParts | undefined },
): Promise<Money> {
  const [first, second] = parts ? [parts.added, parts.rest] : [term, undefined];
  const [fee, onTop] = await Promise.all(
    [first, second].map(async (each) => each && (await registry.price(name, each)).renewal),
  );
  if (!fee) throw new TypeError('a renewal has a term');
  return onTop ? plus(fee, onTop) : fee;
}
