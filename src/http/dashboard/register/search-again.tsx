import { addressOf } from '../address-of';
import { displayName } from '../domains/domain-words';

/** A link that searches for a name that could not be registered, under its TLD and others. */
export function SearchAgain({
  name,
  class: className,
}: {
  readonly name: string | undefined;
  readonly class?: string;
}) {
  return (
    <a class={className} href={addressOf('/register', { q: name && displayName(name) })}>
      Search again
    </a>
  );
}
