import { DAY_MS } from '../shared/calendar';

const HOUR_MS = 3_600_000;
/** How long a session lives without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** How long a session lives at all. */
export const SESSION_LIFE_MS = 7 * DAY_MS;

/** How long an entered password permits sensitive steps. */
const AUTHENTICATED_FOR_MS = HOUR_MS / 6;

/** A person signed in at one browser. */
export interface Session {
  /** Public name of the session, by which it is listed and ended. */
  readonly id: string;
  readonly userId: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When the person last entered the password in it; null: not known. */
  readonly authenticatedAt: Date | null;
}

export function isAlive({ createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>, now: Date): boolean {
  return (
    now.getTime() < lastSeenAt.getTime() + SESSION_IDLE_MS && now.getTime() < createdAt.getTime() + SESSION_LIFE_MS
  );
}

export function isRecentlyAuthenticated(authenticatedAt: Date | null, now: Date): boolean {
  return authenticatedAt !== null && now.getTime() < authenticatedAt.getTime() + AUTHENTICATED_FOR_MS;
}
