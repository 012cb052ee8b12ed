import type { DomainName } from '../../../domain/shared/domain-name';
import type { RegistrationTerm } from '../../../domain/registration/registration-term';
import { plus, type Money } from '../../../domain/shared/money';
import type { RegistryPort } from '../../ports/registry/registry-port';

/** A renewal after the registry added a term automatically. */
interface RenewalParts {
  readonly added: RegistrationTerm;
  /** The term that must still be ordered; absent if the added term is the whole renewal. */
  readonly rest: RegistrationTerm | undefined;
}

/** The registry's fee for a renewal: in two parts if the registry already added, and charged, the first one. */
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
