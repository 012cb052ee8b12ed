import { token } from '../inject';
import type { Identity } from '../../../domain/access/people/identity';
import type { Session } from '../../../domain/access/people/session';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';

/** Reads committed state. */
export interface UserReader {
  find(id: string): Promise<User | undefined>;
  /** By the e-mail in lower case: one in each account at most, oldest first. */
  ofEmail(email: string): Promise<readonly User[]>;
  /** Oldest first. */
  ofAccount(accountId: string): Promise<readonly User[]>;
  /** The person's users in all accounts, oldest first. */
  ofPerson(personId: string): Promise<readonly User[]>;
  /** The person's user to whose account a session came last; the oldest if none did. Undefined if there is no such person. */
  lastUsed(personId: string): Promise<User | undefined>;
}
export const UserReader = token<UserReader>('UserReader');

/** Within a unit of work. */
export interface UserRepository {
  /** Locks the user for the rest of the unit of work. */
  lock(id: string): Promise<User | undefined>;
  /** Everybody in the account, oldest first, locked for the rest of the unit of work. */
  lockAll(accountId: string): Promise<readonly User[]>;
  /** The person's users in all accounts, oldest first, locked for the rest of the unit of work. */
  lockPerson(personId: string): Promise<readonly User[]>;
  /** @throws ValidationError if a person of the account has that e-mail */
  add(user: User): Promise<void>;
  /** Adds the first person of a service, once for an e-mail. @throws ValidationError if another process has done so */
  addFirst(user: User): Promise<void>;
  /** The password hashes of the users with the e-mail, in all accounts. */
  hashesOf(email: string): Promise<readonly string[]>;
  /** @throws ValidationError if another person of the account has the e-mail */
  save(user: User): Promise<void>;
  /** Removes the user with all sessions and set-up links, and the person's second factors with the last of their users. */
  remove(user: User): Promise<void>;
}

/** Reads committed state. */
export interface SetupLinkReader {
  /** The links for users of the account that have not been used or revoked, expired ones included, oldest first. */
  ofAccount(accountId: string): Promise<readonly SetupLink[]>;
  /** Undefined if it was used or revoked. */
  find(tokenDigest: string): Promise<SetupLink | undefined>;
}
export const SetupLinkReader = token<SetupLinkReader>('SetupLinkReader');

/** Within a unit of work. */
export interface SetupLinkRepository {
  /** Puts `link` in the place of any earlier one of the same user. */
  put(link: SetupLink): Promise<void>;
  /** Removes and returns the link, so that it opens once. Undefined if there is none. */
  take(tokenDigest: string): Promise<SetupLink | undefined>;
  /** Removes and returns the user's link. Undefined if there is none. */
  takeFor(userId: string): Promise<SetupLink | undefined>;
  /** Takes out the links in the user's account that are for the user, that the user issued, and whose issuer is not known. */
  takeAllOf(user: User): Promise<readonly SetupLink[]>;
}

/** Reads committed state. */
export interface IdentityReader {
  find(id: string): Promise<Identity | undefined>;
  /** Oldest first. */
  ofPersons(personIds: readonly string[]): Promise<readonly Identity[]>;
}
export const IdentityReader = token<IdentityReader>('IdentityReader');

/** Within a unit of work that has locked a user of the person. */
export interface IdentityRepository {
  /** Oldest first. */
  ofPerson(personId: string): Promise<readonly Identity[]>;
  /** Whether it was added; false if a person has the identity. */
  add(identity: Identity): Promise<boolean>;
  recordUse(id: string, at: Date): Promise<void>;
  /** Whether the person had it. */
  remove(personId: string, id: string): Promise<boolean>;
  removeAll(personId: string): Promise<void>;
}

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

export interface TokenGenerator {
  /** 256 random bits in base64url. */
  token(): string;
  /** A password that a person can type: five groups of letters and digits, none of them easily mistaken. */
  password(): string;
}
export const TokenGenerator = token<TokenGenerator>('TokenGenerator');
