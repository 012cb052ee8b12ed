import { DAY_MS } from '../../shared/time/calendar';

const HOUR_MS = 3_600_000;
/** Idle timeout: a session ends after this time without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Absolute timeout of a session. */
export const SESSION_MAX_AGE_MS = 7 * DAY_MS;

/** How long sensitive actions are allowed after the user proved who they are. */
const REAUTHENTICATION_MAX_AGE_MS = HOUR_MS / 6;

/** A user's session in one browser. */
export interface Session {
  /** Public id of the session, used to list and end it. Not the session cookie. */
  readonly id: string;
  readonly userId: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When the user last proved who they are, by password, passkey or provider; null if unknown. */
  readonly authenticatedAt: Date | null;
  /** When the user last used a second factor in this session; null: never. */
  readonly secondFactorAt: Date | null;
}

export function isAlive({ createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>, now: Date): boolean {
  return (
    now.getTime() < lastSeenAt.getTime() + SESSION_IDLE_MS && now.getTime() < createdAt.getTime() + SESSION_MAX_AGE_MS
  );
}

export function isRecentlyAuthenticated(authenticatedAt: Date | null, now: Date): boolean {
  return authenticatedAt !== null && now.getTime() < authenticatedAt.getTime() + REAUTHENTICATION_MAX_AGE_MS;
}
