import { inject, injectable } from '../../ports/inject';
import { mailSecretPurpose, sendUntil, type NewMail } from '../../../domain/access/notices/mail';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { IdGenerator, SecretBox } from '../../ports/system';

interface MailedLink {
  readonly user: User;
  readonly token: string;
  readonly link: SetupLink;
  /** Of the account. */
  readonly accountName: string;
  /** `reset`: the person has forgotten the password. */
  readonly reason: 'invitation' | 'owner' | 'reset';
}

/** The mail with a set-up link. Its token is sealed until the mail has left. */
@injectable()
export class SetupLinkMails {
  constructor(
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(SecretBox) private readonly secrets: SecretBox,
  ) {}

  of({ user, token, link, accountName, reason }: MailedLink): NewMail {
    const id = this.ids.next('mail');
    const { accountId } = user.toState();
    return {
      id,
      kind: 'set_up_link',
      cause: `set_up_link/${link.tokenDigest}`,
      at: link.createdAt,
      accountId,
      domain: null,
      data: {
        invitation: reason === 'invitation',
        reset: reason === 'reset',
        account: accountName,
        until: link.expiresAt.toISOString(),
      },
      recipient: user.id,
      userId: user.id,
      address: user.email,
      sealedSecret: this.secrets.seal(token, mailSecretPurpose(id)),
      sendUntil: sendUntil(link.createdAt),
    };
  }
}
