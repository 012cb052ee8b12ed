import type { ApiKey } from '../../../domain/access/api-key';
import type { UserState } from '../../../domain/access/user';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { PostForm, Radios } from '../layout/forms';
import { PageHeading } from '../layout/parts';

export interface RemovalPageProps {
  readonly user: UserState;
  /** The keys that the person created and that still work. */
  readonly keys: readonly ApiKey[];
  readonly issues: FormIssues | undefined;
}

const CHOICES = [
  {
    value: 'revoke',
    label: 'Revoke them',
    hint: 'Programs that use them are refused from their next request on. This cannot be undone.',
  },
  {
    value: 'keep',
    label: 'Keep them',
    hint: 'They keep working. The person has seen their secrets: rotate them soon.',
  },
];

export function RemovalPage({ user: { id, email }, keys, issues }: RemovalPageProps) {
  return (
    <>
      <PageHeading
        title={`Remove ${email}?`}
        lead="They are signed out at once and cannot sign in again. Set-up links that they issued stop working."
      />
      <section class="card narrow">
        <PostForm action={`/team/${id}/remove`} issues={issues}>
          {keys.length > 0 && (
            <>
              <p>
                {email} created{' '}
                {keys.length === 1 ? 'an API key that still works' : `${keys.length} API keys that still work`}:
              </p>
              <ul>
                {keys.map((key) => (
                  <li key={key.toState().keyId}>
                    {key.toState().name} <code>{key.toState().keyId}</code>
                  </li>
                ))}
              </ul>
              <Radios name="keys" label="API keys that they created" choices={CHOICES} />
            </>
          )}
          <FormActions submit={`Remove ${email}`} danger cancel="/team" />
        </PostForm>
      </section>
    </>
  );
}
