import { EMAIL_EXPECTATION, isEmailAddress } from '../shared/email-address';
import { ValidationError } from '../shared/validation-error';
import type { Role } from './role';

export interface UserState {
  readonly id: string;
  readonly accountId: string;
  /** In lower case: what people sign in with. */
  readonly email: string;
  readonly role: Role;
  /** Null until the person has set a password. */
  readonly passwordHash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A person who signs in to the dashboard of one account. */
export class User {
  private constructor(private state: UserState) {}

  /** @throws ValidationError for what is no e-mail address */
  static invite(user: Pick<UserState, 'id' | 'accountId' | 'email' | 'role'>, now: Date): User {
    return new User({ ...user, email: signInName(user.email), passwordHash: null, createdAt: now, updatedAt: now });
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

  changeRole(role: Role, now: Date): void {
    this.state = { ...this.state, role, updatedAt: now };
  }

  toState(): UserState {
    return this.state;
  }
}

/** What an attacker who knows the person tries in a password. */
export function personalWords({ email }: Pick<UserState, 'email'>): readonly string[] {
  return [email, ...email.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

/**
 * The hash, among those of all people of one e-mail, whose salt a new password of `user` takes. With one salt for an e-mail,
 * signing in takes as long for one account as for several, and tells no one how many there are.
 */
export function saltToShare(
  hashes: readonly string[],
  { passwordHash }: Pick<UserState, 'passwordHash'>,
): string | undefined {
  const own = passwordHash === null ? -1 : hashes.indexOf(passwordHash);
  return hashes.find((_hash, index) => index !== own);
}

/** @throws ValidationError naming `user` if `user` is the only owner among `people` */
export function assertOwnerRemains(people: readonly User[], user: User): void {
  if (user.isOwner && !people.some(({ id, isOwner }) => isOwner && id !== user.id))
    throw ValidationError.of('user', 'must not be the last owner: an account keeps one');
}

/** @throws ValidationError */
function signInName(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmailAddress(email)) throw ValidationError.of('email', EMAIL_EXPECTATION);
  return email;
}
