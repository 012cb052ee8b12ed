import { generate } from 'selfsigned';
import { ComposeMail } from '../../../src/application/notices/compose-mail';
import { MailRunner } from '../../../src/application/notices/mail-runner';
import { noticeOfEvent } from '../../../src/application/notices/notice-of-event';
import { NoticeRecipients } from '../../../src/application/notices/notice-recipients';
import { UnsubscribeLinks } from '../../../src/application/notices/unsubscribe-links';
import { ExpiryNotices } from '../../../src/application/lifecycle/expiry-notices';
import type { Mailer } from '../../../src/application/ports/notices/mails-and-notices';
import { openAccount } from '../../../src/domain/access/account';
import { User } from '../../../src/domain/access/people/user';
import type { DomainState } from '../../../src/domain/registration/domain';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { parseMailUrl } from '../../../src/config/mail-values';
import { SmtpMailer } from '../../../src/infrastructure/mail/smtp-mailer';
import { PreactMailTemplates } from '../../../src/infrastructure/mail/templates/preact-mail-templates';
import { SqlFactorReader } from '../../../src/infrastructure/persistence/access/sql-factors';
import { SqlIdentityReader } from '../../../src/infrastructure/persistence/access/sql-identities';
import { SqlUserReader } from '../../../src/infrastructure/persistence/access/sql-user-repository';
import { SqlMailSettingsReader } from '../../../src/infrastructure/persistence/notices/sql-mail-settings';
import { SqlMailReader } from '../../../src/infrastructure/persistence/notices/sql-mails';
import { SqlNoticeReader } from '../../../src/infrastructure/persistence/notices/sql-notices';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';
import { RecordingLog } from '../../support/fakes/recording-log';
import { partOf, SmtpInbox, unfolded } from '../../support/mail/smtp-inbox';

const SECRETS = { seal: (text: string) => text, open: (sealed: string) => sealed };
const SENDER = { name: 'Namewright', address: 'names@example.net' };
const MINUTE_MS = 60_000;

