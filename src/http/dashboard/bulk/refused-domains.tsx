import type { RefusedDomain } from '../../../application/portfolio/reviews/review-each';
import { displayName } from '../layout/domain/domain-labels';

/** The domains that the action would refuse, each with its reason. */
export function RefusedDomains({ refused }: { readonly refused: readonly RefusedDomain[] }) {
  return (
    <ul>
      {refused.map(({ domainId, name, reason }) => (
        <li key={domainId}>
          {name === '' ? domainId : displayName(name)}: {reason}
        </li>
      ))}
    </ul>
  );
}
