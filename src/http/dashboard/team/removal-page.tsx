import type { ApiKey } from '../../../domain/access/api-key';
import type { UserState } from '../../../domain/access/people/user';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { Radios } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { PageHeading } from '../layout/components';

interface RemovalPageProps {
  readonly user: UserState;
  /** The active API keys that the user created, also with keys of theirs. */
  readonly keys: readonly ApiKey[];
  readonly issues: FormIssues | undefined;
}

const CHOICES = [
  {
    value: 'revoke',
    label: 'Revoke',
    hint: 'Requests with these keys will be refused immediately. This cannot be undone.',
  },
  {
    value: 'keep',
    label: 'Keep',
    hint: 'The keys keep working. Rotate them soon, because the user may know their secrets.',
  },
];

export function RemovalPage({ user: { id, email }, keys, issues }: RemovalPageProps) {
  return (
    <>
      <PageHeading
        title={`Remove ${email}?`}
        lead="The user is signed out immediately and cannot sign in again. Set-up links from this user are revoked."
      />
      <section class="card narrow">
        <PostForm action={`/team/${id}/remove`} issues={issues}>
          {keys.length > 0 && (
            <>
              <p>
                {email} created {keys.length === 1 ? 'an active API key' : `${keys.length} active API keys`}, directly
                or with one of these keys:
              </p>
              <ul>
                {keys.map((key) => (
                  <li key={key.toState().keyId}>
                    {key.toState().name} <code>{key.toState().keyId}</code>
                  </li>
                ))}
              </ul>
              <Radios name="keys" label="API keys of this user" choices={CHOICES} />
            </>
          )}
          <FormActions submit={`Remove ${email}`} danger cancel="/team" />
        </PostForm>
      </section>
    </>
  );
}
