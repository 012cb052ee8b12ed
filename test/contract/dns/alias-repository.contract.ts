import { newTarget, type AliasTarget } from '../../../src/domain/dns/alias/alias-target';
import { DnsRecord, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';
import type { TargetGroup } from '../../../src/application/ports/dns/alias-repository';
import type { ZoneChange } from '../../../src/domain/dns/zone-change';
import type { Domain, DomainState } from '../../../src/domain/registration/domain';
import { after, anAccount, BY, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const FAR = after(1_000_000_000);
const NOTHING: ZoneChange = { added: [], changed: [], removed: [] };

function aRecord(domain: Domain, draft: Partial<RecordDraft> = {}): DnsRecord {
  return DnsRecord.create(
    { type: 'ALIAS', name: '@', content: 'lb.example.net', ...draft },
    domain.toState().name,
    fresh('rec_'),
    T0,
    ALL_TYPES,
  );
}

/** Contract of every store of ALIAS records, their targets and their addresses. */
export function aliasRepositoryContract(storage: () => StorageUnderTest): void {
  async function aZone(overrides: Partial<DomainState> = {}): Promise<Domain> {
    const domain = freshDomain(await anAccount(storage()), overrides);
    await storage().unitOfWork.run(async ({ domains, zones }) => {
      await domains.add(domain);
      await zones.create(domain.id, BY);
    });
    return domain;
  }
  const save = async (target: AliasTarget) =>
    storage().unitOfWork.run(async ({ aliases }) => {
      await aliases.addTargets([target]);
      await aliases.saveTargets([target]);
    });

  const dueOf = async (group: TargetGroup, ...of: readonly AliasTarget[]) =>
    (await storage().aliases.dueTargets(after(1), 1_000, group)).filter((due) =>
      of.some(({ target }) => target === due.target),
    );

  const apply = (domain: Domain, change: Partial<ZoneChange>) =>
    storage().unitOfWork.run(async ({ zones }) => {
      const zone = await zones.lock(domain.id);
      if (zone) await zones.apply([{ zone, change: { ...NOTHING, ...change }, by: BY }]);
    });
  const publishedIn = (domain: Domain) =>
    storage().publishedZones.withSnapshot(domain.toState().name, async (zone) => {
      const found: string[] = [];
      for await (const page of zone?.records() ?? [])
        found.push(...page.map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`));
      return found;
    });
  const statuses = async (domain: Domain) =>
    (await storage().aliases.statuses(domain.id)).map(({ name, target, addresses }) => ({ name, target, addresses }));

  describe('ALIAS records in storage', () => {
    it('are due when they are added, and have no addresses', async () => {
      const domain = await aZone();
      const target = `${fresh('t-')}.example.net`;

      await apply(domain, {
        added: [aRecord(domain, { content: target }), aRecord(domain, { type: 'MX', priority: 1 })],
      });

      const due = await storage().aliases.dueAliases(FAR, 1_000);
      expect(due.filter(({ domainId }) => domainId === domain.id)).toEqual([
        { domainId: domain.id, name: '@', target, addresses: {} },
      ]);
      expect(await storage().aliases.hasDue(FAR)).toBe(true);
      expect(await publishedIn(domain)).toEqual(['@ 3600 MX lb.example.net']);
    });

    it('show the addresses that they replace until their target is known', async () => {
      const domain = await aZone();
      const addresses = ['192.0.2.2', '192.0.2.1'].map((content) => aRecord(domain, { type: 'A', content, ttl: 120 }));
      await apply(domain, { added: addresses });

      await apply(domain, { added: [aRecord(domain)], removed: addresses });

      expect(await publishedIn(domain)).toEqual(['@ 120 A 192.0.2.1', '@ 120 A 192.0.2.2']);
    });

    it('are in the published zone as their addresses, in order of name and type', async () => {
      const domain = await aZone();
      await apply(domain, {
        added: [
          aRecord(domain, { name: 'b', ttl: 300 }),
          aRecord(domain, { name: 'b', type: 'TXT', content: 'text' }),
          aRecord(domain, { name: 'a', type: 'A', content: '192.0.2.9' }),
        ],
      });

      await storage().unitOfWork.run(({ aliases }) =>
        aliases.setAddresses(
          domain.id,
          [
            {
              name: 'b',
              addresses: { AAAA: { addresses: ['2001:db8::1'], ttl: 60 }, A: { addresses: ['192.0.2.1'], ttl: 900 } },
            },
          ],
          { serial: 3, at: T0 },
        ),
      );

      expect(await publishedIn(domain)).toEqual([
        'a 3600 A 192.0.2.9',
        'b 300 A 192.0.2.1',
        'b 60 AAAA 2001:db8::1',
        'b 3600 TXT text',
      ]);
      expect((await storage().aliases.dueAliases(FAR, 1_000)).filter(({ domainId }) => domainId === domain.id)).toEqual(
        [],
      );
    });

    it('keep their addresses when they change, and are gone with their record', async () => {
      const domain = await aZone();
      const [before, other] = [aRecord(domain), aRecord(domain, { name: 'other' })];
      await apply(domain, { added: [before, other] });
      const addresses = { A: { addresses: ['192.0.2.1'], ttl: 60 } };
      await storage().unitOfWork.run(async ({ aliases, zones }) => {
        await aliases.setAddresses(domain.id, [{ name: '@', addresses }], { serial: 3, at: T0 });
        await zones.raiseSerial(domain.id);
      });
      const changed = aRecord(domain, { content: 'new.example.net' });

      await apply(domain, { removed: [before, other], added: [changed] });
      const afterChange = await statuses(domain);
      await apply(domain, { removed: [changed] });

      expect(afterChange).toEqual([{ name: '@', target: 'new.example.net', addresses }]);
      expect(await statuses(domain)).toEqual([]);
    });

    it('become due page by page when their target has other addresses', async () => {
      const domain = await aZone();
      const target = `${fresh('t-')}.example.net`;
      const names = ['a', 'b', 'c'];
      await apply(domain, { added: names.map((name) => aRecord(domain, { name, content: target })) });
      await storage().unitOfWork.run(({ aliases }) => aliases.setDue(domain.id, names, null));

      const first = await storage().unitOfWork.run(({ aliases }) => aliases.makeDue(target, T0, 2));
      const last = await storage().unitOfWork.run(({ aliases }) => aliases.makeDue(target, T0, 2, first));

      const due = await storage().aliases.dueAliases(FAR, 1_000);
      expect(first).toEqual({ domainId: domain.id, name: 'b' });
      expect(last).toBeUndefined();
      expect(due.filter((alias) => alias.target === target).map(({ name }) => name)).toEqual(names);
    });

    it('are found by their absolute owner name', async () => {
      const domain = await aZone();
      const zoneName = domain.toState().name;
      await apply(domain, { added: [aRecord(domain, { content: 'a.example' }), aRecord(domain, { name: 'x.y' })] });

      const targets = await Promise.all(
        [zoneName, `x.y.${zoneName}`, `y.${zoneName}`, 'com'].map((name) => storage().aliases.targetAt(name)),
      );

      expect(targets).toEqual(['a.example', 'lb.example.net', undefined, undefined]);
    });

    it('are found by names that their wildcard covers (RFC 4592, section 3.3.1)', async () => {
      const domain = await aZone();
      const zoneName = domain.toState().name;
      const aliases = { '*': 'top.example', '*.w_': 'below.example' };
      const added = Object.entries(aliases).map(([name, content]) => aRecord(domain, { name, content }));
      for (const name of ['a.empty', 'wx.other', '*.address'])
        added.push(aRecord(domain, { type: 'A', name, content: '192.0.2.1' }));
      await apply(domain, { added });
      const targetAt = (name: string) => storage().aliases.targetAt(`${name}.${zoneName}`);

      expect(await Promise.all(['x', 'x.y', 'x.w_', 'x.y.w_'].map(targetAt))).toEqual([
        'top.example',
        'top.example',
        'below.example',
        'below.example',
      ]);
      expect(await Promise.all(['w_', 'empty', 'b.empty', 'a.empty', 'x.address'].map(targetAt))).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(await storage().aliases.targetAt(zoneName)).toBeUndefined();
    });
  });

  describe('targets of ALIAS records in storage', () => {
    it('are stored with their answers and their error, and are due in order', async () => {
      const [one, other] = [newTarget(`${fresh('t-')}.example`, after(1)), newTarget(`${fresh('t-')}.example`, T0)];
      const known: AliasTarget = {
        ...one,
        answers: { A: { addresses: ['192.0.2.1'], ttl: 60, answeredAt: T0 } },
        error: 'AAAA: the resolver did not respond',
        failingSince: T0,
        failures: 3,
        checkedAt: after(5),
      };

      await save(known);
      await storage().unitOfWork.run(({ aliases }) => aliases.addTargets([{ ...one, failures: 7 }, other]));

      expect(await storage().aliases.targets([one.target])).toEqual([known]);
      expect(await dueOf('unanswered', one, other)).toEqual([
        { ...other, isUsed: false },
        { ...known, isUsed: false },
      ]);
    });

    it('are due in two groups: answered at the last look-up, or failing and new', async () => {
      const [answered, failing, added] = ['t-', 't-', 't-'].map((prefix) =>
        newTarget(`${fresh(prefix)}.example`, T0),
      ) as [AliasTarget, AliasTarget, AliasTarget];
      const all = [{ ...answered, checkedAt: T0 }, { ...failing, checkedAt: T0, failures: 1 }, added];
      await storage().unitOfWork.run(({ aliases }) => aliases.addTargets(all));

      const namesOf = async (group: TargetGroup) => (await dueOf(group, ...all)).map(({ target }) => target).toSorted();

      expect(await namesOf('answered')).toEqual([answered.target]);
      expect(await namesOf('unanswered')).toEqual([failing.target, added.target].toSorted());
    });

    it('are removed only if no ALIAS record of a domain that has not ended has them', async () => {
      const [domain, ended] = [await aZone(), await aZone({ status: 'transferred_out' })];
      const [used, unused, former] = ['t-', 't-', 't-'].map((prefix) => `${fresh(prefix)}.example`) as [
        string,
        string,
        string,
      ];
      await apply(domain, { added: [aRecord(domain, { content: used })] });
      await apply(ended, { added: [aRecord(ended, { content: former })] });

      await storage().unitOfWork.run(async ({ aliases }) => {
        await aliases.addTargets([used, unused, former].map((target) => newTarget(target, T0)));
        await aliases.removeUnused([used, unused, former]);
      });

      expect((await storage().aliases.targets([used, unused, former])).map(({ target }) => target)).toEqual([used]);
    });

    it('show their error in the status of their ALIAS records', async () => {
      const domain = await aZone();
      const [failing, fine] = [`${fresh('t-')}.example`, `${fresh('t-')}.example`];
      await apply(domain, {
        added: [aRecord(domain, { content: failing }), aRecord(domain, { name: 'fine', content: fine })],
      });
      await save({ ...newTarget(failing, T0), error: 'a loop', failingSince: T0, checkedAt: after(1) });
      await save({ ...newTarget(fine, T0), checkedAt: after(1) });

      const [found, ...others] = await storage().aliases.failing(domain.id, 10);

      expect(found).toMatchObject({ name: '@', state: { error: 'a loop', failingSince: T0, checkedAt: after(1) } });
      expect(others).toEqual([]);
      expect(await storage().aliases.statuses(domain.id, ['fine'])).toMatchObject([
        { name: 'fine', state: { error: null } },
      ]);
    });
  });
}
