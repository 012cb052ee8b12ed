import type { DsRecord } from '../delegation/ds-record';
import type { ParentNotice } from './parent/parent-notice';
import type { SigningStep } from './signing-step';

/** NSEC, or NSEC3 with zero iterations and no salt (RFC 9276). */
export type Denial = 'nsec' | 'nsec3';

/** Why a zone does not move on, and what to do about it. */
export interface SigningProblem {
  readonly reason: string;
  readonly remedy: string;
}

export interface ZoneSigningState {
  readonly domainId: string;
  readonly step: SigningStep;
  readonly denial: Denial;
  /** When the step began, or when its DS records were last sent. */
  readonly stepSince: Date;
  /** When the state as users see it began. */
  readonly since: Date;
  /** When the service takes the next step or polls. */
  readonly dueAt: Date;
  /** The SOA serial that every secondary must serve before the step ends; null if it waits for none. */
  readonly serial: number | null;
  /** How long caches keep what the zone published before the step, or the former DS records, in seconds. */
  readonly cachedSeconds: number;
  /** The end of a wait for caches; null in other steps. */
  readonly until: Date | null;
  /** The operation that sets the DS records of the step; null before it is stored. */
  readonly operationId: string | null;
  /** The DS records that the registry has, or has when the operation succeeds. Null if the service never set any. */
  readonly dsRecords: readonly DsRecord[] | null;
  /** The key that signs, and the one that replaces it in a rollover. */
  readonly keyId: string | null;
  readonly newKeyId: string | null;
  /** When the key that signs was made: its lifetime begins here. */
  readonly keySince: Date | null;
  readonly problem: SigningProblem | null;
  /** The last NOTIFY to the parent, if the service does not set the DS records itself. */
  readonly notice: ParentNotice | null;
}

/** Of a zone that is to be signed. */
export function requestedSigning(domainId: string, denial: Denial, now: Date): ZoneSigningState {
  return {
    domainId,
    step: 'sign',
    denial,
    stepSince: now,
    since: now,
    dueAt: now,
    serial: null,
    cachedSeconds: 0,
    until: null,
    operationId: null,
    dsRecords: null,
    keyId: null,
    newKeyId: null,
    keySince: null,
    problem: null,
    notice: null,
  };
}
