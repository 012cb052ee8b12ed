import { addDays } from '../../shared/time/calendar';
import type { MailNotice } from './notice';

export const MAIL_STATUSES = ['waiting', 'sending', 'sent', 'refused', 'failed', 'unknown'] as const;
/**
 * `sending`: its text may be with the server. `refused`: the server will not take it (a bounce). `failed`: it could not be sent in
 * time. `unknown`: the connection or the process was lost while it was sent, so it is not sent again.
 */
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A notice on its way to one recipient. */
export interface Mail extends MailNotice {
  readonly id: string;
  /** With `cause`, unique: the id of a user, or `registrant`, or `operator` with a number. */
  readonly recipient: string;
  /** Null: not a person of the account. */
  readonly userId: string | null;
  readonly address: string;
  /** The secret part of a link, sealed for `mailSecretPurpose`; erased when the mail has left. */
  readonly sealedSecret: string | null;
  readonly status: MailStatus;
  readonly attempts: number;
  /** After it, the mail is of no use. */
  readonly sendUntil: Date;
  readonly endedAt: Date | null;
  /** Of the mail server, or why there is none; at most 500 characters. */
  readonly response: string | null;
}

export type NewMail = Omit<Mail, 'status' | 'attempts' | 'endedAt' | 'response'>;

const SEND_DAYS = 2;
const RETRY_MINUTES = [1, 5, 15, 60] as const;
const LAST_RETRY_MINUTES = 120;
const MINUTE_MS = 60_000;
/** Of the wait, so that mails that failed together are not retried together. */
const JITTER = 0.2;

export function sendUntil(at: Date): Date {
  return addDays(at, SEND_DAYS);
}

/** When a mail is tried again that was tried so many times. @param random from 0 to 1 */
export function retryAt(attempts: number, now: Date, random: number): Date {
  const minutes = RETRY_MINUTES[attempts - 1] ?? LAST_RETRY_MINUTES;
  return new Date(now.getTime() + minutes * MINUTE_MS * (1 + JITTER * random));
}

export function mailSecretPurpose(id: string): string {
  return `mail:${id}`;
}
