import { KeyExpiryNotices } from '../../../../src/application/notices/key-expiry-notices';
import { noticeOfEvent } from '../../../../src/application/notices/notice-of-event';
import { NoticeRecipients } from '../../../../src/application/notices/notice-recipients';
import { SERVICE } from '../../../../src/domain/access/actor';
import { ApiKey } from '../../../../src/domain/access/api-key';
import { OPERATOR_FEED, type EventFact, type EventType } from '../../../../src/domain/access/events/account-event';
import { MAIL_RULES, type MailKind } from '../../../../src/domain/access/notices/notice';
import type { Role } from '../../../../src/domain/access/people/role';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { PeopleScenario } from '../../../support/use-cases/people-scenario';
import { givenAccount } from '../../../support/use-cases/credentials';
import { givenPerson } from '../../../support/use-cases/people';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const AT = new Date('2026-01-01T00:00:00Z');
const DOMAIN = { id: 'dom_1', name: 'ours.com' };

function fact(type: EventType, data: EventFact['data'] = {}, overrides: Partial<EventFact> = {}): EventFact {
  return { accountId: OURS.accountId, at: AT, actor: SERVICE, type, domain: DOMAIN, data, ...overrides };
}
const expiring = (days: number, expiresAt = '2026-01-31T00:00:00.000Z') =>
  fact('domain.expiring', { days, expires_at: expiresAt, auto_renew: false });

describe('what people are told of an event', () => {
  it.each<[EventFact, MailKind]>([
    [expiring(30), 'expiry'],
    [expiring(7), 'expiry'],
    [fact('domain.renewal_failed'), 'renewal_failed'],
    [fact('domain.registration_refused'), 'registration_refused'],
    [fact('domain.transfer_out_requested'), 'transfer_out'],
    [fact('transfer.completed'), 'transfer_in'],
    [fact('transfer.rejected'), 'transfer_in'],
    [fact('transfer.expired'), 'transfer_in'],
    [fact('webhook.switched_off'), 'webhook_off'],
    [fact('move.proposed', { from_account_id: 'acc_2' }), 'move_offered'],
    [fact('proposal.created'), 'proposal_waiting'],
    [fact('proposal.accepted'), 'proposal_ended'],
    [fact('proposal.rejected'), 'proposal_ended'],
    [fact('proposal.stale'), 'proposal_ended'],
    [fact('proposal.failed'), 'proposal_ended'],
    [fact('proposal.expired'), 'proposal_ended'],
  ])('is a notice: %j', (event, kind) => {
    expect(noticeOfEvent(event, 'evt_1')).toMatchObject({ kind, accountId: OURS.accountId, domain: DOMAIN });
  });

  it.each([
    expiring(90),
    expiring(1),
    fact('domain.registered'),
    fact('domain.expired'),
    fact('records.changed'),
    fact('transfer.cancelled'),
    fact('key.created'),
    fact('move.proposed', { to_account_id: 'acc_2' }),
    fact('proposal.withdrawn'),
  ])('is nothing for %j', (event) => expect(noticeOfEvent(event, 'evt_1')).toBeUndefined());

  it('is for no account if it concerns the whole service', () => {
    const event = fact('registry.low_balance', { registry: 'one' }, { accountId: OPERATOR_FEED, domain: null });
    expect(noticeOfEvent(event, 'evt_1')).toMatchObject({ kind: 'low_balance', accountId: null });
  });

  it('has one cause for an expiry that is written twice, and another for each term, day and event', () => {
    const causes = [
      noticeOfEvent(expiring(30), 'evt_1'),
      noticeOfEvent(expiring(30), 'evt_2'),
      noticeOfEvent(expiring(7), 'evt_3'),
      noticeOfEvent(expiring(30, '2027-01-31T00:00:00.000Z'), 'evt_4'),
      noticeOfEvent(fact('domain.renewal_failed'), 'evt_5'),
      noticeOfEvent(fact('domain.renewal_failed'), 'evt_6'),
    ].map((notice) => notice?.cause);
    expect(causes[0]).toBe(causes[1]);
    expect(new Set(causes).size).toBe(5);
  });
});

