import type { AuditSearch } from '../../../src/application/ports/access/audit-and-events';
import type { ListPosition } from '../../../src/application/ports/storage/page';
import type { AuditEntry, AuditFact } from '../../../src/domain/access/audit-entry';
import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import { after, allOf, anAccount, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const FACT: Omit<AuditFact, 'accountId'> = {
  at: T0,
  actor: { kind: 'key', id: 'AbC-dEf_0123' },
  action: 'domain.nameservers_changed',
  domain: { id: 'dom_1', name: 'example.com' },
  subject: null,
  before: { nameservers: ['ns1.example.net'] },
  after: { nameservers: ['ns2.example.net'], note: 'Ünïcode 🦆', none: null, count: 3 },
};

const records = (...lines: readonly string[]) => ({ records: lines.map((line) => `@ 3600 ${line}`) });
const added = (at: number, subject: string, ...lines: readonly string[]) =>
  ({ ...FACT, at: after(at), subject, action: 'records.added', before: {}, after: records(...lines) }) as const;

/** What every audit log must do. */
export function auditLogContract(storage: () => StorageUnderTest): void {
  const append = (...facts: readonly AuditFact[]) =>
    storage().unitOfWork.run(async ({ audit }) => {
      for (const fact of facts) await audit.append(fact);
    });
  const appendTogether = (...facts: readonly AuditFact[]) =>
    storage().unitOfWork.run(({ audit }) => audit.append(...facts));
  const read = async (...page: Parameters<StorageUnderTest['audit']['page']>) =>
    (await storage().audit.page(...page)).map(({ id: _id, ...fact }) => fact);

  const subjectsOf = async (accountId: string, search: AuditSearch, limit = 10) => {
    const subjects: (string | null)[][] = [];
    let last: ListPosition | undefined;
    do {
      const { entries, searchedTo } = await storage().audit.search(accountId, search, limit, last);
      subjects.push(entries.map(({ subject }) => subject));
      last = searchedTo;
    } while (last);
    return subjects;
  };

  async function filled(): Promise<string> {
    const accountId = await anAccount(storage());
    const facts = [
      added(6, 'mail', 'MX 10 mx1.example.net.'),
      added(5, 'web', 'A 192.0.2.1', 'AAAA 2001:db8::1'),
      added(4, 'mail and web', 'A 192.0.2.1', 'MX 10 mx1.example.net.'),
      added(3, 'a text', 'TXT "an MX record"', 'A 192.0.2.1'),
      { ...added(2, 'a gone mail', 'MX 5 old.'), action: 'records.removed' as const, actor: { kind: 'service' } },
      {
        ...added(1, 'many', 'A 192.0.2.1'),
        after: { ...records('A 192.0.2.1'), more: 30, types: ['A', 'MX'] },
      } as const,
      { ...FACT, at: after(0), subject: 'nameservers', domain: { id: 'dom_2', name: 'other.com' } },
    ] as const;
    await append(...facts.map((fact) => ({ ...fact, accountId })), {
      ...added(6, 'of another account', 'MX 10 mx.'),
      accountId: await anAccount(storage()),
    });
    return accountId;
  }

  describe('the audit log', () => {
    it('returns an entry as it was appended, with a unique id', async () => {
      const accountId = await anAccount(storage());
      const facts: AuditFact[] = [
        { ...FACT, accountId, at: after(3) },
        {
          ...FACT,
          accountId,
          at: after(2),
          actor: { kind: 'operator' },
          action: 'key.revoked',
          domain: null,
          subject: 'AbC-dEf_0123',
          before: {},
          after: {},
        },
        { ...FACT, accountId, at: after(1), actor: { kind: 'service' } },
      ];

      await append(...facts);

      expect(await read(accountId, {}, 10)).toEqual(facts);
      expect(new Set((await storage().audit.page(accountId, {}, 10)).map(({ id }) => id)).size).toBe(3);
    });

    it('keeps the address of the client whose request made the change', async () => {
      const accountId = await anAccount(storage());
      const actor = { kind: 'user', id: 'usr_1' } as const;

      await append({ ...FACT, accountId, actor: { ...actor, address: '2001:db8::1' } });

      expect(await read(accountId, {}, 10)).toEqual([{ ...FACT, accountId, actor, clientAddress: '2001:db8::1' }]);
    });

    it('returns only the entries about domains that have one of some tags now', async () => {
      const accountId = await anAccount(storage());
      const [shop, other] = [{ tags: ['shop'] }, { tags: ['blog'] }].map((tags) =>
        freshDomain(accountId, tags).toState(),
      );
      await storage().unitOfWork.run(async ({ domains }) => {
        for (const state of [shop!, other!]) await domains.add(Domain.fromState(state));
      });
      const about = ({ id, name }: DomainState) => ({ ...FACT, accountId, domain: { id, name } });
      await append(about(shop!), about(other!), { ...FACT, accountId, domain: null });

      expect(await read(accountId, { tags: ['shop', 'old'] }, 10)).toEqual([about(shop!)]);
      expect(await read(accountId, { tags: ['old'] }, 10)).toEqual([]);
    });

    it('accepts several entries at once, and none', async () => {
      const accountId = await anAccount(storage());
      const facts: AuditFact[] = [
        { ...FACT, accountId, at: after(2) },
        { ...FACT, accountId, at: after(1), domain: null, subject: 'other' },
      ];

      await appendTogether();
      await appendTogether(...facts);

      expect(await read(accountId, {}, 10)).toEqual(facts);
    });

    it('pages from newest to oldest, without duplicates or gaps', async () => {
      const accountId = await anAccount(storage());
      const moments = [1, 2, 2, 2, 4, 3];
      await append(...moments.map((at, index) => ({ ...FACT, accountId, at: after(at), subject: String(index) })));

      const entries = await allOf<AuditEntry>((last) =>
        storage().audit.page(accountId, {}, 2, last && { id: last.id, createdAt: last.at }),
      );

      expect(entries.map(({ subject }) => subject)).toEqual(['4', '5', '3', '2', '1', '0']);
    });

    it('filters by domain and by actor, and shows an account its own entries only', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const domain = { id: fresh('dom_'), name: 'example.org' };
      await append(
        { ...FACT, accountId, at: after(4), subject: 'ours' },
        { ...FACT, accountId, at: after(3), subject: 'of the domain', domain },
        { ...FACT, accountId, at: after(2), subject: 'of the service', domain, actor: { kind: 'service' } },
        { ...FACT, accountId: other, at: after(1), subject: 'of another account', domain },
      );

      const subjects = async (filter: Parameters<StorageUnderTest['audit']['page']>[1]) =>
        (await read(accountId, filter, 10)).map(({ subject }) => subject);

      expect(await subjects({})).toEqual(['ours', 'of the domain', 'of the service']);
      expect(await subjects({ domainId: domain.id })).toEqual(['of the domain', 'of the service']);
      expect(await subjects({ domainId: domain.id, actor: 'service' })).toEqual(['of the service']);
      expect(await subjects({ actor: 'key:AbC-dEf_0123' })).toEqual(['ours', 'of the domain']);
      expect(await subjects({ actor: 'key:abc-def_0123' })).toEqual([]);
    });

    it('filters by action, by time, and by domain name, including earlier domains of that name', async () => {
      const accountId = await anAccount(storage());
      const [former, present] = [
        { id: fresh('dom_'), name: 'again.org' },
        { id: fresh('dom_'), name: 'again.org' },
      ];
      await append(
        { ...FACT, accountId, at: after(4), subject: 'present', domain: present, action: 'domain.renewed' },
        { ...FACT, accountId, at: after(3), subject: 'former', domain: former },
        { ...FACT, accountId, at: after(2), subject: 'of no domain', domain: null, action: 'key.revoked' },
        {
          ...FACT,
          accountId,
          at: after(1),
          subject: 'of another name',
          domain: { id: fresh('dom_'), name: 'again.org.com' },
        },
      );

      const subjects = async (filter: Parameters<StorageUnderTest['audit']['page']>[1]) =>
        (await read(accountId, filter, 10)).map(({ subject }) => subject);

      expect(await subjects({ domainName: 'again.org' })).toEqual(['present', 'former']);
      expect(await subjects({ action: 'domain.renewed' })).toEqual(['present']);
      expect(await subjects({ since: after(2) })).toEqual(['present', 'former', 'of no domain']);
      expect(await subjects({ before: after(2) })).toEqual(['of another name']);
      expect(
        await subjects({ since: after(2), domainName: 'again.org', action: 'domain.nameservers_changed' }),
      ).toEqual(['former']);
    });

    describe('searched for several conditions', () => {
      it('finds changes of records of a type, also among changes of several types', async () => {
        const accountId = await filled();

        expect(await subjectsOf(accountId, { recordType: 'MX' })).toEqual([
          ['mail', 'mail and web', 'a gone mail', 'many'],
        ]);
        expect(await subjectsOf(accountId, { recordType: 'AAAA' })).toEqual([['web']]);
        expect(await subjectsOf(accountId, { recordType: 'SRV' })).toEqual([[]]);
      });

      it('combines conditions', async () => {
        const accountId = await filled();
        const domainNames = ['other.com', 'example.com'];

        expect(await subjectsOf(accountId, { recordType: 'MX', actions: ['records.removed'] })).toEqual([
          ['a gone mail'],
        ]);
        expect(
          await subjectsOf(accountId, { actions: ['records.removed', 'domain.nameservers_changed'], domainNames }),
        ).toEqual([['a gone mail', 'nameservers']]);
        expect(await subjectsOf(accountId, { actions: ['records.added'], actor: 'service' })).toEqual([[]]);
        expect(await subjectsOf(accountId, { recordType: 'MX', domainNames: ['other.com'] })).toEqual([[]]);
        expect(await subjectsOf(accountId, { recordType: 'MX', actor: 'service', before: after(6) })).toEqual([
          ['a gone mail'],
        ]);
        expect(await subjectsOf(accountId, { recordType: 'MX', since: after(4), tags: ['none'] })).toEqual([[]]);
      });

      it.each([
        [
          'by type',
          { recordType: 'MX' },
          [
            ['mail', 'mail and web'],
            ['a gone mail', 'many'],
          ],
        ],
        [
          'by actions',
          { actions: ['records.added', 'records.removed', 'domain.nameservers_changed'] },
          [['mail', 'web'], ['mail and web', 'a text'], ['a gone mail', 'many'], ['nameservers']],
        ],
        [
          'by name',
          { domainNames: ['example.com', 'other.com'], recordType: 'A' },
          [
            ['web', 'mail and web'],
            ['a text', 'many'],
          ],
        ],
      ] as const)('pages from newest to oldest, without duplicates or gaps: %s', async (_how, search, pages) => {
        const found = await subjectsOf(await filled(), search, 2);

        expect(found.filter((page) => page.length > 0)).toEqual(pages);
      });
    });

    it('has no entries of a unit of work that was rolled back', async () => {
      const accountId = await anAccount(storage());

      const unit = storage().unitOfWork.run(async ({ audit }) => {
        await audit.append({ ...FACT, accountId });
        throw new Error('undone');
      });

      await expect(unit).rejects.toThrow('undone');
      expect(await read(accountId, {}, 10)).toEqual([]);
    });
  });
}
