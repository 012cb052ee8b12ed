import { token } from '../inject';
import type { Mail } from '../../../domain/access/notices/mail';

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
