import type { EventFilter, EventPage } from '../../../src/application/ports/access/audit-and-events';
import type { AuditFact } from '../../../src/domain/access/audit-entry';
import type { EventFact } from '../../../src/domain/access/events/account-event';
import type { EventPlace } from '../../../src/domain/access/events/event-id';
import { Domain } from '../../../src/domain/registration/domain';
import { anAccount, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const EVENT: Omit<EventFact, 'accountId'> = {
  at: T0,
  actor: { kind: 'key', id: 'AbC-dEf_0123' },
  type: 'domain.renewed',
  domain: { id: 'dom_1', name: 'example.com' },
  data: { note: 'Ünïcode 🦆', none: null, list: [1, 2] },
};

const numbered = (accountId: string, numbers: readonly number[]) =>
  numbers.map((number) => ({ ...EVENT, accountId, data: { number } }));
const numbersOf = ({ events }: EventPage) => events.map(({ data }) => data['number']);

/** What every event log and feed must do. */
export function eventFeedContract(storage: () => StorageUnderTest): void {
  const append = (...facts: readonly EventFact[]) => storage().unitOfWork.run(({ events }) => events.append(...facts));
  const page = async (accountId: string, filter: EventFilter = {}, limit = 100, after?: EventPlace) => {
    const found = await storage().eventFeed.read(accountId, filter, limit, after);
    if ('removedTo' in found) throw new Error('the position is not in the feed');
    return found;
  };

  describe('the event feed', () => {
    it('returns events as they were appended, oldest first, with positions from 1', async () => {
      const accountId = await anAccount(storage());
      const facts: EventFact[] = [
        { ...EVENT, accountId },
        { ...EVENT, accountId, actor: { kind: 'service' }, type: 'key.revoked', domain: null, data: {} },
      ];

      await append(facts[0]!);
      await append(facts[1]!);

      const { events, more, readTo } = await page(accountId);
      expect(events).toEqual(facts.map((fact, index) => ({ ...fact, position: index + 1 })));
      expect({ more, readTo }).toEqual({ more: false, readTo: 2 });
    });

    it('has an event of each audit entry, without the values of contacts', async () => {
      const accountId = await anAccount(storage());
      const fact: AuditFact = {
        accountId,
        at: T0,
        actor: { kind: 'service' },
        action: 'domain.registrant_changed',
        domain: { id: 'dom_1', name: 'example.com' },
        subject: null,
        before: { registrant: { email: 'a@example.com' }, autoRenew: false },
        after: { registrant: { email: 'b@example.com' }, autoRenew: true },
      };

      await storage().unitOfWork.run(({ audit }) => audit.append(fact));

      expect((await page(accountId)).events).toMatchObject([
        {
          type: 'domain.changed',
          domain: { id: 'dom_1', name: 'example.com' },
          data: { changed: ['contacts', 'auto_renew'], before: { auto_renew: false }, after: { auto_renew: true } },
        },
      ]);
    });

    it('has many events of one unit of work in their order', async () => {
      const accountId = await anAccount(storage());
      const numbers = Array.from({ length: 50 }, (_item, index) => index);

      await append(...numbered(accountId, numbers));

      expect(numbersOf(await page(accountId))).toEqual(numbers);
    });

    it('continues after a position without a gap or a repetition', async () => {
      const accountId = await anAccount(storage());
      await append(...numbered(accountId, [1, 2, 3, 4, 5]));

      const first = await page(accountId, {}, 2);
      const second = await page(accountId, {}, 2, { feed: first.feed, position: first.readTo });
      await append(...numbered(accountId, [6]));
      const third = await page(accountId, {}, 2, { feed: first.feed, position: second.readTo });

      expect([first, second, third].map(numbersOf)).toEqual([
        [1, 2],
        [3, 4],
        [5, 6],
      ]);
      expect([first, second, third].map(({ more }) => more)).toEqual([true, true, false]);
    });

    it('is empty for an account without events, and does not show those of others', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      await append(...numbered(other, [1]));

      expect(await page(accountId)).toMatchObject({ events: [], more: false, readTo: 0 });
    });

    it('filters by type, by domain, by domain name, and by the tags that a domain has now', async () => {
      const accountId = await anAccount(storage());
      const [shop, blog] = ['shop', 'blog'].map((tag) => freshDomain(accountId, { tags: [tag] }).toState());
      await storage().unitOfWork.run(async ({ domains }) => {
        for (const state of [shop!, blog!]) await domains.add(Domain.fromState(state));
      });
      await append(
        { ...EVENT, accountId, data: { number: 1 }, domain: { id: shop!.id, name: shop!.name } },
        {
          ...EVENT,
          accountId,
          data: { number: 2 },
          domain: { id: blog!.id, name: blog!.name },
          type: 'domain.changed',
        },
        { ...EVENT, accountId, data: { number: 3 }, domain: null, type: 'key.created' },
      );
      const found = async (filter: EventFilter) => numbersOf(await page(accountId, filter));

      expect(await found({ types: ['key.created', 'domain.changed'] })).toEqual([2, 3]);
      expect(await found({ withoutTypes: ['key.created'] })).toEqual([1, 2]);
      expect(await found({ domainId: shop!.id })).toEqual([1]);
      expect(await found({ domainNames: [blog!.name] })).toEqual([2]);
      expect(await found({ domainNames: [] })).toEqual([]);
      expect(await found({ tags: ['shop', 'old'] })).toEqual([1]);
      expect(await found({ tags: ['shop'], withoutTypes: ['key.created', 'key.revoked'], ofDomains: true })).toEqual([
        1,
      ]);
      expect(await found({ ofDomains: true })).toEqual([1, 2]);
    });

    it('tells how far a page without matching events has read', async () => {
      const accountId = await anAccount(storage());
      await append(...numbered(accountId, [1, 2, 3]));

      expect(await page(accountId, { types: ['key.created'] })).toMatchObject({ events: [], readTo: 3, more: false });
    });

    it('rejects a position of another feed, and one that no event has', async () => {
      const accountId = await anAccount(storage());
      await append(...numbered(accountId, [1]));
      const { feed } = await page(accountId);

      const [foreign, future] = await Promise.all(
        [
          { feed: 'another000', position: 1 },
          { feed, position: 2 },
        ].map((after) => storage().eventFeed.read(accountId, {}, 10, after)),
      );

      expect([foreign, future]).toEqual([
        { feed, removedTo: 0 },
        { feed, removedTo: 0 },
      ]);
    });

    it('tells which accounts have news after a position', async () => {
      const [one, two, three] = [await anAccount(storage()), await anAccount(storage()), await anAccount(storage())];
      await append(...numbered(one, [1]), ...numbered(two, [1]), ...numbered(three, [1]));
      for (const account of [one, two, three]) await page(account);
      await append(...numbered(two, [2]));

      const news = await storage().eventFeed.haveNews(
        new Map([
          [one, 1],
          [two, 1],
          [three, 0],
        ]),
      );

      expect([...news].toSorted()).toEqual([two, three].toSorted());
    });

    it('has no events of a unit of work that was rolled back', async () => {
      const accountId = await anAccount(storage());

      const unit = storage().unitOfWork.run(async ({ events }) => {
        await events.append({ ...EVENT, accountId });
        throw new Error('undone');
      });

      await expect(unit).rejects.toThrow('undone');
      expect((await page(accountId)).events).toEqual([]);
    });
  });
}
