import type { Registrant } from '../../../../domain/registration/registrant';

/** Stored for an unknown or erased registrant. Version 0.1.0 can read it. */
export const EMPTY_REGISTRANT: Registrant = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  address: { street: '', city: '', country: '' },
};
