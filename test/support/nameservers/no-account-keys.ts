import type { ResponderParts } from '../../../src/infrastructure/nameserver/responder';

/** For tests of secondaries: no account has a TSIG key. */
export function noAccountKeys(): Pick<
  ResponderParts,
  'accountKeys' | 'aliases' | 'accountLimiter' | 'notices' | 'records' | 'updates' | 'updateWaits' | 'unsignedPerSecond'
> {
  return {
    accountKeys: { execute: async () => undefined, recordUse: () => undefined },
    accountLimiter: { consume: async () => undefined },
    aliases: { statuses: async () => [] },
    notices: { execute: async () => 'unknown' },
    records: { recordsAt: async () => new Map(), isSigned: async () => false },
    updates: {
      execute: async () => ({ outcome: 'REFUSED' }),
      findZone: async () => undefined,
      isAllowedFrom: () => true,
    },
    updateWaits: { udp: 0, tcp: 0 },
    unsignedPerSecond: 20,
  };
}
