import { ValidationError } from '../shared/validation-error';

/** The owner of domains, API keys and users. */
export interface Account extends AccountSettings {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface AccountSettings {
  /** Whether managers may unlock domains, get auth codes and delete domains; otherwise only owners may. */
  readonly membersMayTransfer: boolean;
  /** Whether it may control the sandbox's clock and faults, which affect all accounts. If only one account exists, it always may. */
  readonly controlsSandbox: boolean;
}

/** @throws ValidationError for an empty name or one that is too long. */
export function openAccount(id: string, name: string, now: Date): Account {
  return { id, name: parseDisplayName(name), createdAt: now, membersMayTransfer: false, controlsSandbox: false };
}

/** Validates a display name and trims it: 1 to 100 characters, no control characters. @throws ValidationError */
export function parseDisplayName(text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{Cc}|\p{Cs}/u.test(name))
    throw ValidationError.of('name', 'must be a text of 1 to 100 characters without control characters');
  return name;
}
