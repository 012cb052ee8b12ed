import type { Scope } from '../../../domain/access/api-key';

/** What a key of each scope may do. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  READ: 'Can read domains, records, prices and statuses. Enough for most programs.',
  WRITE: 'Can also change records and settings, and spend money: register and renew domains.',
  ADMIN: 'Can do everything, including features that are added later.',
};
