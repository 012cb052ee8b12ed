import { token } from '../inject';
import type { Mail, NewMail } from '../../../domain/access/notices/mail';
import type { MailNotice, StoredNotice } from '../../../domain/access/notices/notice';

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
