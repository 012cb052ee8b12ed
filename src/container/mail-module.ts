import { hkdfSync, type KeyObject } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { NoticeSettings } from '../application/notices/notice-settings';
import { UnsubscribeKey } from '../application/notices/unsubscribe-links';
import { Mailer, MailTemplates } from '../application/ports/notices/mails-and-notices';
import type { Config } from '../config';
import { OutboxMailer } from '../infrastructure/mail/outbox-mailer';
import { SmtpMailer } from '../infrastructure/mail/smtp-mailer';
import { PreactMailTemplates } from '../infrastructure/mail/templates/preact-mail-templates';
import { localUrl } from '../infrastructure/system/service-address';

/** Mail by SMTP if MAIL_URL is set; otherwise the sandbox keeps mails in its outbox, and a service with real registries has none. */
export function mailModule(
  { mail: { server, from, operatorAddresses }, publicUrl, host, port }: Config,
  secretKey: KeyObject,
  { sandbox }: { readonly sandbox: boolean },
): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(NoticeSettings).toConstantValue({
      delivery: server && from ? 'smtp' : sandbox ? 'outbox' : 'off',
      operatorAddresses: operatorAddresses.length > 0 || !sandbox ? operatorAddresses : ['operator@example.com'],
      publicUrl: publicUrl ?? localUrl(host, port),
    });
    bind(UnsubscribeKey).toConstantValue(Buffer.from(hkdfSync('sha256', secretKey, '', 'unsubscribe links', 32)));
    bind(Mailer).toConstantValue(server && from ? new SmtpMailer(server, from) : new OutboxMailer());
    bind(MailTemplates).toConstantValue(new PreactMailTemplates());
  });
}
