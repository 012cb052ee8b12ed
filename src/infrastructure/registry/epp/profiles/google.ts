import type { RegistryProfile } from './profile';
import { rfc } from './rfc';

/**
 * Google Registry: .app, .dev, .page and others, which run on Nomulus.
 *
 * - Public server code (google/nomulus): hosts are objects; domains have no contacts, and the greeting does not list
 *   contact-1.0; DS data; a fee must be acknowledged for premium names, as the adapter always does.
 * - Unverified, as in the RFCs: everything else. Never run against the registry.
 */
export const google: RegistryProfile = {
  ...rfc,
  name: 'google',
  contacts: { ...rfc.contacts, use: 'none', roles: [] },
};
