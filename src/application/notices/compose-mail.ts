import { inject, injectable } from '../ports/inject';
import { mailSecretPurpose, type Mail } from '../../domain/access/notices/mail';
import { MAIL_RULES } from '../../domain/access/notices/notice';
import { UserReader } from '../ports/access/users';
import { type OutgoingMail, MailTemplates, MailSettingsReader } from '../ports/notices/mails-and-notices';
import { SecretBox } from '../ports/system';
import { NoticeSettings } from './notice-settings';
import { UnsubscribeLinks } from './unsubscribe-links';

/** Writes a stored mail, for its recipient. */
@injectable()
export class ComposeMail {
  constructor(
    @inject(MailTemplates) private readonly templates: MailTemplates,
    @inject(MailSettingsReader) private readonly settings: MailSettingsReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnsubscribeLinks) private readonly links: UnsubscribeLinks,
    @inject(NoticeSettings) private readonly service: Pick<NoticeSettings, 'publicUrl'>,
    @inject(SecretBox) private readonly secrets: SecretBox,
  ) {}

  async execute(mail: Mail): Promise<OutgoingMail> {
    const { id, address, kind, userId, sealedSecret } = mail;
    const personId = userId === null ? undefined : (await this.users.find(userId))?.toState().personId;
    const { publicUrl } = this.service;
    const { isOptional } = MAIL_RULES[kind];
    const unsubscribeUrl =
      personId !== undefined && isOptional
        ? `${publicUrl}/unsubscribe?token=${this.links.tokenOf(personId, kind)}`
        : undefined;
    const written = this.templates.write(mail, {
      publicUrl,
      timeZone: personId === undefined ? 'UTC' : (await this.settings.of(personId)).timeZone,
      secret: sealedSecret === null ? undefined : this.secrets.open(sealedSecret, mailSecretPurpose(id)),
      unsubscribeUrl,
    });
    return { id, to: address, ...written, unsubscribeUrl };
  }
}
