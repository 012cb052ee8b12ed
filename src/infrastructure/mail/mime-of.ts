import type { OutgoingMail } from '../../application/ports/notices/mails-and-notices';
import type { MailSender } from '../../config/mail-values';

/** A message of RFC 5322. Its id is the same whenever it is sent, so that mail programs show a second copy once. */
export async function mimeOf(mail: OutgoingMail, { name, address }: MailSender): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { unsubscribeUrl } = mail;
  return new MailComposer({
    from: name === undefined ? address : `"${name.replaceAll(/["\\]/g, '')}" <${address}>`,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    date: new Date(),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
