import type { DomainName } from '../shared/domain-name';
import { isHosted, type DomainStatus, type HostedStatus } from './domain-status';
import type { Nameservers } from './nameservers';
import type { Registrant } from './registrant';
import type { RegistrationTerm } from './registration-term';

/** What a name becomes that is no longer registered here, so that its zone stays. */
export interface KeptZone {
  readonly status: HostedStatus;
  /** Those of the zone before a registration that is pending; null: those that the registry showed last. */
  readonly nameservers: readonly string[] | null;
}

export interface NewDomain {
  readonly id: string;
  readonly accountId: string;
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  readonly autoRenew: boolean;
}

/** A name that our account at the registry already holds: imported, or transferred to us. */
export interface HeldDomain {
  readonly id: string;
  readonly accountId: string;
  readonly name: DomainName;
  /** Null if unknown. */
  readonly registrant: Registrant | null;
  /** As at the registrar if absent; on if the registrar does not renew by itself. */
  readonly autoRenew?: boolean;
}

/** A name whose zone is here without a registration. */
export interface NewHostedName {
  readonly id: string;
  readonly accountId: string;
  /** In A-labels. */
  readonly name: string;
  /** Ours, which its zone names. */
  readonly nameservers: readonly string[];
  readonly isVerified: boolean;
}

/** What has no registration does not expire. */
const NEVER = new Date(Date.UTC(9999, 11, 31));
export const NO_REGISTRATION = {
  expiresAt: NEVER,
  autoRenew: true,
  transferLocked: true,
  registrant: null,
  renewalTriedAt: null,
  registrarRenews: false,
  registeredAt: null,
  inBackup: null,
  keptZone: null,
};
/** Of a name whose registration the registry has confirmed. */
export const PROVEN: KeptZone = { status: 'hosted', nameservers: null };
export const NO_TRANSFER = { transferPending: false, transferRequestedAt: null, transferEndsAt: null };
export const NOTHING_DUE = { phaseEndsAt: null, authCodeUntil: null, dueAt: null };

/** A registration that the registry has not confirmed yet. */
export function requestedName({ id, accountId, name, term, autoRenew, nameservers, registrant }: NewDomain, now: Date) {
  return {
    id,
    accountId,
    name: name.value,
    status: 'pending' as const,
    expiresAt: term.extend(now, now),
    autoRenew,
    transferLocked: true,
    nameservers: nameservers.hosts,
    registrant,
    renewalTriedAt: null,
    registrarRenews: false,
    registeredAt: null,
    inBackup: null,
    ...NOTHING_DUE,
    ...NO_TRANSFER,
  };
}

/** A name without a registration. */
export function hostedName({ isVerified, ...name }: NewHostedName) {
  const status: HostedStatus = isVerified ? 'hosted' : 'unverified';
  return { ...name, status, ...NO_REGISTRATION, ...NOTHING_DUE, ...NO_TRANSFER };
}

interface HostedState {
  readonly id: string;
  readonly status: DomainStatus;
  readonly nameservers: readonly string[];
  readonly tags: readonly string[];
  readonly createdAt: Date;
}

/** What a registration keeps of the zone that the account hosts. */
export function takenOver(hosted: HostedState | undefined, now: Date) {
  if (!hosted) return { keptZone: null, tags: [], createdAt: now };
  const { id, status, nameservers, tags, createdAt } = hosted;
  if (!isHosted(status)) throw new TypeError(`${id} is registered`);
  return { keptZone: { status, nameservers }, tags, createdAt };
}