onEachDatabase('the queue of mails', (database) => {
  const ids = new RandomIds();
  const clock = new MovableClock();
  let inbox: SmtpInbox;
  let accountId: string;
  let email: string;
  beforeEach(async () => {
    inbox = await SmtpInbox.open();
    accountId = ids.next('acc');
    email = `${accountId}@example.com`;
    const user = User.invite({ id: ids.next('usr'), accountId, email, role: 'owner' }, clock.now());
    user.setPasswordHash('a hash', clock.now());
    await unitOfWork().run(async ({ accounts, users }) => {
      await accounts.add(openAccount(accountId, 'An account', clock.now()));
      await users.add(user);
    });
    await expiries().runDue();
  });
  afterEach(() => inbox.close());

  const unitOfWork = () =>
    new SqlUnitOfWork(database(), ids, clock, clock, undefined, undefined, undefined, (fact) =>
      noticeOfEvent(fact, ids.next('evt')),
    );
  const expiries = () => new ExpiryNotices(unitOfWork(), clock, clock, new RecordingLog());
  const smtp = () => new SmtpMailer(parseMailUrl(`smtp://127.0.0.1:${inbox.port}`), SENDER);
  const runner = (mailer: Mailer = smtp()) => {
    const [users, settings] = [new SqlUserReader(database()), new SqlMailSettingsReader(database())];
    const [identities, factors] = [new SqlIdentityReader(database()), new SqlFactorReader(database())];
    const service = { delivery: 'smtp' as const, operatorAddresses: [], publicUrl: 'https://names.example.net' };
    const links = new UnsubscribeLinks(Buffer.alloc(32));
    const domains = new SqlDomainReader(database());
    return new MailRunner(
      { runDue: async () => undefined },
      new SqlNoticeReader(database()),
      new NoticeRecipients(
        users,
        identities,
        factors,
        domains,
        settings,
        service,
        { of: async () => async () => false },
        ids,
      ),
      unitOfWork(),
      new ComposeMail(new PreactMailTemplates(), settings, users, links, service, SECRETS),
      mailer,
      service,
      clock,
      new RecordingLog(),
    );
  };
  const addDomain = async (overrides: Partial<DomainState> = {}) => {
    const id = ids.next('dom');
    const name = `${id.replace('_', '-')}.uk`;
    const expiresAt = addDays(clock.now(), 31);
    await unitOfWork().run(({ domains }) => domains.add(aDomain({ id, name, accountId, expiresAt, ...overrides })));
    return name;
  };
  const passDays = async (days: number) => {
    clock.advance({ days });
    await expiries().runDue();
  };
  const expiringDomain = async () => {
    const name = await addDomain();
    await passDays(2);
    return name;
  };
  const stored = async () =>
    (await new SqlMailReader(database()).ofAccount(accountId, 10)).map(({ status, response }) => ({
      status,
      response,
    }));

  it('leads a domain that is about to expire to one mail with its name, in text and HTML', async () => {
    const name = await expiringDomain();

    await runner().runDue();
    await expiries().runDue();
    await runner().runDue();

    expect(inbox.received.map(({ to }) => to)).toEqual([email]);
    const source = unfolded(inbox.received[0]?.source ?? '');
    expect(source).toMatch(/^From: Namewright <names@example\.net>/m);
    expect(source).toMatch(/^List-Unsubscribe: <https:\/\/names\.example\.net\/unsubscribe\?token=/m);
    expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    for (const type of ['text/plain', 'text/html'] as const) expect(partOf(source, type)).toContain(name);
    expect(await stored()).toMatchObject([{ status: 'sent' }]);
  });

  it('sends each mail once, however many processes send at the same time', async () => {
    await addDomain();
    await addDomain();
    await addDomain();
    await passDays(2);

    await Promise.all(Array.from({ length: 4 }, () => runner().runDue()));

    expect(inbox.received).toHaveLength(3);
  });

  it('sends no second mail after a clock was set back', async () => {
    await expiringDomain();
    await runner().runDue();
    const setBack = addDays(clock.now(), -2).getTime();
    await database().transaction((manager) => manager.query('UPDATE expiry_notices SET noticed_until = ?', [setBack]));

    await expiries().runDue();
    await runner().runDue();

    expect(inbox.received).toHaveLength(1);
  });

  it('sends mails 30 and 7 days before an expiry, and one within five days after it', async () => {
    await addDomain();
    const days: number[] = [];
    for (let day = 1; day < 40; day += 1) {
      await passDays(1);
      if (day === 31)
        await database().transaction((manager) =>
          manager.query("UPDATE domains SET status = 'expired' WHERE account_id = ?", [accountId]),
        );
      await runner().runDue();
      const own = inbox.received.filter(({ to }) => to === email);
      days.push(...Array.from({ length: own.length - days.length }, () => 31 - day));
    }

    expect(days).toEqual([30, 7, -5]);
  });

  it.each([
    ['the recipient', () => inbox.answerRecipient(450)],
    ['the text', () => inbox.answerText(451)],
  ])('tries a mail again after 4xx to %s, with back-off', async (_part, answer) => {
    await expiringDomain();
    answer();
    await runner().runDue();
    await runner().runDue();
    expect([inbox.attempts.length, inbox.received.length]).toEqual([1, 0]);
    expect(await stored()).toMatchObject([{ status: 'waiting', response: expect.stringMatching(/^45[01] /) }]);

    clock.advance({ ms: 2 * MINUTE_MS });
    await runner().runDue();

    expect(inbox.received).toHaveLength(1);
  });

  it.each([
    ['the recipient', () => inbox.answerRecipient(550)],
    ['the text', () => inbox.answerText(554)],
  ])('ends a mail after 5xx to %s, and keeps the answer', async (_part, answer) => {
    await expiringDomain();
    answer();

    await runner().runDue();
    clock.advance({ days: 1 });
    await runner().runDue();

    expect(inbox.attempts).toEqual([email]);
    expect(await stored()).toMatchObject([{ status: 'refused', response: expect.stringMatching(/^55[04] /) }]);
  });

  it('gives a mail up after two days without a server', async () => {
    await expiringDomain();
    const away = new SmtpMailer(parseMailUrl('smtp://127.0.0.1:1'), SENDER);
    for (let hour = 0; hour < 60; hour += 1) {
      await runner(away).runDue();
      clock.advance({ ms: 60 * MINUTE_MS });
    }

    expect(await stored()).toMatchObject([{ status: 'failed' }]);
    await runner().runDue();
    expect(inbox.attempts).toEqual([]);
  });

  it('sends a mail whose process died before its text, when its claim has ended', async () => {
    await expiringDomain();
    const dying: Mailer = { send: () => Promise.reject(new Error('killed')) };
    await expect(runner(dying).runDue()).rejects.toThrow('killed');
    await runner().runDue();
    expect(inbox.attempts).toEqual([]);

    clock.advance({ ms: 5 * MINUTE_MS });
    await runner().runDue();

    expect(inbox.received).toHaveLength(1);
  });

  it('never sends a mail again whose process died after its text was begun', async () => {
    await expiringDomain();
    const dying: Mailer = {
      send: async (_mail, beforeContent) => {
        await beforeContent();
        throw new Error('killed');
      },
    };
    await expect(runner(dying).runDue()).rejects.toThrow('killed');

    clock.advance({ ms: 5 * MINUTE_MS });
    await runner().runDue();

    expect(inbox.attempts).toEqual([]);
    expect(await stored()).toMatchObject([{ status: 'unknown' }]);
  });

  it('never sends a mail again if the connection is lost after its text', async () => {
    await expiringDomain();
    inbox.beforeReply(() => inbox.dropClients());

    await runner().runDue();
    clock.advance({ days: 1 });
    await runner().runDue();

    expect(inbox.received).toHaveLength(1);
    expect(await stored()).toMatchObject([{ status: 'unknown' }]);
  });

  it('sends nothing from a process whose claim another one has taken over', async () => {
    await expiringDomain();
    const slow: Mailer = {
      send: async (mail, beforeContent) => {
        clock.advance({ ms: 5 * MINUTE_MS });
        await runner().runDue();
        return smtp().send(mail, beforeContent);
      },
    };

    await runner(slow).runDue();

    expect(inbox.received).toHaveLength(1);
    expect(await stored()).toMatchObject([{ status: 'sent' }]);
  });
});

