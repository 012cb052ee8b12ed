import type { MailSettings } from '../../../application/ports/notices/mails-and-notices';
import type { Mail } from '../../../domain/access/notices/mail';
import { KINDS_FOR_PEOPLE, MAIL_RULES, type MailKind } from '../../../domain/access/notices/notice';
import { timeZones } from '../../../domain/access/notices/time-zone';
import type { FormIssues } from '../form-issues';
import { Card, DateTime, PageHeading } from '../layout/components';
import { Select } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';

interface NoticesPageProps {
  readonly settings: MailSettings;
  /** Whether this service sends mail, or keeps it in the outbox of the sandbox. */
  readonly delivery: 'smtp' | 'outbox' | 'off';
  /** The last mail to the person, if it was not delivered. */
  readonly undelivered: Mail | undefined;
  readonly issues: FormIssues | undefined;
}

export function NoticesPage({ settings, delivery, undelivered, issues }: NoticesPageProps) {
  const { userSession } = usePage();
  const { timeZone, switchedOff } = settings;
  return (
    <>
      <PageHeading title="Notices" lead={`Mail to ${userSession?.user.email ?? ''}`} />
      {undelivered && (
        <div class="alert warning" role="alert">
          <p>
            The last mail to you was not delivered on <DateTime at={undelivered.endedAt ?? undelivered.at} />. The mail
            server said: {undelivered.response}
          </p>
        </div>
      )}
      {delivery === 'off' && (
        <div class="alert warning" role="alert">
          <p>This service sends no mail. Its operator can set up a mail server.</p>
        </div>
      )}
      <Card title="What you get by mail">
        <PostForm action="/settings/notices" values={{ time_zone: timeZone }} issues={issues}>
          <fieldset class="field">
            <legend>Notices</legend>
            {KINDS_FOR_PEOPLE.map((kind) => (
              <KindBox kind={kind} isOn={!switchedOff.includes(kind)} />
            ))}
          </fieldset>
          <p class="hint">
            You get those that your role allows, for the domains that you see. What protects your account cannot be
            switched off.
          </p>
          <Select
            name="time_zone"
            label="Time zone of mails and pages"
            choices={timeZones().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          />
          <button class="primary" type="submit">
            Save
          </button>
        </PostForm>
      </Card>
    </>
  );
}

function KindBox({ kind, isOn }: { readonly kind: MailKind; readonly isOn: boolean }) {
  const { label, isOptional } = MAIL_RULES[kind];
  return (
    <label class="check">
      <input type="checkbox" name="notices" value={kind} checked={isOn || !isOptional} disabled={!isOptional} />
      <span>{label}</span>
    </label>
  );
}
