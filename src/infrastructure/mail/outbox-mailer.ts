import type { Mailer, MailOutcome, OutgoingMail } from '../../application/ports/notices/mails-and-notices';

/** Of the sandbox: the stored mail is all, and a page shows it. */
export class OutboxMailer implements Mailer {
  async send(_mail: OutgoingMail, beforeContent: () => Promise<boolean>): Promise<MailOutcome> {
    return (await beforeContent())
      ? { kind: 'sent', response: 'Kept in the outbox of the sandbox' }
      : { kind: 'withdrawn' };
  }
}
