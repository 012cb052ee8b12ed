import { clientConfigurations } from '../../../application/access/key-presets/client-configurations';
import type { ApiKeyState } from '../../../domain/access/api-key';
import { formatDateTime } from '../../../domain/shared/time/date-text';
import { Card, Confirm, Copyable, PageHeading } from '../layout/components';
import { ClientConfigurations } from './client-configurations';
import { useTimeZone } from '../layout/page-context';

interface NewKeyPageProps {
  readonly apiKey: ApiKeyState;
  /** The key with its secret, which is never shown again. */
  readonly text: string;
  readonly url: string;
  /** The APIs of other products that are switched on. */
  readonly apis: readonly string[];
  readonly replaces: ApiKeyState | undefined;
}

export function NewKeyPage({ apiKey, text, url, apis, replaces }: NewKeyPageProps) {
  const configurations = clientConfigurations(apiKey.limits, { keyId: apiKey.keyId, text, url, apis });
  return (
    <>
      <PageHeading
        title="Your new API key"
        lead={`“${apiKey.name}”, ${apiKey.scope}${apiKey.expiresAt ? `, works until ${formatDateTime(apiKey.expiresAt, useTimeZone())}` : ''}`}
      />
      <Card title="Copy it now">
        <p>The key is shown only once, because we store only a digest of it.</p>
        <Copyable id="new-key" text={text} label="the new key" />
        <h3>Try it</h3>
        <Copyable
          id="new-key-curl"
          text={`curl -H 'Authorization: Bearer ${text}' ${url}/api/domains`}
          label="a command that lists your domains"
          lines
        />
      </Card>
      {configurations.length > 0 && (
        <Card title="Set up the client">
          <ClientConfigurations configurations={configurations} />
        </Card>
      )}
      {replaces && (
        <Card title="Revoke the old key">
          <p>
            Replace “{replaces.name}” (<code>{replaces.keyId}</code>) with the new key in your programs. Both keys work
            until you revoke the old one.
          </p>
          <Confirm
            label="Revoke the old key"
            action={`/api-keys/${replaces.keyId}/revoke`}
            button="Revoke the old key"
            question="Requests with the old key will be refused immediately. This cannot be undone."
          />
        </Card>
      )}
      <p class="mt-4">
        <a class="button" href="/api-keys">
          Done
        </a>
      </p>
    </>
  );
}
