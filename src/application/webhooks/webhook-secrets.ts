import { inject, injectable } from '../ports/inject';
import { newWebhookSecret } from '../../domain/access/webhooks/webhook-signature';
import { FORMER_SECRET_MS, type Webhook } from '../../domain/access/webhooks/webhook';
import { SecretBox } from '../ports/system';

/** What the SecretBox seals the secret of a webhook for. */
export function webhookSecretPurpose(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** A new secret, which is shown once, and as it is stored. */
interface NewSecret {
  readonly text: string;
  readonly sealed: string;
}

/** The secrets with which webhooks are signed. They are stored sealed. */
@injectable()
export class WebhookSecrets {
  constructor(@inject(SecretBox) private readonly box: SecretBox) {}

  next(webhookId: string): NewSecret {
    const text = newWebhookSecret();
    return { text, sealed: this.box.seal(text, webhookSecretPurpose(webhookId)) };
  }

  /** Those that sign now: the present one and, for a time after a rotation, the former one. @throws SealBroken */
  of({ id, secret, formerSecret }: Webhook, now: Date): readonly string[] {
    const sealed = [secret, ...(formerSecret && formerSecret.until > now ? [formerSecret.sealed] : [])];
    return sealed.map((each) => this.box.open(each, webhookSecretPurpose(id)));
  }

  rotated(webhook: Webhook, { sealed }: NewSecret, now: Date): Webhook {
    const formerSecret = { sealed: webhook.secret, until: new Date(now.getTime() + FORMER_SECRET_MS) };
    return { ...webhook, secret: sealed, formerSecret, updatedAt: now };
  }
}
