import { describeLimits } from '../../../domain/access/describe-limits';
import { MAX_ACTIVE_KEYS, tsigNameOf, type ApiKey } from '../../../domain/access/api-key';
import { getActorName, type ActorNames } from '../activity/actor-names';
import { formatTimeAgo, formatRelativeDay } from '../layout/dates';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Badge, Cell, Confirm, Day, Empty, PageHeading, Row, Table, Time } from '../layout/components';

interface KeyListProps {
  /** Newest first. */
  readonly page: ListPage<ApiKey>;
  readonly names: ActorNames;
}

export function ApiKeysPage({ page, names, hasInactive }: KeyListProps & { readonly hasInactive: boolean }) {
  const { userSession } = usePage();
  const owner = userSession?.user.role === 'owner';
  return (
    <>
      <PageHeading
        title="API keys"
        lead={`Programs use API keys to manage your domains. An account can have ${MAX_ACTIVE_KEYS} active keys.`}
      >
        <a class="button" href="/docs">
          API reference
        </a>
        {owner && (
          <>
            <a class="button" href="/api-keys/trust-rules">
              Trust rules
            </a>
            <a class="button primary" href="/api-keys/new">
              Create key
            </a>
          </>
        )}
      </PageHeading>
      {!owner && (
        <p class="alert">
          You can only view API keys. Creating and revoking them is reserved to owners of the account.
        </p>
      )}
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No active API keys">
            <p>Create one to use the API.</p>
          </Empty>
        ) : (
          <KeyTable caption="Active API keys" keys={page.items} names={names} owner={owner} />
        )}
        <Pager page={page} />
      </section>
      {hasInactive && (
        <p>
          <a href="/api-keys/inactive">Revoked and expired API keys</a>
        </p>
      )}
    </>
  );
}

export function InactiveKeysPage({ page, names }: KeyListProps) {
  return (
    <>
      <PageHeading title="Revoked and expired API keys" lead="Requests with these keys are refused.">
        <a class="button" href="/api-keys">
          Active API keys
        </a>
      </PageHeading>
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No revoked or expired API keys" />
        ) : (
          <KeyTable caption="Revoked and expired API keys" keys={page.items} names={names} owner={false} />
        )}
        <Pager page={page} />
      </section>
    </>
  );
}

function KeyTable({
  caption,
  keys,
  names,
  owner,
}: {
  readonly caption: string;
  readonly keys: readonly ApiKey[];
  readonly names: ActorNames;
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
        'Status',
        ...(owner ? [<span class="visually-hidden">Actions</span>] : []),
      ]}
    >
      {keys.map((key) => (
        <KeyRow key={key.toState().keyId} apiKey={key} names={names} owner={owner} />
      ))}
    </Table>
  );
}

function KeyRow({
  apiKey,
  names,
  owner,
}: {
  readonly apiKey: ApiKey;
  readonly names: ActorNames;
  readonly owner: boolean;
}) {
  const { now } = usePage();
  const { keyId, name, scope, createdAt, createdBy, lastUsedAt } = apiKey.toState();
  return (
    <Row id={keyId}>
      <Cell class="main-cell">
        <strong>{name}</strong>
        <code class="small">{apiKey.isTsigKey ? tsigNameOf(keyId) : keyId}</code>
        <span class="small">{describeKey(apiKey)}</span>
      </Cell>
      <Cell label="Scope">{scope}</Cell>
      <Cell label="Created">
        <Day at={createdAt} />
        {createdBy && <small class="block">by {getActorName(createdBy, names)}</small>}
      </Cell>
      <Cell label="Last used">
        {lastUsedAt ? <Time at={lastUsedAt}>{formatTimeAgo(lastUsedAt, now)}</Time> : 'never'}
      </Cell>
      <Cell label="Status" class="wide">
        <KeyState apiKey={apiKey} />
      </Cell>
      {owner && (
        <Cell class="row-actions">
          {!apiKey.isTsigKey && (
            <PostForm action={`/api-keys/${keyId}/rotate`}>
              <button class="quiet" type="submit">
                Rotate<span class="visually-hidden"> {name}</span>
              </button>
            </PostForm>
          )}
          <Confirm
            label="Revoke"
            about={name}
            action={`/api-keys/${keyId}/revoke`}
            button="Revoke this key"
            question={`Requests with “${name}” will be refused immediately. This cannot be undone.`}
          />
        </Cell>
      )}
    </Row>
  );
}

function describeKey(apiKey: ApiKey): string {
  const { limits } = apiKey.toState();
  const words = limits ? describeLimits(limits) : '';
  if (!apiKey.isTsigKey) return words;
  return `TSIG key for DNS updates: ${words === '' ? 'all records of all domains' : words}`;
}

function KeyState({ apiKey }: { readonly apiKey: ApiKey }) {
  const { now } = usePage();
  const { revokedAt } = apiKey.toState();
  const { expiresAt } = apiKey;
  const standing = apiKey.status(now);
  if (standing === 'revoked') return <Badge tone="plain">revoked {revokedAt && <Day at={revokedAt} />}</Badge>;
  if (standing === 'expired') return <Badge tone="plain">expired {expiresAt && <Day at={expiresAt} />}</Badge>;
  return (
    <>
      <Badge tone="good">active</Badge>
      {apiKey.isDueForRotation(now) && <Badge tone="warning">older than 90 days</Badge>}
      {expiresAt && (
        <small class="block">
          expires <Time at={expiresAt}>{formatRelativeDay(expiresAt, now)}</Time>
        </small>
      )}
    </>
  );
}
