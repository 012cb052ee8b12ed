import { EMAIL_EXPECTATION, isEmailAddress } from '../../shared/email-address';
import { ValidationError } from '../../shared/validation-error';
import type { Account } from '../account';
import type { Actor } from '../actor';
import { limitsOfUser, mayReleaseDomains, parseUserRights, type UserRights } from './role';

export interface UserState extends UserRights {
  readonly id: string;
  readonly accountId: string;
  /** Whose password and second factors open this user: the user's own id, unless a person has joined or left accounts. */
  readonly personId: string;
  /** Whether the person may have users in other accounts, which share the password. */
  readonly linked: boolean;
  /** In lower case; used to sign in. */
  readonly email: string;
  /** Null until the user sets a password. */
  readonly passwordHash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** How far the person has seen the events of the account. Absent: never looked. */
  readonly seenPosition?: number;
}

/** A dashboard user: a person in one account. */
export class User {
  private constructor(private state: UserState) {}

  /** @throws ValidationError for an invalid e-mail address, and as `membershipOf` */
  static invite(
    { role, tags = null, ...user }: Pick<UserState, 'id' | 'accountId' | 'email' | 'role'> & Partial<UserRights>,
    now: Date,
  ): User {
    return new User({
      ...user,
      ...parseUserRights(role, tags),
      email: normalizeEmail(user.email),
      personId: user.id,
      linked: false,
      passwordHash: null,
      createdAt: now,
      updatedAt: now,
    });
  }

  static fromState(state: UserState): User {
    return new User(state);
  }

  get id(): string {
    return this.state.id;
  }

  get email(): string {
    return this.state.email;
  }

  get isOwner(): boolean {
    return this.state.role === 'owner';
  }

  setPasswordHash(passwordHash: string, now: Date): void {
    this.state = { ...this.state, passwordHash, updatedAt: now };
  }

  /** Lets other users share the password of this one. */
  link(now: Date): void {
    this.state = { ...this.state, linked: true, updatedAt: now };
  }

  /** Makes this user one more of the person of `other`, with the same e-mail and password. */
  joinPerson({ email, personId, passwordHash }: UserState, now: Date): void {
    this.state = { ...this.state, email, personId, passwordHash, linked: true, updatedAt: now };
  }

  /** Makes this user a separate person, who shares nothing with users in other accounts. */
  separate(personId: string, now: Date): void {
    this.state = { ...this.state, personId, linked: false, updatedAt: now };
  }

  changeRights({ role, tags }: UserRights, now: Date): void {
    this.state = { ...this.state, role, tags, updatedAt: now };
  }

  /** Never goes back. */
  seeEventsTo(position: number): void {
    this.state = { ...this.state, seenPosition: Math.max(position, this.state.seenPosition ?? 0) };
  }

  toState(): UserState {
    return this.state;
  }
}

/** Words that an attacker would try in this user's password. */
export function personalWords({ email }: Pick<UserState, 'email'>): readonly string[] {
  return [email, ...email.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

/**
 * Picks the hash whose salt a new password of `user` must share, from the hashes of all users with the same e-mail. One
 * salt per e-mail keeps sign-in time independent of the number of accounts, which would otherwise leak.
 */
export function pickSharedSalt(
  hashes: readonly string[],
  { passwordHash }: Pick<UserState, 'passwordHash'>,
): string | undefined {
  const own = passwordHash === null ? -1 : hashes.indexOf(passwordHash);
  return hashes.find((_hash, index) => index !== own);
}

/** @throws ValidationError if `user` is the only owner among `users` */
export function assertOwnerRemains(users: readonly User[], user: User): void {
  if (user.isOwner && !users.some(({ id, isOwner }) => isOwner && id !== user.id))
    throw ValidationError.of('user', 'must not be the last owner of the account');
}

/** @throws ValidationError */
function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmailAddress(email)) throw ValidationError.of('email', EMAIL_EXPECTATION);
  return email;
}

/** The user as the actor of a request, with the limits of the role and the approval rules of the account. */
export function actorOfUser(
  { id, role, tags }: Pick<UserState, 'id' | 'role' | 'tags'>,
  account: Pick<Account, 'membersMayTransfer' | 'approvalRules'>,
): Actor {
  const limits = limitsOfUser({ role, tags });
  const { approvalRules } = account;
  return {
    kind: 'user',
    id,
    ...(limits && { limits }),
    ...(!mayReleaseDomains({ role, tags }, account) && { keepsDomains: true }),
    ...(approvalRules && { approvalRules }),
  };
}
