import { MAIL_KINDS, type MailKind } from '../../../../src/domain/access/notices/notice';
import { PreactMailTemplates } from '../../../../src/infrastructure/mail/templates/preact-mail-templates';

const HOSTILE = '<img src="https://eve.example/x.png"> "q" & \u202e\r\nBcc: eve@example.com';
const DATA = {
  days: 30,
  expires_at: '2026-01-31T23:30:00.000Z',
  until: '2026-01-31T23:30:00.000Z',
  requested_at: '2026-01-31T23:30:00.000Z',
  ends_at: '2026-02-05T23:30:00.000Z',
  type: 'transfer.completed',
};

function write(kind: MailKind, data: Readonly<Record<string, unknown>> = DATA, timeZone = 'UTC', recipient = 'usr_1') {
  const mail = { kind, data, domain: { id: 'dom_1', name: 'ours.com' }, at: new Date(DATA.until), recipient };
  const unsubscribeUrl = kind === 'expiry' ? 'https://names.example.net/unsubscribe?token=t' : undefined;
  const context = { publicUrl: 'https://names.example.net', timeZone, secret: 'a-token', unsubscribeUrl };
  return new PreactMailTemplates().write(mail, context);
}

describe.each(MAIL_KINDS)('a mail of the kind %s', (kind) => {
  it('says the same in text and HTML, with the same links', () => {
    const { subject, text, html } = write(kind);
    expect(subject).not.toBe('');
    expect(html).toContain(`<title>${subject}</title>`);
    const links = [...text.matchAll(/https:\/\/\S+/g)].map(([url]) => url.replace(/\.$/, ''));
    for (const link of links) expect(html).toContain(link);
  });

  it('escapes what others chose, loads nothing and has one line as its subject', () => {
    const hostile = Object.fromEntries(
      ['name', 'account', 'reason', 'comment', 'path', 'text', 'registry', 'address', 'browser', 'key_id', 'host'].map(
        (member) => [member, HOSTILE],
      ),
    );
    const { subject, text, html } = write(kind, { ...DATA, ...hostile, error: { message: HOSTILE } });
    expect(subject).not.toMatch(/[\r\n\u202e]/);
    expect(html).not.toMatch(/<(?:img|link|script|iframe|style)\b|<[a-z][^<>]*\ssrc=|url\(/i);
    expect([text, html].join()).not.toMatch(/[\r\u202e]/);
  });
});

describe('a mail', () => {
  it.each([
    ['UTC', '31 Jan 2026'],
    ['Asia/Tokyo', '1 Feb 2026'],
    ['America/New_York', '31 Jan 2026'],
  ])('has dates in the time zone of the person: %s', (timeZone, day) => {
    expect(write('key_expiry', DATA, timeZone).subject).toMatch(new RegExp(`expires on ${day}$`));
    expect(write('expiry', DATA, timeZone).subject).toBe('ours.com expires on 31 Jan 2026');
  });

  it('has a link to end its kind only if that is possible', () => {
    expect(write('expiry').text).toContain('/unsubscribe?token=t');
    expect(write('sign_in').text).not.toContain('unsubscribe');
  });

  it('has the secret of a set-up link in its link', () => {
    expect(write('set_up_link').text).toContain('https://names.example.net/set-up?token=a-token');
  });

  it('tells a registrant whom to ask, without a link into the dashboard', () => {
    const { text } = write('expiry', DATA, 'UTC', 'registrant');
    expect(text).toContain('as the registrant');
    expect(text).not.toContain('/domains/');
  });

  it('says that a domain has expired, after its expiry', () => {
    expect(write('expiry', { ...DATA, days: -5 }).subject).toBe('ours.com has expired');
  });
});