describe('the connection to the mail server', () => {
  const mail = { id: 'mail_1', to: 'a@example.com', subject: 'S', text: 'T', html: 'H', unsubscribeUrl: undefined };
  const started = jest.fn(async () => true);
  let certificate: { readonly key: string; readonly cert: string };
  beforeAll(async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    certificate = { key, cert };
  });
  const sent = async (inbox: SmtpInbox, url: string, authority?: string) => {
    started.mockClear();
    const server = { ...parseMailUrl(url), host: 'localhost', port: inbox.port };
    const outcome = await new SmtpMailer(server, SENDER, authority).send(mail, started);
    await inbox.close();
    return outcome;
  };

  it.each([
    ['smtps', 'start'],
    ['smtp', 'STARTTLS'],
  ] as const)('is encrypted with %s, and its certificate is verified', async (protocol, from) => {
    const url = `${protocol}://mail.example.com`;
    const inbox = await SmtpInbox.open({ tls: { ...certificate, from } });
    expect(await sent(inbox, url, certificate.cert)).toMatchObject({ kind: 'sent' });
    expect(inbox.received).toMatchObject([{ isEncrypted: true }]);

    const unknown = await SmtpInbox.open({ tls: { ...certificate, from } });
    expect(await sent(unknown, url)).toMatchObject({ kind: 'deferred', isOutage: true });
    expect([unknown.attempts, started.mock.calls]).toEqual([[], []]);
  });

  it('is not used for a mail if the server has no TLS', async () => {
    const inbox = await SmtpInbox.open();
    expect(await sent(inbox, 'smtp://mail.example.com')).toMatchObject({ kind: 'deferred', isOutage: true });
    expect(inbox.attempts).toEqual([]);
  });

  it('logs in, and shows no password if that is refused', async () => {
    const login = { user: 'sender', password: 'hunter2' };
    const inbox = await SmtpInbox.open({ login, tls: { ...certificate, from: 'start' } });
    expect(await sent(inbox, 'smtps://sender:hunter2@mail.example.com', certificate.cert)).toMatchObject({
      kind: 'sent',
    });

    const refusing = await SmtpInbox.open({ login, tls: { ...certificate, from: 'start' } });
    const outcome = await sent(refusing, 'smtps://sender:hunter3@mail.example.com', certificate.cert);
    expect(outcome).toMatchObject({ kind: 'deferred', isOutage: true });
    expect(JSON.stringify(outcome)).not.toContain('hunter');
  });

  it.each(['a@example.com\r\nBcc: eve@example.com', 'a@example.com, eve@example.com'])(
    'is given no recipient of %j',
    async (to) => {
      const inbox = await SmtpInbox.open();
      const server = parseMailUrl(`smtp://127.0.0.1:${inbox.port}`);
      const outcome = await new SmtpMailer(server, SENDER).send({ ...mail, to }, started);
      expect([outcome.kind, inbox.received, inbox.attempts]).toEqual(['refused', [], []]);
      await inbox.close();
    },
  );
});
