import type { Scope } from '../../../domain/access/scope';

/** One sentence on what a key of each scope may do. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  READ: 'Sees domains, records, prices and statuses. Changes nothing.',
  WRITE: 'Also changes DNS records and a domain’s settings.',
  ADMIN: 'Also spends money and gives domains away: register, renew, unlock, auth codes.',
};
