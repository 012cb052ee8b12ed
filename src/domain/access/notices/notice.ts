import type { KeyAction } from '../key-limits';

export const MAIL_KINDS = [
  'expiry',
  'renewal_failed',
  'registration_refused',
  'transfer_in',
  'key_expiry',
  'webhook_off',
  'proposal_waiting',
  'proposal_ended',
  'move_offered',
  'transfer_out',
  'sign_in',
  'set_up_link',
  'low_balance',
] as const;
/** What people are told of by mail. */
export type MailKind = (typeof MAIL_KINDS)[number];

export type MailAudience = KeyAction | 'owner' | 'person' | 'operator' | 'deciders' | 'proposer';

interface MailRule {
  /** As the settings page names it. */
  readonly label: string;
  /** Whether a person can switch it off. What protects an account or a domain from others cannot be. */
  readonly isOptional: boolean;
  /**
   * Everyone whose role has the action and who sees the domain, the owners, one person, the operator of the service, everyone who may
   * accept the proposal, or who made it.
   */
  readonly audience: MailAudience;
}

export const MAIL_RULES: Readonly<Record<MailKind, MailRule>> = {
  expiry: { label: 'A domain expires in 30 or 7 days, or has expired', isOptional: true, audience: 'renew' },
  renewal_failed: { label: 'A renewal failed', isOptional: true, audience: 'renew' },
  registration_refused: { label: 'A registration was refused', isOptional: true, audience: 'register' },
  transfer_in: { label: 'A transfer from another registrar has ended', isOptional: true, audience: 'transfer' },
  key_expiry: { label: 'An API key is about to expire', isOptional: true, audience: 'owner' },
  webhook_off: { label: 'A webhook was switched off', isOptional: true, audience: 'owner' },
  proposal_waiting: { label: 'A proposal waits for your decision', isOptional: true, audience: 'deciders' },
  proposal_ended: { label: 'What you proposed was decided on', isOptional: true, audience: 'proposer' },
  move_offered: { label: 'Another account offers a name to yours', isOptional: true, audience: 'transfer' },
  transfer_out: { label: 'A transfer to another registrar was requested', isOptional: false, audience: 'transfer' },
  sign_in: { label: 'Someone signed in as you with a new browser', isOptional: false, audience: 'person' },
  set_up_link: { label: 'Invitations and links to set a password', isOptional: false, audience: 'person' },
  low_balance: { label: 'The balance at a registry is low', isOptional: false, audience: 'operator' },
};

/** The kinds that are sent to people, in the order of the settings page. */
export const KINDS_FOR_PEOPLE = MAIL_KINDS.filter((kind) => MAIL_RULES[kind].audience !== 'operator');

export function isMailKind(text: string): text is MailKind {
  return MAIL_KINDS.some((kind) => kind === text);
}

/** JSON; never secrets. */
export type MailData = Readonly<Record<string, unknown>>;

/** Something that people are to be told of: each of them once. */
export interface MailNotice {
  readonly kind: MailKind;
  /** What it is about. Of two notices with the same cause, a person gets the first. */
  readonly cause: string;
  readonly at: Date;
  /** Null: for the operator. */
  readonly accountId: string | null;
  readonly domain: { readonly id: string; readonly name: string } | null;
  readonly data: MailData;
}

/** A notice that waits to be addressed. */
export interface StoredNotice extends MailNotice {
  readonly sequence: number;
}
