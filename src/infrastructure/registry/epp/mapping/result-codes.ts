import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../../application/ports/registry/registry-port';
import type { EppResponse } from './response';

/** RFC 5730 section 3: those that something hangs on. */
export const RESULT = {
  ok: 1000,
  pending: 1001,
  noMessages: 1300,
  message: 1301,
  commandUse: 2002,
  billing: 2104,
  notAuthenticated: 2200,
  notSponsor: 2201,
  exists: 2302,
  missing: 2303,
  statusProhibits: 2304,
  associated: 2305,
  failed: 2400,
  failedClosing: 2500,
  authenticationClosing: 2501,
  sessionLimitClosing: 2502,
} as const;

/** What the codes mean that say more than "no". The rest of the twenty-hundreds is our reading of their policy, or theirs of our values. */
const REASONS: ReadonlyMap<number, RejectionReason> = new Map([
  [RESULT.billing, 'credit'],
  [RESULT.notSponsor, 'not_held'],
  [RESULT.exists, 'unavailable'],
  [RESULT.missing, 'not_held'],
  [RESULT.statusProhibits, 'status'],
]);

/** Codes after which nothing was decided: the command was not judged, or failed half-way (docs/decisions/0008). */
const UNDECIDED: ReadonlySet<number> = new Set([
  RESULT.commandUse,
  RESULT.notAuthenticated,
  RESULT.failed,
  RESULT.failedClosing,
  RESULT.authenticationClosing,
  RESULT.sessionLimitClosing,
]);

/** Codes after which the session is of no use any more, whether or not the registry has closed it. */
const FATAL: ReadonlySet<number> = new Set([
  1500,
  RESULT.commandUse,
  RESULT.notAuthenticated,
  RESULT.failedClosing,
  RESULT.authenticationClosing,
  RESULT.sessionLimitClosing,
]);

/** What a registry says against a name that it has never heard of or will not have. */
export const NAME_FAULTS: ReadonlySet<number> = new Set([2004, 2005, 2306, 2308]);

export function succeeded({ code }: Pick<EppResponse, 'code'>): boolean {
  return code < 2000;
}

export function endsSession(code: number): boolean {
  return FATAL.has(code);
}

export function isUndecided(code: number): boolean {
  return UNDECIDED.has(code);
}

/** The error that a decision against us is. */
export function rejectionOf(response: Pick<EppResponse, 'code' | 'reason'>): RegistryRejected {
  return new RegistryRejected(REASONS.get(response.code) ?? 'policy', detailsOf(response));
}

export function detailsOf({ code, reason }: Pick<EppResponse, 'code' | 'reason'>): string {
  return reason === '' ? `The registry answered ${code}` : `${reason} (${code})`;
}
