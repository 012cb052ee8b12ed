import { idnTable } from './idn';
import type { RegistryProfile } from './profile';
import { rfc } from './rfc';

/**
 * Identity Digital (formerly Donuts): .info, .live, .group and many others.
 *
 * - RFCs: contacts in all roles with ids of ours, host objects, DS data, rgp.
 * - Public client code (Net::DRI, DRD/Donuts.pm): objects and extensions of the login, with idn-1.0. Its charge-1.0, which prices
 *   premium names, is not read: where the registry does not offer fee-1.0, premium names cannot be told from others.
 * - Unverified, as in the RFCs: everything else. Never run against the registry.
 */
export const identityDigital: RegistryProfile = { ...rfc, ...idnTable, name: 'identity-digital' };
