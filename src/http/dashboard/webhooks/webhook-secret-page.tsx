import { hostOf, type Webhook } from '../../../domain/access/webhooks/webhook';
import { Card, Copyable, DateTime, PageHeading } from '../layout/components';

interface WebhookSecretPageProps {
  readonly title: string;
  readonly webhook: Webhook;
  /** It is never shown again. */
  readonly secret: string;
}

export function WebhookSecretPage({ title, webhook, secret }: WebhookSecretPageProps) {
  const { formerSecret } = webhook;
  return (
    <>
      <PageHeading title={title} lead={`Events go to ${hostOf(webhook)}`} />
      <Card title="Copy its secret now">
        <p>
          The secret is shown only once. The receiver verifies the signature of each request with it, as in{' '}
          <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
        </p>
        <Copyable id="webhook-secret" text={secret} label="the secret" />
        {formerSecret && (
          <p>
            Until <DateTime at={formerSecret.until} />, requests are signed with the former secret as well, so that you
            can change the receiver in between.
          </p>
        )}
      </Card>
      <p class="mt-4">
        <a class="button" href={`/webhooks/${webhook.id}`}>
          Done
        </a>
      </p>
    </>
  );
}
