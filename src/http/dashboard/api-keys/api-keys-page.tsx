import type { ApiKey } from '../../../domain/access/api-key';
import { ago, inDays, longDate, shortDate } from '../layout/dates';
import { PostForm } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { Badge, Cell, Confirm, Empty, PageHeading, Row, Table, Time } from '../layout/parts';

export function ApiKeysPage({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { visitor, now } = usePage();
  const owner = visitor?.user.role === 'owner';
  const newestFirst = keys.toReversed();
  const live = newestFirst.filter((key) => key.standing(now) === 'active');
  const dead = newestFirst.filter((key) => key.standing(now) !== 'active');
  return (
    <>
      <PageHeading title="API keys" lead="Programs use these to work with your domains.">
        {owner && (
          <a class="button primary" href="/api-keys/new">
            Create a key
          </a>
        )}
      </PageHeading>
      {!owner && <p class="notice">You see the keys of the account. Only its owners create and revoke them.</p>}
      <section class="card flush">
        {live.length === 0 ? (
          <Empty title="No key opens this account.">
            <p>Create one to use the API.</p>
          </Empty>
        ) : (
          <KeyTable caption="Keys in use" keys={live} owner={owner} />
        )}
      </section>
      {dead.length > 0 && (
        <details class="card flush fold">
          <summary>Revoked and expired keys ({dead.length})</summary>
          <KeyTable caption="Revoked and expired keys" keys={dead} owner={false} />
        </details>
      )}
    </>
  );
}

function KeyTable({ caption, keys, owner }: { readonly caption: string; readonly keys: readonly ApiKey[]; readonly owner: boolean }) {
  return (
    <Table caption={caption} columns={['Name', 'Scope', 'Created', 'Last used', 'State', ...(owner ? [<span class="unseen">Actions</span>] : [])]}>
      {keys.map((key) => (
        <KeyRow key={key.toState().keyId} apiKey={key} owner={owner} />
      ))}
    </Table>
  );
}

function KeyRow({ apiKey, owner }: { readonly apiKey: ApiKey; readonly owner: boolean }) {
  const { now } = usePage();
  const { keyId, name, scope, createdAt, lastUsedAt } = apiKey.toState();
  return (
    <Row>
      <Cell class="main-cell">
        <strong>{name}</strong>
        <code class="small">{keyId}</code>
      </Cell>
      <Cell label="Scope">{scope}</Cell>
      <Cell label="Created">
        <Time at={createdAt}>{shortDate(createdAt)}</Time>
      </Cell>
      <Cell label="Last used">{lastUsedAt ? <Time at={lastUsedAt}>{ago(lastUsedAt, now)}</Time> : 'never'}</Cell>
      <Cell label="State" class="wide">
        <KeyState apiKey={apiKey} />
      </Cell>
      {owner && (
        <Cell class="row-actions">
          <PostForm action={`/api-keys/${keyId}/rotate`}>
            <button class="quiet" type="submit">
              Rotate<span class="unseen"> {name}</span>
            </button>
          </PostForm>
          <Confirm label="Revoke" about={name} action={`/api-keys/${keyId}/revoke`} button="Revoke this key" question={`Programs that use “${name}” are refused from their next request on. This cannot be undone.`} />
        </Cell>
      )}
    </Row>
  );
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { now } = usePage();
  const { expiresAt, revokedAt } = apiKey.toState();
  const standing = apiKey.standing(now);
  if (standing === 'revoked') return <Badge tone="plain">revoked {revokedAt && shortDate(revokedAt)}</Badge>;
  if (standing === 'expired') return <Badge tone="plain">expired {expiresAt && shortDate(expiresAt)}</Badge>;
  return (
    <>
      <Badge tone="good">active</Badge>
      {apiKey.isDueForRotation(now) && <Badge tone="warning">older than 90 days</Badge>}
      {expiresAt && (
        <small title={longDate(expiresAt)} class="block">
          expires {inDays(expiresAt, now)}
        </small>
      )}
    </>
  );
}