describe('the recipients of a notice', () => {
  let around: UseCaseContext;
  beforeEach(async () => {
    around = new UseCaseContext();
    await givenAccount(around);
  });
  const given = (email: string, role: Role, tags?: readonly string[]) =>
    givenPerson(around, { email, role, ...(tags && { tags }) });
  const told = async (event: EventFact, operatorAddresses: readonly string[] = []) => {
    const { users, identities, factors, domains, mailSettings } = around.storage;
    const recipients = new NoticeRecipients(
      users,
      identities,
      factors,
      domains,
      mailSettings,
      { operatorAddresses },
      { of: async () => async () => false },
      around.ids,
    );
    const notice = noticeOfEvent(event, 'evt_1');
    if (!notice) throw new Error('it is no notice');
    return (await recipients.mailsOf({ ...notice, sequence: 1 })).map(({ address }) => address).toSorted();
  };
  const everyRole = async () => {
    await given('owner@example.com', 'owner');
    await given('manager@example.com', 'manager');
    await given('dns@example.com', 'dns-editor');
    await given('billing@example.com', 'billing');
    await given('viewer@example.com', 'viewer');
  };

  it.each<[EventFact, readonly string[]]>([
    [fact('domain.renewal_failed'), ['billing', 'manager', 'owner']],
    [fact('domain.registration_refused'), ['manager', 'owner']],
    [fact('domain.transfer_out_requested'), ['manager', 'owner']],
    [fact('webhook.switched_off'), ['owner']],
  ])('are those whose role concerns it: %j', async (event, names) => {
    await around.givenDomain({ id: DOMAIN.id });
    await everyRole();
    expect(await told(event)).toEqual(names.map((name) => `${name}@example.com`));
  });

  it('see the domain, if they are limited to tags', async () => {
    await around.givenDomain({ id: DOMAIN.id, tags: ['blog'] });
    await given('blog@example.com', 'billing', ['blog', 'news']);
    await given('shop@example.com', 'billing', ['shop']);
    expect(await told(fact('domain.renewal_failed'))).toEqual(['blog@example.com']);
  });

  it('are not people who were invited and have not come', async () => {
    await new PeopleScenario(around).invite({ email: 'new@example.com', role: 'manager' });
    expect(await told(fact('domain.renewal_failed'))).toEqual([]);
  });

  it('are those who have not switched it off, unless it protects the account', async () => {
    await around.givenDomain({ id: DOMAIN.id });
    const owner = await given('owner@example.com', 'owner');
    const switchedOff = Object.keys(MAIL_RULES);
    await around.storage.run(({ mailSettings }) =>
      mailSettings.save({ personId: owner.toState().personId, timeZone: 'UTC', switchedOff }),
    );
    expect(await told(fact('domain.renewal_failed'))).toEqual([]);
    expect(await told(fact('domain.transfer_out_requested'))).toEqual(['owner@example.com']);
  });

  it('are the operator alone for what concerns the whole service', async () => {
    await everyRole();
    const event = fact('registry.low_balance', {}, { accountId: OPERATOR_FEED, domain: null });
    expect(await told(event, ['ops@example.net'])).toEqual(['ops@example.net']);
  });

  it.each([
    ['ours.com', true],
    ['ours.co.uk', false],
  ])('of an expiry are the registrant of a gTLD, too: %s', async (name, isTold) => {
    await around.givenDomain({ id: DOMAIN.id, name });
    const registrant = around.storage.tables.domains.get(DOMAIN.id)?.registrant;
    await given('owner@example.com', 'owner');
    const addresses = await told({ ...expiring(30), domain: { id: DOMAIN.id, name } });
    expect(addresses.includes(registrant?.email.toLowerCase() ?? '')).toBe(isTold);
  });
});

describe('an API key that is about to expire', () => {
  it('is a notice within a week before, unless its whole life is short, and once', async () => {
    const around = new UseCaseContext();
    const { storage, clock } = around;
    const notices = new KeyExpiryNotices(storage.apiKeys, storage.mails, storage, clock);
    const now = clock.now();
    const add = (keyId: string, createdAt: Date, expiresAt: Date | null, unusedAfterDays?: number) =>
      storage.run(({ apiKeys }) =>
        apiKeys.add(
          ApiKey.fromState({
            keyId,
            accountId: OURS.accountId,
            name: keyId,
            trustRuleId: null,
            scope: 'READ',
            secretDigest: keyId,
            sealedTsigSecret: null,
            limits: unusedAfterDays === undefined ? null : { unusedAfterDays },
            createdAt,
            createdBy: null,
            revokedAt: null,
            expiresAt,
            lastUsedAt: null,
          }),
        ),
      );
    await add('soon', addDays(now, -60), addDays(now, 6));
    await add('unused', addDays(now, -28), null, 30);
    await add('later', addDays(now, -60), addDays(now, 8));
    await add('short', now, addDays(now, 6));
    await add('for-ever', addDays(now, -60), null);

    await notices.runDue();

    const stored = [...storage.tables.notices.values()].map(({ data }) => [data['key_id'], data['unused']]);
    expect(stored).toEqual([
      ['soon', false],
      ['unused', true],
    ]);
  });
});
