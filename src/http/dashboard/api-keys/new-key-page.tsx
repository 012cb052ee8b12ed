import type { ApiKeyState } from '../../../domain/access/api-key';
import { longDate } from '../layout/dates';
import { Card, Confirm, Copyable, PageHeading } from '../layout/parts';

export interface NewKeyPageProps {
  readonly apiKey: ApiKeyState;
  /** The full text, which nobody will ever be shown again. */
  readonly text: string;
  readonly url: string;
  readonly replaces: ApiKeyState | undefined;
}

export function NewKeyPage({ apiKey, text, url, replaces }: NewKeyPageProps) {
  return (
    <>
      <PageHeading
        title="Your new API key"
        lead={`“${apiKey.name}”, ${apiKey.scope}${apiKey.expiresAt ? `, works until ${longDate(apiKey.expiresAt)}` : ''}`}
      />
      <Card title="Copy it now">
        <p>This is the only time that it is shown: we keep a digest of it and could not show it again.</p>
        <Copyable id="new-key" text={text} label="the new key" />
        <h3>Try it</h3>
        <Copyable
          id="new-key-curl"
          text={`curl -H 'Authorization: Bearer ${text}' ${url}/api/domains`}
          label="a command that lists your domains"
          lines
        />
      </Card>
      {replaces && (
        <Card title="Then revoke the old one">
          <p>
            Put the new key where “{replaces.name}” (<code>{replaces.keyId}</code>) is used. Both work until you revoke
            the old one.
          </p>
          <Confirm
            label="Revoke the old key"
            action={`/api-keys/${replaces.keyId}/revoke`}
            button="Revoke the old key now"
            question="Whatever still uses it is refused from its next request on. This cannot be undone."
          />
        </Card>
      )}
      <p>
        <a class="button" href="/api-keys">
          Done, go to the keys
        </a>
      </p>
    </>
  );
}
