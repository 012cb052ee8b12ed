import type { DomainState } from '../../../domain/registration/domain';
import type { OperationState } from '../../../domain/registration/operations/operation';
import { formatDate } from '../../../domain/shared/time/date-text';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { PostForm } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { Badge, PageHeading } from '../layout/components';
import { orderValues } from './registration-form';
import { SearchAgainLink } from './search-again-link';

interface ProgressPageProps {
  readonly operation: OperationState;
  /** Also a deleted domain; undefined if it is no longer stored. */
  readonly domain: DomainState | undefined;
}

export function ProgressPage({ operation, domain }: ProgressPageProps) {
  const isPending = operation.status !== 'succeeded' && operation.status !== 'failed';
  const path = `/register/progress/${operation.id}`;
  const following = isPending ? followProgress({ kind: 'operation', id: operation.id, path, element: 'progress' }) : {};
  return (
    <div id="progress" {...following}>
      {isPending && <Pending operation={operation} name={domain?.name ?? ''} />}
      {operation.status === 'succeeded' &&
        (domain && domain.status !== 'gone' ? <Done domain={domain} /> : <Deleted name={domain?.name} />)}
      {operation.status === 'failed' && <Refused operation={operation} domain={domain} />}
    </div>
  );
}

function Pending({ operation, name }: { readonly operation: OperationState; readonly name: string }) {
  const isUncertain = operation.status === 'uncertain';
  return (
    <>
      <div role="status">
        <PageHeading
          title={`Registering ${displayName(name)} …`}
          lead={
            isUncertain
              ? 'The outcome is unknown because the registry did not respond. We keep checking, and nothing is ordered twice.'
              : 'The order was sent to the registry. This takes a moment.'
          }
        />
      </div>
      <section class="card narrow">
        <p>
          <Badge tone={isUncertain ? 'warning' : 'plain'}>{isUncertain ? 'outcome unknown' : 'in progress'}</Badge>
        </p>
        <p>You can leave this page. The domain is already in your list.</p>
        <RefreshLink path={`/register/progress/${operation.id}`} />
        <div class="actions mt-4">
          {isUncertain && (
            <PostForm action={`/register/progress/${operation.id}`} class="inline-form">
              <button class="primary" type="submit">
                Check now
              </button>
            </PostForm>
          )}
          <a class="button" href="/domains">
            Go to domains
          </a>
        </div>
      </section>
    </>
  );
}

function Done({ domain: { id, name, expiresAt } }: { readonly domain: DomainState }) {
  return (
    <>
      <div role="status">
        <PageHeading title={`${displayName(name)} is registered`} lead={`It expires on ${formatDate(expiresAt)}.`} />
      </div>
      <section class="card narrow">
        <p>
          <Badge tone="good">active</Badge>
        </p>
        <p class="actions">
          <a class="button primary" href={`/domains/${id}/records`}>
            Add DNS records
          </a>
          <a class="button" href={`/domains/${id}`}>
            View domain
          </a>
        </p>
      </section>
    </>
  );
}

function Deleted({ name }: { readonly name: string | undefined }) {
  return (
    <>
      <PageHeading
        title={name === undefined ? 'The domain was deleted' : `${displayName(name)} was deleted`}
        lead="It was registered but no longer belongs to this account."
      />
      <section class="card narrow">
        <p class="actions">
          <a class="button primary" href={buildUrl('/activity', { domain: name })}>
            View activity
          </a>
          <SearchAgainLink name={name} class="button" />
        </p>
      </section>
    </>
  );
}

/** Says why, and leads back to the order with what it had. */
function Refused({ operation: { error, request }, domain }: ProgressPageProps) {
  const name = domain?.name ?? '';
  return (
    <>
      <div role="status">
        <PageHeading
          title={name === '' ? 'Registration refused' : `Registration of ${displayName(name)} refused`}
          lead="The registry refused the order. You were not charged."
        />
      </div>
      <section class="card narrow">
        {error && <p>{error.message}</p>}
        {domain && request.kind === 'register' && (
          <MayDo action="register">
            <PostForm action="/register/details">
              {Object.entries(orderValues(domain, request)).map(([field, value]) => (
                <input key={field} type="hidden" name={field} value={value ?? ''} />
              ))}
              <p>
                <button type="submit" class="primary">
                  Order {displayName(name)} again
                </button>{' '}
                <span class="small">You can correct the order first.</span>
              </p>
            </PostForm>
          </MayDo>
        )}
        <p class="actions">
          <SearchAgainLink name={name} class="button" />
        </p>
      </section>
    </>
  );
}
