import { challengeOf, verificationEnd } from '../../../domain/dns/zone-names/zone-ownership';
import type { DomainState } from '../../../domain/registration/domain';
import { Card, DateTime } from '../layout/components';
import { PostForm } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { usePage } from '../layout/page-context';

/** The record that proves that the name is the account's. */
export function VerificationCard({ domain }: { readonly domain: DomainState }) {
  const { id, name, createdAt } = domain;
  const { today } = usePage();
  const challenge = challengeOf(name, id);
  const end = verificationEnd(createdAt);
  return (
    <Card title="Prove that the name is yours">
      <p>
        The zone is served once this record is in the zone of the name as it is served now, or in the zone above. You
        can <a href={`/domains/${id}/zone-file`}>copy its records</a> meanwhile.
      </p>
      <dl class="details">
        <dt>Name</dt>
        <dd>
          <Copied id="challenge-name" text={challenge.name} />
        </dd>
        <dt>Type</dt>
        <dd>{challenge.type}</dd>
        <dt>Value</dt>
        <dd>
          <Copied id="challenge-value" text={challenge.value} />
        </dd>
      </dl>
      <p class="mt-4">
        {end > today ? (
          <>
            The service looks for it by itself until <DateTime at={end} />.
          </>
        ) : (
          'The service no longer looks for it by itself.'
        )}
      </p>
      <MayDo action="register">
        <PostForm action={`/domains/${id}/verify`} class="inline-form">
          <p class="actions mt-4">
            <button class="primary" type="submit">
              Check now
            </button>
          </p>
        </PostForm>
      </MayDo>
    </Card>
  );
}

function Copied({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <>
      <code id={id}>{text}</code>{' '}
      <button type="button" class="quiet" data-copy={id} hidden>
        Copy<span class="visually-hidden"> {text}</span>
      </button>
    </>
  );
}
