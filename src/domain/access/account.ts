import { ValidationError } from '../shared/validation-error';

/** Who owns domains, keys and users. */
export interface Account extends AccountSettings {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface AccountSettings {
  /** Whether members may do what moves a domain away: unlock it, get its auth code, delete it. */
  readonly membersMayTransfer: boolean;
  /** Whether it moves the sandbox's clock and orders its faults, which meet all accounts. An only account does so anyway. */
  readonly controlsSandbox: boolean;
}

/** @throws ValidationError for an empty or overlong name. */
export function openAccount(id: string, name: string, now: Date): Account {
  return { id, name: displayName(name), createdAt: now, membersMayTransfer: false, controlsSandbox: false };
}

/** A name that people give to things: 1 to 100 characters, no control characters, blanks around it removed. */
export function displayName(text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{Cc}|\p{Cs}/u.test(name))
    throw ValidationError.of('name', 'must be a text of 1 to 100 characters');
  return name;
}
