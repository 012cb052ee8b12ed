import type { Registrant } from '../../../../domain/registration/registrant';
import type { Codec } from '../../database/columns';

/** Stored for an unknown or erased registrant. Version 0.1.0 can read it. */
export const EMPTY_REGISTRANT: Registrant = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  address: { street: '', city: '', country: '' },
};

export const REGISTRANT: Codec<string, Registrant | null> = {
  read: (stored) => (stored === JSON.stringify(EMPTY_REGISTRANT) ? null : (JSON.parse(stored) as Registrant)),
  write: (registrant) => JSON.stringify(registrant ?? EMPTY_REGISTRANT),
};

/** A JSON array; NULL for none. */
export const TAGS: Codec<string | null, readonly string[]> = {
  hasNull: true,
  read: (stored) => (stored === null ? [] : (JSON.parse(stored) as string[])),
  write: (tags) => (tags.length === 0 ? null : JSON.stringify(tags)),
};
