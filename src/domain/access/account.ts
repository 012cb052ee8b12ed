import { ValidationError } from '../shared/validation-error';
import type { ApprovalRule } from './approvals/approval-rule';

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
  /** Whether the operator lets it host zones of names that it has not proven to own. */
  readonly isTrusted: boolean;
  /** Which changes need a second person; null: none. */
  readonly approvalRules: readonly ApprovalRule[] | null;
}

/** @throws ValidationError for an empty name or one that is too long. */
export function openAccount(id: string, name: string, now: Date): Account {
  const settings: AccountSettings = {
    membersMayTransfer: false,
    controlsSandbox: false,
    isTrusted: false,
    approvalRules: null,
  };
  return { id, name: parseDisplayName(name), createdAt: now, ...settings };
}

/** Validates a display name and trims it: 1 to 100 characters, no control characters. @throws ValidationError */
export function parseDisplayName(text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{Cc}|\p{Cs}/u.test(name))
    throw ValidationError.of('name', 'must be a text of 1 to 100 characters without control characters');
  return name;
}
