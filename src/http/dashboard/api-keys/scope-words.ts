import type { Scope } from '../../../domain/access/scope';

/** One sentence on what a key of each scope may do. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  READ: 'Sees domains, records, prices and statuses, and changes nothing: enough for most programs.',
  WRITE: 'Also changes records and settings, and spends money: it registers and renews domains.',
  ADMIN: 'Everything, whatever else this service may come to do.',
};
