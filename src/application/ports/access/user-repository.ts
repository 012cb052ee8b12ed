import { token } from '../inject';
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
