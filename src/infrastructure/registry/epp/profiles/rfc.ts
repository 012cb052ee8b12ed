import type { RegistryProfile } from './profile';

/** The RFCs without a registry's own additions. Other profiles are this one with their differences. */
export const rfc: RegistryProfile = {
  name: 'rfc',
  objects: [],
  extensions: [],
  hosts: 'object',
  contacts: {
    use: 'all',
    roles: ['admin', 'tech', 'billing'],
    handles: {},
    ids: 'ours',
    placeholderId: 'auto',
    postalInfo: 'int-or-loc',
  },
  authCodes: { create: 'random', issue: 'update', withdraw: 'update' },
  dnssec: { form: 'ds' },
  transfers: { period: 'sent', charged: true, contacts: false, authCode: 'sent' },
  renewal: 'command',
  scheduledDeletion: 'none',
  transferLock: 'status',
  timeZone: 'UTC',
  namesPerCheck: 10,
  unsupported: [],
  rules: {},
  options: {},
};
