import { PASSWORD_LENGTH } from '../../../domain/access/people/password';
import { ROLE_LABELS } from '../../../domain/access/people/role';
import type { UserState } from '../../../domain/access/people/user';
import type { FormIssues } from '../form-issues';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';

interface SetUpPageProps {
  readonly token: string;
  /** The user of the link. */
  readonly invited: UserState;
  readonly accountName: string;
  /** Whether the person who has the user until now has a second factor. */
  readonly hasSecondFactor: boolean;
  /** Whether that person has users in other accounts. */
  readonly isShared: boolean;
  /** Of the form that was sent. */
  readonly issues: FormIssues | undefined;
  /** Which form was sent. */
  readonly sent?: 'password' | 'join' | undefined;
}

export function SetUpPage(props: SetUpPageProps) {
  const { token, invited, isShared, hasSecondFactor, issues, sent } = props;
  const { userSession, providers } = usePage();
  const canJoin = userSession !== undefined && userSession.user.id !== invited.id;
  return (
    <section class="card sign-in-card">
      {canJoin && <JoinForm {...props} />}
      {canJoin ? <h2 class="mt-5">Choose a password instead</h2> : <h1>Choose a password</h1>}
      <p>This link works once. Setting a password signs you in.</p>
      {isShared && <p>The password is for this account only. It does not open other accounts.</p>}
      <PostForm action="/set-up" id="password-form" issues={sent === 'password' ? issues : undefined}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          required
          autofocus={!canJoin}
          hint={`${PASSWORD_LENGTH}. Use several unrelated words.`}
        />
        {isShared && hasSecondFactor && <CodeField />}
        <button class={canJoin ? undefined : 'primary'} type="submit">
          Set password
        </button>
      </PostForm>
      {invited.passwordHash === null &&
        providers
          .filter(({ invitations }) => invitations)
          .map(({ id, name }) => (
            <PostForm key={id} action={`/set-up/with/${id}`}>
              <input type="hidden" name="token" value={token} />
              <button type="submit">Continue with {name} instead of a password</button>
            </PostForm>
          ))}
      {!userSession && (
        <PostForm action="/set-up/sign-in">
          <input type="hidden" name="token" value={token} />
          <p>Do you have a user in another account of this service?</p>
          <button type="submit">Sign in and join with it</button>
        </PostForm>
      )}
    </section>
  );
}

function JoinForm({ token, invited, accountName, hasSecondFactor, issues, sent }: SetUpPageProps) {
  const { userSession } = usePage();
  const isOther = userSession?.user.personId !== invited.personId;
  return (
    <>
      <h1>Join {accountName}</h1>
      <p>
        You are signed in as {userSession?.user.email}. If you join, you can switch between your accounts. Your role in{' '}
        {accountName} is {ROLE_LABELS[invited.role]}, and its owners see your e-mail address.
      </p>
      <PostForm action="/set-up/join" id="join-form" issues={sent === 'join' ? issues : undefined}>
        <input type="hidden" name="token" value={token} />
        {isOther && hasSecondFactor && <CodeField />}
        <button class="primary" type="submit">
          Join {accountName}
        </button>
      </PostForm>
    </>
  );
}

function CodeField() {
  return (
    <Field
      name="code"
      label="Code"
      autocomplete="one-time-code"
      required
      hint="Of the authenticator app with which this user signs in now, or a recovery code."
    />
  );
}

export function InvalidLinkPage() {
  return (
    <section class="card sign-in-card">
      <h1>This link is no longer valid</h1>
      <p>
        The link was used, was replaced by a newer link, or has expired. If you have set a password, sign in. Otherwise
        ask an owner of your account or the operator of this service for a new link.
      </p>
      <p class="actions">
        <a class="button primary" href="/sign-in">
          Go to sign-in
        </a>
      </p>
    </section>
  );
}
