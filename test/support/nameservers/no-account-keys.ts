import type { ResponderParts } from '../../../src/infrastructure/nameserver/responder';

/** For tests of secondaries: no account has a TSIG key. */
export function noAccountKeys(): Pick<
  ResponderParts,
  'accountKeys' | 'aliases' | 'accountLimiter' | 'records' | 'updates' | 'updateWaits' | 'unsignedPerSecond'
> {
  return {
    accountKeys: { execute: async () => undefined, recordUse: () => undefined },
    accountLimiter: { consume: async () => undefined },
    aliases: { statuses: async () => [] },
    records: { recordsAt: async () => new Map(), isSigned: async () => false },
    updates: { execute: async () => 'REFUSED', findZone: async () => undefined, isAllowedFrom: () => true },
    updateWaits: { udp: 0, tcp: 0 },
    unsignedPerSecond: 20,
  };
}
