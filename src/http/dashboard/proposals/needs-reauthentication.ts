import type { ProposedWrite } from '../../../domain/access/proposals/proposal';
import { routeOf } from './describe-write';

const ZONE = String.raw`/(?:domains|zones)/[^/]+`;

/** What the dashboard does without the password, except for orders from an amount on. */
const WITHOUT_PASSWORD = [
  'POST /domains',
  'POST /domains/[^/]+/(?:renew|restore)',
  'PUT /domains/[^/]+/(?:nameservers|contacts|autorenew|keep-zone)',
  'PUT /domains/[^/]+/dnssec/ds',
  'POST /domains/[^/]+/transfer-out/reject',
  'POST /transfers',
  'POST /transfers/[^/]+/cancel',
  'POST /moves/[^/]+/(?:reject|withdraw)',
  'POST /zones',
  'POST /zones/[^/]+/verify',
  '(?:POST|PUT|DELETE) /record-templates(?:/[^/]+)?',
  `PUT ${ZONE}/(?:tags|dnssec)`,
  `PUT ${ZONE}/domain-connect`,
  `DELETE ${ZONE}/connected-services/[^/]+`,
  `POST ${ZONE}/(?:health|dnssec/roll)`,
  `(?:POST|PUT|DELETE) ${ZONE}/dns/.+`,
];
const PATTERN = new RegExp(`^(?:${WITHOUT_PASSWORD.join('|')})$`);

/**
 * Whether a person confirms the write before it is sent: what lets a name go, what is not known to need no confirmation, such as
 * desired states and bulk changes, and what costs at least `from`, in whole units; 0: any amount without.
 */
export function needsReauthentication(
  { method, path }: ProposedWrite,
  { body, cost, from }: { readonly body: unknown; readonly cost: number | undefined; readonly from: number },
): boolean {
  if (from > 0 && cost !== undefined && cost >= from) return true;
  const route = routeOf(path);
  if (method === 'PUT' && /^\/domains\/[^/]+\/transfer-lock$/.test(route)) return !locks(body);
  return !PATTERN.test(`${method} ${route}`);
}

function locks(body: unknown): boolean {
  return (body as { readonly transfer_locked?: unknown } | undefined)?.transfer_locked === true;
}
