import { MAX_ACTIVE_KEYS, type ApiKey } from '../../../domain/access/api-key';
import { ago, inDays, longDate, shortDate } from '../layout/dates';
import { PostForm } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { Pager } from '../layout/pager';
import { Badge, Cell, Confirm, Empty, PageHeading, Row, Table, Time } from '../layout/parts';

export interface KeyListProps {
  /** Newest first. */
  readonly keys: readonly ApiKey[];
  /** The address of older keys, if there are any. */
  readonly older: string | undefined;
  /** The address of the newest, if this is another page. */
  readonly first: string | undefined;
}

export function ApiKeysPage({ keys, older, first, hasFormer }: KeyListProps & { readonly hasFormer: boolean }) {
  const { visitor } = usePage();
  const owner = visitor?.user.role === 'owner';
  return (
    <>
      <PageHeading
        title="API keys"
        lead={`Programs use these to work with your domains; at most ${MAX_ACTIVE_KEYS} at a time.`}
      >
        {owner && (
          <a class="button primary" href="/api-keys/new">
            Create a key
          </a>
        )}
      </PageHeading>
      {!owner && <p class="notice">You see the keys of the account. Only its owners create and revoke them.</p>}
      <section class="card flush">
        {keys.length === 0 ? (
          <Empty title="No active API keys">
            <p>Create one to use the API.</p>
          </Empty>
        ) : (
          <KeyTable caption="Keys in use" keys={keys} owner={owner} />
        )}
        <Pager next={older} label="Older" first={first} />
      </section>
      {hasFormer && (
        <p>
          <a href="/api-keys/former">Revoked and expired keys</a>
        </p>
      )}
    </>
  );
}

export function FormerKeysPage({ keys, older, first }: KeyListProps) {
  return (
    <>
      <PageHeading title="Revoked and expired API keys" lead="Programs cannot use these any more.">
        <a class="button" href="/api-keys">
          Keys in use
        </a>
      </PageHeading>
      <section class="card flush">
        {keys.length === 0 ? (
          <Empty title="No revoked or expired API keys" />
        ) : (
          <KeyTable caption="Revoked and expired keys" keys={keys} owner={false} />
        )}
        <Pager next={older} label="Older" first={first} />
      </section>
    </>
  );
}

function KeyTable({
  caption,
  keys,
  owner,
}: {
  readonly caption: string;
  readonly keys: readonly ApiKey[];
  readonly owner: boolean;
}) {
  return (
    <Table
      caption={caption}
      columns={[
        'Name',
        'Scope',
        'Created',
        'Last used',
        'State',
        ...(owner ? [<span class="unseen">Actions</span>] : []),
      ]}
    >
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
          <Confirm
            label="Revoke"
            about={name}
            action={`/api-keys/${keyId}/revoke`}
            button="Revoke this key"
            question={`Programs that use “${name}” are refused from their next request on. This cannot be undone.`}
          />
        </Cell>
      )}
    </Row>
  );
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { now } = usePage();
  const { expiresAt, revokedAt } = apiKey.toState();
  const standing = apiKey.status(now);
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
