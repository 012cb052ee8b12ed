import { MAIL_RULES, type MailKind } from '../../../domain/access/notices/notice';
import { Card, PageHeading } from '../layout/components';
import { PostForm } from '../layout/forms/forms';

/** A link in a mail only shows the question: programs that check links must not answer it. */
export function UnsubscribePage({ kind, action }: { readonly kind: MailKind; readonly action: string }) {
  return (
    <>
      <PageHeading title="No more mails of this kind?" />
      <Card title={MAIL_RULES[kind].label}>
        <p>
          You get no more mails of this kind, for any of your accounts. You can switch them on again in your settings.
        </p>
        <PostForm action={action}>
          <button class="primary" type="submit">
            Switch off
          </button>
        </PostForm>
      </Card>
    </>
  );
}

export function UnsubscribedPage({ kind }: { readonly kind: MailKind }) {
  return (
    <>
      <PageHeading title="Switched off" />
      <Card title={MAIL_RULES[kind].label}>
        <p>
          You get no more mails of this kind. <a href="/settings/notices">Settings › Notices</a> shows all of them.
        </p>
      </Card>
    </>
  );
}

export function UnknownLinkPage() {
  return (
    <>
      <PageHeading title="This link is not valid" />
      <Card title="Nothing was changed">
        <p>
          The link is incomplete, or the key of this service was changed. You can choose your mails at{' '}
          <a href="/settings/notices">Settings › Notices</a>.
        </p>
      </Card>
    </>
  );
}
