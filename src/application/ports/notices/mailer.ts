import { token } from '../inject';

export interface OutgoingMail {
  /** The same whenever it is sent. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** One click ends mails of this kind (RFC 8058); undefined for those that cannot be switched off. */
  readonly unsubscribeUrl: string | undefined;
}

export type MailOutcome =
  | { readonly kind: 'sent'; readonly response: string }
  /** For good (SMTP 5xx). */
  | { readonly kind: 'refused'; readonly response: string }
  /** Not sent, and may be later. `isOutage`: nothing can be sent to anyone. */
  | { readonly kind: 'deferred'; readonly response: string; readonly isOutage: boolean }
  /** The connection was lost after the text was sent, or a part of it. */
  | { readonly kind: 'unknown'; readonly response: string }
  /** `beforeContent` returned false; nothing was sent. */
  | { readonly kind: 'withdrawn' };

/** Sends mails. Repeating a call sends a second mail. */
export interface Mailer {
  /**
   * Calls `beforeContent` at most once: when the server has accepted the recipient, before the first octet of the mail. If it returns
   * false or throws, nothing is sent. Without a call nothing was sent either. Never throws, and ends within four minutes.
   */
  send(mail: OutgoingMail, beforeContent: () => Promise<boolean>): Promise<MailOutcome>;
}
export const Mailer = token<Mailer>('Mailer');
