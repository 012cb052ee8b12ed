import type { DomainState } from '../../../domain/registration/domain';
import type { OperationState } from '../../../domain/registration/operation';
import { addressOf } from '../address-of';
import { displayName } from '../domains/domain-words';
import { longDate } from '../layout/dates';
import { PostForm } from '../layout/forms';
import { Badge, PageHeading } from '../layout/parts';
import { SearchAgain } from './search-again';

export interface ProgressPageProps {
  readonly operation: OperationState;
  /** Also a domain that is gone; absent if it is no longer stored. */
  readonly domain: DomainState | undefined;
}

/** Asks again every second until the outcome is known, where scripts run. What has not changed stays: screen readers are silent, and the focus is where it was. */
export function ProgressPage({ operation, domain }: ProgressPageProps) {
  const under_way = operation.status !== 'succeeded' && operation.status !== 'failed';
  const again = under_way
    ? {
        'hx-get': `/register/progress/${operation.id}`,
        'hx-trigger': 'every 1s',
        'hx-select': '#progress',
        'hx-swap': 'outerMorph',
      }
    : {};
  return (
    <div id="progress" {...again}>
      {under_way && <UnderWay operation={operation} name={domain?.name ?? ''} />}
      {operation.status === 'succeeded' &&
        (domain && domain.status !== 'gone' ? <Done domain={domain} /> : <Gone name={domain?.name} />)}
      {operation.status === 'failed' && <Refused operation={operation} name={domain?.name ?? ''} />}
    </div>
  );
}

function UnderWay({ operation, name }: { readonly operation: OperationState; readonly name: string }) {
  const doubtful = operation.status === 'uncertain';
  return (
    <>
      <div role="status">
        <PageHeading
          title={`Registering ${displayName(name)} …`}
          lead={
            doubtful
              ? 'The registry has not answered for certain. It is asked again automatically; nothing is ordered twice.'
              : 'The registry has been asked. This takes a moment.'
          }
        />
      </div>
      <section class="card narrow">
        <p>
          <Badge tone={doubtful ? 'warning' : 'plain'}>{doubtful ? 'waiting for certainty' : 'under way'}</Badge>
        </p>
        <p>You need not wait here: the domain is among yours already.</p>
        <div class="actions after">
          {doubtful && (
            <PostForm action={`/register/progress/${operation.id}`} class="inline-form">
              <button class="primary" type="submit">
                Check with the registry now
              </button>
            </PostForm>
          )}
          <a class="button" href="/domains">
            Go to the domains
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
        <PageHeading title={`${displayName(name)} is yours`} lead={`Registered until ${longDate(expiresAt)}.`} />
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
            Look at the domain
          </a>
        </p>
      </section>
    </>
  );
}

function Gone({ name }: { readonly name: string | undefined }) {
  return (
    <>
      <PageHeading
        title={name === undefined ? 'The domain is gone' : `${displayName(name)} is gone`}
        lead="It was registered, and is no longer among the domains of this account."
      />
      <section class="card narrow">
        <p class="actions">
          <a class="button primary" href={addressOf('/activity', { domain: name })}>
            See its activity
          </a>
          <SearchAgain name={name} class="button" />
        </p>
      </section>
    </>
  );
}

function Refused({ operation: { error }, name }: { readonly operation: OperationState; readonly name: string }) {
  return (
    <>
      <div role="status">
        <PageHeading
          title={name === '' ? 'The registration was refused' : `The registration of ${displayName(name)} was refused`}
          lead="The registry refused it. Nothing was charged."
        />
      </div>
      <section class="card narrow">
        {error && <p>{error.message}</p>}
        <p class="actions">
          <SearchAgain name={name} class="button primary" />
        </p>
      </section>
    </>
  );
}
