import { DAY_MS } from '../shared/calendar';

const HOUR_MS = 3_600_000;
/** How long a session lives without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** How long a session lives at all. */
export const SESSION_LIFE_MS = 7 * DAY_MS;

/** A person signed in at one browser. */
export interface Session {
  /** Public name of the session, by which it is listed and ended. */
  readonly id: string;
  readonly userId: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export function isAlive({ createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>, now: Date): boolean {
  return now.getTime() < lastSeenAt.getTime() + SESSION_IDLE_MS && now.getTime() < createdAt.getTime() + SESSION_LIFE_MS;
}
