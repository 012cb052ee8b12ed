import { token } from '../inject';
import type { Session } from '../../../domain/access/people/session';

/** A session as it is kept: under the digest of its secret id, with what waits to be shown on the next page. */
export interface StoredSession extends Session {
  readonly digest: string;
  /** JSON of what the web layer keeps for the person; small, no secrets. */
  readonly data: string;
}

/** Reads committed state. */
export interface SessionReader {
  find(digest: string): Promise<StoredSession | undefined>;
  /** Of the user's person, in all accounts, last seen first; those that have run out as well, until they are removed. */
  ofUser(userId: string): Promise<readonly StoredSession[]>;
  /** Those whose data contain the text, which has letters, digits and hyphens only. Reads all sessions. */
  containing(text: string): Promise<readonly StoredSession[]>;
}
export const SessionReader = token<SessionReader>('SessionReader');

/** Within a unit of work. What has ended stays ended: only `add` makes a session. */
export interface SessionRepository {
  add(session: StoredSession): Promise<void>;
  saveData(digest: string, data: string): Promise<void>;
  recordSeen(digest: string, at: Date): Promise<void>;
  /** The person proved in the session who they are. */
  recordAuthentication(digest: string, at: Date): Promise<void>;
  /** The person used a second factor in the session. */
  recordSecondFactor(digest: string, at: Date): Promise<void>;
  end(digest: string): Promise<void>;
  /** Continues the session as another user of the same person, who is the last used one then. */
  moveTo(digest: string, userId: string, at: Date): Promise<void>;
  /** Ends one session of the user's person by its public id. Whether there was one. */
  endOne(userId: string, id: string): Promise<boolean>;
  /** Ends the sessions of this user, not those of the same person in other accounts. */
  endAt(userId: string): Promise<void>;
  /** Ends all sessions of the user's person but the one with `digest`, in all accounts. */
  endOthers(userId: string, digest?: string): Promise<void>;
}
