import { token } from '../inject';
import type { Mail, NewMail } from '../../../domain/access/notices/mail';
import type { MailNotice, StoredNotice } from '../../../domain/access/notices/notice';

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

export interface MailReaderContext {
  readonly publicUrl: string;
  /** IANA name: of the dates in the text. */
  readonly timeZone: string;
  /** The secret part of the mail's link. */
  readonly secret: string | undefined;
  readonly unsubscribeUrl: string | undefined;
}

export interface WrittenMail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** A whole document that loads nothing. */
  readonly html: string;
}

export interface MailTemplates {
  write(mail: Pick<Mail, 'kind' | 'data' | 'domain' | 'at' | 'recipient'>, context: MailReaderContext): WrittenMail;
}
export const MailTemplates = token<MailTemplates>('MailTemplates');

/** Within a unit of work. */
export interface NoticeRepository {
  /** Does nothing if mail is off. */
  add(...notices: readonly MailNotice[]): Promise<void>;
  remove(sequence: number): Promise<void>;
}

/** How a mail ended, or when it is tried again. */
export interface MailResult {
  readonly status: Exclude<Mail['status'], 'sending'>;
  /** Of the next attempt, or of the end. */
  readonly at: Date;
  readonly response: string;
}

/** A claim ends by itself at `until`: then the mail is sent by another process, or, if its text may have left, not at all. */
export interface MailClaim {
  readonly owner: string;
  readonly until: Date;
}

/** Within a unit of work. */
export interface MailRepository {
  /** Leaves out those whose cause and recipient are stored already. Does nothing if mail is off. */
  add(...mails: readonly NewMail[]): Promise<void>;
  /** Claims mails that wait and are due, the longest due first; locked ones are passed over. */
  claim(now: Date, limit: number, claim: MailClaim): Promise<readonly Mail[]>;
  /** From here on, the mail is never sent again after a crash. Whether the claim was still valid. */
  startContent(id: string, owner: string): Promise<boolean>;
  /** Stores the result, unless another process has claimed the mail meanwhile. @param keepSecret otherwise the secret of its link is erased with the end */
  finish(id: string, owner: string, result: MailResult, keepSecret?: boolean): Promise<void>;
  /** Ends all claims, if no other process can have one. */
  endClaims(now: Date): Promise<void>;
  /** Ends those whose text may have left before their process died. Returns how many. */
  endAbandoned(now: Date): Promise<number>;
}

/** Reads committed state. */
export interface NoticeReader {
  /** Those that wait to be addressed, oldest first. */
  waiting(limit: number): Promise<readonly StoredNotice[]>;
}
export const NoticeReader = token<NoticeReader>('NoticeReader');

/** Reads committed state. */
export interface MailReader {
  /** Newest first, after `beforeId`. @param accountId null: of the operator */
  ofAccount(accountId: string | null, limit: number, beforeId?: string): Promise<readonly Mail[]>;
  find(id: string): Promise<Mail | undefined>;
  /** Whether someone gets, or has got, a mail with this cause. */
  knows(cause: string): Promise<boolean>;
  /** The last mail to each of these users that was refused or could not be sent, unless a later one was sent. */
  undelivered(userIds: readonly string[]): Promise<readonly Mail[]>;
}
export const MailReader = token<MailReader>('MailReader');

/** What a person has chosen, for all their accounts. */
export interface MailSettings {
  readonly personId: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly switchedOff: readonly string[];
}

export interface MailSettingsReader {
  /** UTC and all notices if the person has chosen nothing. */
  of(personId: string): Promise<MailSettings>;
}
export const MailSettingsReader = token<MailSettingsReader>('MailSettingsReader');

/** Within a unit of work. */
export interface MailSettingsRepository {
  /** Locks it for the rest of the unit of work, if it exists. */
  lock(personId: string): Promise<MailSettings>;
  save(settings: MailSettings): Promise<void>;
}

/** A domain that has come within so many days of its expiry. */
export interface ExpiringDomain {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly expiresAt: Date;
  readonly autoRenew: boolean;
  readonly days: number;
}

export type ExpiredDomain = Omit<ExpiringDomain, 'days'>;

export interface NoticeSpan {
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}

/** How far the notices of expiries have come, in the time in which domains live. Within a unit of work. */
export interface ExpiryNoticeRepository {
  /** Until when notices are written; `now` if there were none yet. Holds it for the rest of the unit of work. */
  lock(now: Date): Promise<Date>;
  moveTo(until: Date): Promise<void>;
  /**
   * The active domains that came within some of these days of their expiry after `from` and until `to`, and have not come within fewer by
   * `now`. At most `limit` for each of the days, whichever. @param days ascending
   */
  reached(span: NoticeSpan, days: readonly number[], limit: number): Promise<readonly ExpiringDomain[]>;
  /** The domains that expired after `after` and until `until`, and were not renewed. At most `limit`, whichever. */
  expired(after: Date, until: Date, limit: number): Promise<readonly ExpiredDomain[]>;
}
