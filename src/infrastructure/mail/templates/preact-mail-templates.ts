import type {
  MailReaderContext,
  MailTemplates,
  WrittenMail,
} from '../../../application/ports/notices/mails-and-notices';
import type { Mail } from '../../../domain/access/notices/mail';
import { mailHtml } from './mail-html';
import { mailText } from './mail-text';
import { contentOf } from './notice-templates';

const MAX_SUBJECT = 200;

/** Writes text and HTML of a mail from one template. */
export class PreactMailTemplates implements MailTemplates {
  write(mail: Pick<Mail, 'kind' | 'data' | 'domain' | 'at' | 'recipient'>, context: MailReaderContext): WrittenMail {
    const content = contentOf(mail, context);
    const { unsubscribeUrl, publicUrl } = context;
    const why =
      mail.recipient === 'registrant'
        ? `You get this mail as the registrant of a domain that is managed with Namewright at ${publicUrl}. ICANN asks registrars for it.`
        : `Sent by Namewright at ${publicUrl}. Your settings say which mails you get and in which time zone.`;
    const inText = unsubscribeUrl === undefined ? [] : [`No more mails of this kind: ${unsubscribeUrl}`];
    return {
      subject: content.subject.slice(0, MAX_SUBJECT),
      text: mailText(content, [why, ...inText]),
      html: mailHtml(content, [why], unsubscribeUrl),
    };
  }
}
