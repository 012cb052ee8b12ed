import { idnTable } from './idn';
import type { RegistryProfile } from './profile';
import { rfc } from './rfc';

/**
 * CentralNic Registry: .xyz, .online, .site and many others.
 *
 * - RFCs: contacts in all roles with ids of ours, host objects, DS data, rgp, fee.
 * - Registry documents: draft-ietf-eppext-idnmap-02, the idn-1.0 of the login: `<idn:data>` with a table and the name.
 * - Public client code (Net::DRI, DRD/CentralNic/CentralNic.pm, EPP/Extensions/CentralNic.pm and IDN.pm): the same; nothing else is required for
 *   create, update and renew. Some TLDs have extensions of their application phases, which are not sent.
 * - Unverified, as in the RFCs: the number of names in a check, lengths of periods. Never run against the registry.
 */
export const centralnic: RegistryProfile = { ...rfc, ...idnTable, name: 'centralnic' };
