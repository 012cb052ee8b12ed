import type { VisibleDomains } from '../../../application/registration/visible-domains';
import type { Requester } from '../../../domain/access/actor';
import type { AttentionItems } from './attention-items';

/** The ids of the domains of attention items, and of others that are mentioned, that the account still has. */
export async function linkedDomains(
  domains: VisibleDomains,
  requester: Requester,
  attention: AttentionItems,
  mentioned: readonly string[],
): Promise<ReadonlySet<string>> {
  const { differences, ending, failedRenewals, lapsed, leaving, refused, registrants, uncertain } = attention;
  const entries = [...refused, ...registrants].flatMap(({ domain }) => domain?.id ?? []);
  const held = await domains.held(requester, [...new Set([...mentioned, ...entries])]);
  return new Set([
    ...held,
    ...[...leaving, ...lapsed, ...ending].map(({ domain }) => domain.id),
    ...differences.flatMap(({ domainId }) => domainId ?? []),
    ...[...uncertain, ...failedRenewals]
      .filter(({ domainGone }) => !domainGone)
      .map(({ operation }) => operation.domainId),
  ]);
}
