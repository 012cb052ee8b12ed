import { idnTable } from './idn';
import type { RegistryProfile } from './profile';
import { rfc } from './rfc';

/**
 * Public Interest Registry: .org, .ngo, .charity and others, which run on the platform of Identity Digital.
 *
 * - RFCs: contacts in all roles with ids of ours, host objects, DS data, rgp.
 * - Public client code (Net::DRI, DRD/Donuts/PIR.pm): at most 13 names in a check, host objects, the extensions of
 *   the platform.
 * - Unverified, as in the RFCs: everything else. Never run against the registry.
 */
export const pir: RegistryProfile = { ...rfc, ...idnTable, name: 'pir', namesPerCheck: 13 };
