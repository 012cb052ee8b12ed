import type { StoredSession } from '../../../application/ports/access/users';
import { PASSWORD_LENGTH } from '../../../domain/access/people/password';
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from '../../../domain/access/people/session';
import { DAY_MS } from '../../../domain/shared/time/calendar';
import type { DashboardSettings } from '../dashboard-settings';
import type { FormIssues } from '../form-issues';
import { formatTimeAgo } from '../layout/dates';
import { describeUserAgent } from '../middleware/describe-user-agent';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import { Badge, Card, Cell, Confirm, DateTime, PageHeading, Row, Table, Time } from '../layout/components';

const HOUR_MS = 3_600_000;

interface SettingsPageProps {
  readonly sessions: readonly StoredSession[];
  /** Digest of the session of this request. */
  readonly current: string;
  readonly settings: DashboardSettings;
  readonly issues: FormIssues | undefined;
}

export function SettingsPage({ sessions, current, settings, issues }: SettingsPageProps) {
  const { userSession } = usePage();
  return (
    <>
      <PageHeading title="Settings" lead={userSession?.user.email} />
      <Card title="Sessions" class="flush">
        <Table
          caption="Your sessions"
          columns={['Browser', 'IP address', 'Signed in', 'Last seen', <span class="visually-hidden">Actions</span>]}
        >
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} current={session.digest === current} />
          ))}
        </Table>
        <div class="table-foot">
          <Confirm
            label="Sign out everywhere"
            action="/settings/sessions/end-all"
            button="End all sessions"
            question="All your sessions end, including this one."
          />
        </div>
      </Card>
      <div class="columns">
        <div class="stack">
          <Card title="Password">
            {userSession?.user.passwordHash === null ? <NoPassword /> : <PasswordForm issues={issues} />}
          </Card>
          <Card title="Limits">
            <Limits settings={settings} />
          </Card>
        </div>
        <div class="stack">
          <Card title="Notices">
            <p>What you get by mail, and the time zone of mails and pages.</p>
            <p class="actions">
              <a class="button" href="/settings/notices">
                Notices
              </a>
            </p>
          </Card>
          <Card title="Second factor">
            <p>A passkey or an authenticator app protects your sign-in if someone learns your password.</p>
            <p class="actions">
              <a class="button" href="/settings/second-factor">
                Second factor
              </a>
            </p>
          </Card>
          {settings.identityProviders.length > 0 && (
            <Card title="Sign-in providers">
              <p>
                Sign in with {settings.identityProviders.map(({ name }) => name).join(' or ')} instead of the password.
              </p>
              <p class="actions">
                <a class="button" href="/settings/providers">
                  Sign-in providers
                </a>
              </p>
            </Card>
          )}
        </div>
      </div>
    </>
  );
}

function PasswordForm({ issues }: Pick<SettingsPageProps, 'issues'>) {
  const { userSession } = usePage();
  return (
    <PostForm action="/settings/password" issues={issues}>
      <input type="text" autocomplete="username" value={userSession?.user.email} readOnly hidden />
      <Field
        name="current_password"
        label="Current password"
        type="password"
        autocomplete="current-password"
        required
      />
      <Field
        name="new_password"
        label="New password"
        type="password"
        autocomplete="new-password"
        required
        hint={`${PASSWORD_LENGTH}. Use several unrelated words. Your other sessions end, and set-up links for you and from you are revoked.`}
      />
      <button class="primary" type="submit">
        Change password
      </button>
    </PostForm>
  );
}

/** Of people who sign in with a provider. */
function NoPassword() {
  const { userSession } = usePage();
  return (
    <p>
      You have no password. A set-up link lets you choose one: your sign-in provider is then unlinked. If you have
      several accounts, this one is separated from them and from your second factor.{' '}
      {userSession?.user.role === 'owner' ? (
        <>
          Create one for yourself on the page <a href="/team">Team</a>.
        </>
      ) : (
        'Ask an owner of your account for one.'
      )}
    </p>
  );
}

function SessionRow({ session, current }: { readonly session: StoredSession; readonly current: boolean }) {
  const { now } = usePage();
  const { id, userAgent, clientAddress, createdAt, lastSeenAt } = session;
  return (
    <Row>
      <Cell class="main-cell">
        <strong title={userAgent}>{describeUserAgent(userAgent)}</strong>{' '}
        {current && <Badge tone="good">this session</Badge>}
      </Cell>
      <Cell label="IP address">{clientAddress}</Cell>
      <Cell label="Signed in">
        <DateTime at={createdAt} />
      </Cell>
      <Cell label="Last seen">
        <Time at={lastSeenAt}>{formatTimeAgo(lastSeenAt, now)}</Time>
      </Cell>
      <Cell class="row-actions">
        {!current && (
          <PostForm action={`/settings/sessions/${id}/end`}>
            <button class="quiet danger" type="submit">
              End<span class="visually-hidden"> session of {describeUserAgent(userAgent)}</span>
            </button>
          </PostForm>
        )}
      </Cell>
    </Row>
  );
}

function Limits({
  settings: { rateLimitPerMinute, signInAttempts, recordsPerSet, recordsPerZone },
}: {
  readonly settings: DashboardSettings;
}) {
  const { userSession } = usePage();
  return (
    <dl class="details">
      <dt>Account ID</dt>
      <dd>
        <code>{userSession?.accountId}</code>
      </dd>
      <dt>API and dashboard</dt>
      <dd>{rateLimitPerMinute === 0 ? 'no limit' : `${rateLimitPerMinute} requests per minute each`}</dd>
      <dt>DNS records</dt>
      <dd>
        {recordsPerZone.toLocaleString('en')} per domain, {recordsPerSet} per name and type
      </dd>
      <dt>Sign-in</dt>
      <dd>{signInAttempts === 0 ? 'no limit' : `${signInAttempts} attempts in 15 minutes`}</dd>
      <dt>Sessions</dt>
      <dd>
        End after {SESSION_IDLE_MS / HOUR_MS} idle hours, at the latest after {SESSION_MAX_AGE_MS / DAY_MS} days
      </dd>
    </dl>
  );
}
