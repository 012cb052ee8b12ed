import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';

/** Link to the search for a name that could not be registered. */
export function SearchAgainLink({
  name,
  class: className,
}: {
  readonly name: string | undefined;
  readonly class?: string;
}) {
  return (
    <a class={className} href={buildUrl('/register', { q: name && displayName(name) })}>
      Search again
    </a>
  );
}
