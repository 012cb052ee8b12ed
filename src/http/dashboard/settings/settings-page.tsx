import type { StoredSession } from '../../../application/ports/access/session-repository';
import { PASSWORD_LENGTH } from '../../../domain/access/password';
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from '../../../domain/access/session';
import { DAY_MS } from '../../../domain/shared/calendar';
import type { DashboardSettings } from '../dashboard-settings';
import type { FormIssues } from '../form-issues';
import { ago, dateAndTime } from '../layout/dates';
import { Field, PostForm } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { Badge, Card, Cell, Confirm, PageHeading, Row, Table, Time } from '../layout/parts';
import { browserOf } from './browser-words';

const HOUR_MS = 3_600_000;

export interface SettingsPageProps {
  readonly sessions: readonly StoredSession[];
  /** Digest of the session that asks. */
  readonly current: string;
  readonly settings: DashboardSettings;
  readonly issues: FormIssues | undefined;
}

export function SettingsPage({ sessions, current, settings, issues }: SettingsPageProps) {
  const { visitor } = usePage();
  return (
    <>
      <PageHeading title="Settings" lead={visitor?.user.email} />
      <Card title="Where you are signed in" class="flush">
        <Table
          caption="Your sessions"
          columns={['Browser', 'Address', 'Signed in', 'Last seen', <span class="unseen">Actions</span>]}
        >
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} current={session.digest === current} />
          ))}
        </Table>
        <div class="table-foot">
          <Confirm
            label="Sign out everywhere"
            action="/settings/sessions/end-all"
            button="Sign out everywhere now"
            question="All sessions end, this one too."
          />
        </div>
      </Card>
      <div class="columns">
        <Card title="Password">
          <PostForm action="/settings/password" issues={issues}>
            <input type="text" autocomplete="username" value={visitor?.user.email} readOnly hidden />
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
              hint={`${PASSWORD_LENGTH}. Several unrelated words are good. You are signed out everywhere else, and set-up links for you and from you stop working.`}
            />
            <button class="primary" type="submit">
              Change the password
            </button>
          </PostForm>
        </Card>
        <Card title="Limits in force">
          <Limits settings={settings} />
        </Card>
      </div>
    </>
  );
}

function SessionRow({ session, current }: { readonly session: StoredSession; readonly current: boolean }) {
  const { now } = usePage();
  const { id, userAgent, clientAddress, createdAt, lastSeenAt } = session;
  return (
    <Row>
      <Cell class="main-cell">
        <strong title={userAgent}>{browserOf(userAgent)}</strong> {current && <Badge tone="good">this one</Badge>}
      </Cell>
      <Cell label="Address">{clientAddress}</Cell>
      <Cell label="Signed in">
        <Time at={createdAt}>{dateAndTime(createdAt)}</Time>
      </Cell>
      <Cell label="Last seen">
        <Time at={lastSeenAt}>{ago(lastSeenAt, now)}</Time>
      </Cell>
      <Cell class="row-actions">
        {!current && (
          <PostForm action={`/settings/sessions/${id}/end`}>
            <button class="quiet danger" type="submit">
              End<span class="unseen"> the session of {browserOf(userAgent)}</span>
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
  const { visitor } = usePage();
  return (
    <dl class="details">
      <dt>Account</dt>
      <dd>
        <code>{visitor?.accountId}</code>
      </dd>
      <dt>Interface</dt>
      <dd>{rateLimitPerMinute === 0 ? 'no limit' : `${rateLimitPerMinute} requests a minute`}</dd>
      <dt>Records</dt>
      <dd>
        {recordsPerZone.toLocaleString('en')} a domain, {recordsPerSet} of one name and type
      </dd>
      <dt>Sign-in</dt>
      <dd>{signInAttempts === 0 ? 'no limit' : `${signInAttempts} attempts in a quarter of an hour`}</dd>
      <dt>Sessions</dt>
      <dd>
        {SESSION_IDLE_MS / HOUR_MS} hours without a request, {SESSION_MAX_AGE_MS / DAY_MS} days at most
      </dd>
    </dl>
  );
}
