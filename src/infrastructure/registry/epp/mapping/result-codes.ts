import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { RejectionReason } from '../../../../application/ports/registry/registry-port';

/** A `<result>`, or the one that several amount to. */
export interface EppResult {
  readonly code: number;
  /** For people. */
  readonly reason: string;
}

/** Result codes that the adapter distinguishes (RFC 5730 section 3). */
export const RESULT = {
  ok: 1000,
  pending: 1001,
  noMessages: 1300,
  message: 1301,
  commandUse: 2002,
  billing: 2104,
  notAuthenticated: 2200,
  notSponsor: 2201,
  invalidAuthCode: 2202,
  transferPending: 2300,
  noTransferPending: 2301,
  exists: 2302,
  missing: 2303,
  statusProhibits: 2304,
  associated: 2305,
  failed: 2400,
  failedClosing: 2500,
  authenticationClosing: 2501,
  sessionLimitClosing: 2502,
} as const;

/** Rejection reasons by code. Other failure codes are `policy`. */
const REASONS: ReadonlyMap<number, RejectionReason> = new Map([
  [RESULT.billing, 'credit'],
  [RESULT.notSponsor, 'not_held'],
  [RESULT.invalidAuthCode, 'auth_code'],
  [RESULT.transferPending, 'status'],
  [RESULT.noTransferPending, 'status'],
  [RESULT.exists, 'unavailable'],
  [RESULT.missing, 'not_held'],
  [RESULT.statusProhibits, 'status'],
]);

/** Codes that leave the outcome unknown: the command was not processed, or failed half-way (docs/decisions/0008). */
const INCONCLUSIVE: ReadonlySet<number> = new Set([
  RESULT.commandUse,
  RESULT.notAuthenticated,
  RESULT.failed,
  RESULT.failedClosing,
  RESULT.authenticationClosing,
  RESULT.sessionLimitClosing,
]);

/** Codes after which the session is closed, whether or not the registry has closed it. */
const SESSION_ENDING: ReadonlySet<number> = new Set([
  1500,
  RESULT.commandUse,
  RESULT.notAuthenticated,
  RESULT.failedClosing,
  RESULT.authenticationClosing,
  RESULT.sessionLimitClosing,
]);

/** Codes with several possible reasons, some of which a check or info can tell apart. */
export const AMBIGUOUS: ReadonlySet<number> = new Set([2003, 2004, 2005, 2105, 2306, 2308]);

/** Codes for names that do not exist or are not allowed. */
export const INVALID_NAME_CODES: ReadonlySet<number> = new Set([2004, 2005, 2306, 2308]);

export function isSuccess({ code }: Pick<EppResult, 'code'>): boolean {
  return code < 2000;
}

export function endsSession(code: number): boolean {
  return SESSION_ENDING.has(code);
}

export function isInconclusive(code: number): boolean {
  return INCONCLUSIVE.has(code);
}

export function rejectionOf(result: EppResult): RegistryRejected {
  return new RegistryRejected(REASONS.get(result.code) ?? 'policy', detailsOf(result));
}

export function detailsOf({ code, reason }: EppResult): string {
  return reason === '' ? `The registry returned ${code}` : `${reason} (${code})`;
}
