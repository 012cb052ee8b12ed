import { raisePublishedVersions } from '../../../src/application/publishing/raise-published-versions';
import type { CatalogMember, ChangedZone, ZoneState } from '../../../src/application/ports/dns/publishing';
import type { ZoneChange } from '../../../src/domain/dns/zone-change';
import { DnsRecord, type DnsRecordState, type RecordDraft } from '../../../src/domain/dns/records/dns-record';
import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { anAccount, BY, fresh, freshDomain, type StorageUnderTest, T0 } from '../storage-under-test';

/** Many readers take a zone page by page: this is more than a page. */
const MANY = 2_100;
const AT_ONCE = 300;
const MANY_ZONES = 1_100;

/** Contract of every reader of published zones. */
export function publishedZonesContract(storage: () => StorageUnderTest): void {
  async function aZone(overrides: Partial<DomainState> = {}): Promise<Domain> {
    const domain = freshDomain(await anAccount(storage()), overrides);
    await storage().unitOfWork.run(async ({ domains, zones }) => {
      await domains.add(domain);
      await zones.create(domain.id, BY);
    });
    return domain;
  }

  const change = (domain: Domain, part: Partial<DomainState>) =>
    storage().unitOfWork.run(async ({ domains, zones }) => {
      const locked = await domains.lockAny(domain.id);
      if (!locked) throw new Error(`there is no domain ${domain.id}`);
      const before = locked.toState();
      const after = { ...before, ...part };
      await domains.save(Domain.fromState(after));
      await raisePublishedVersions({ domains, zones }, before, after, BY, () => fresh('rec_'));
    });
  const applyChange = (domain: Domain, change: Partial<ZoneChange>) =>
    storage().unitOfWork.run(async ({ zones }) => {
      const zone = await zones.lock(domain.id);
      if (zone) await zones.apply([{ zone, change: { added: [], changed: [], removed: [], ...change }, by: BY }]);
    });
  const addRecords = async (domain: Domain, ...drafts: readonly Partial<RecordDraft>[]) => {
    const zoneName = nameOf(domain);
    const added = drafts.map((draft) =>
      DnsRecord.create({ type: 'A', name: 'www', content: '192.0.2.1', ...draft }, zoneName, fresh('rec_'), T0),
    );
    await applyChange(domain, { added });
  };
  const allRecords = (domain: Domain) =>
    storage().publishedZones.withSnapshot(nameOf(domain), (zone) => collected<DnsRecordState>(zone?.records()));
  /** The nameservers then, and the contents before and after of each changed name. */
  const differenceFrom = (domain: Domain, serial: number) =>
    storage().publishedZones.withSnapshot(nameOf(domain), async (zone) => {
      const found = await zone?.differenceFrom(serial, []);
      const changed = found?.rrsets.map(
        ({ name, before, after }) => [name, [contentsOf(before), contentsOf(after)]] as const,
      );
      return {
        nameservers: found?.nameservers,
        ...Object.fromEntries((changed ?? []).filter(([, [before, after]]) => before.join() !== after.join())),
      };
    });
  const find = (domain: Domain) => storage().publishedZones.find(nameOf(domain));
  const members = () => storage().publishedZones.withCatalog((catalog) => collected<CatalogMember>(catalog.members()));

  describe('published zones', () => {
    it('returns a zone with its account, its serial and the delegation of its domain', async () => {
      const domain = await aZone({ nameservers: ['ns2.example.net', 'ns1.example.net'] });
      await addRecords(domain, {});

      expect(await find(domain)).toEqual({
        domainId: domain.id,
        accountId: domain.toState().accountId,
        zoneName: nameOf(domain),
        serial: 2,
        nameservers: ['ns2.example.net', 'ns1.example.net'],
        tags: [],
      });
    });

    it.each<DomainStatus>(['active', 'expired'])('serves the zone of a domain that is %s', async (status) => {
      const domain = await aZone({ status });

      expect(await find(domain)).toMatchObject({ domainId: domain.id });
      expect(await members()).toContainEqual({ domainId: domain.id, zoneName: nameOf(domain) });
    });

    it.each<DomainStatus>(['pending', 'redemption', 'pending_delete', 'transferred_out', 'gone'])(
      'serves no zone of a domain that is %s',
      async (status) => {
        const domain = await aZone({ status });

        expect(await find(domain)).toBeUndefined();
        expect(await members()).not.toContainEqual({ domainId: domain.id, zoneName: nameOf(domain) });
        expect(await storage().publishedZones.withSnapshot(nameOf(domain), async (zone) => zone)).toBeUndefined();
      },
    );

    it('raises the version of a zone, but not of the catalog, for a new delegation', async () => {
      const domain = await aZone();
      const catalogVersion = await storage().publishedZones.catalogVersion();

      await change(domain, { nameservers: ['a.example.org', 'b.example.org'] });

      expect(await find(domain)).toMatchObject({ serial: 2, nameservers: ['a.example.org', 'b.example.org'] });
      expect(await storage().records.find(domain.id)).toMatchObject({ version: 2, serial: 2 });
      expect(await storage().publishedZones.catalogVersion()).toBe(catalogVersion);
    });

    it('moves the NS records that repeat the delegation to new nameservers, in the version of the new delegation', async () => {
      const domain = await aZone({ nameservers: ['ns1.example.net', 'ns2.example.net'] });
      const ns = { type: 'NS', name: '@', ttl: 1800 };
      await addRecords(domain, { ...ns, content: 'ns1.example.net' }, { ...ns, content: 'ns2.example.net' });

      await change(domain, { nameservers: ['ns2.example.net', 'ns3.example.net', 'ns4.example.net'] });

      const stored = await storage().records.page(domain.id, { type: 'NS' }, 10);
      expect(stored.map(({ ttl, content }) => `${ttl} ${content}`).toSorted()).toEqual(
        ['ns2', 'ns3', 'ns4'].map((host) => `1800 ${host}.example.net`),
      );
      expect(await storage().records.find(domain.id)).toMatchObject({ version: 3, serial: 3, recordCount: 3 });
      expect(await differenceFrom(domain, 2)).toEqual({
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        '@': [
          ['ns1.example.net', 'ns2.example.net'],
          ['ns2.example.net', 'ns3.example.net', 'ns4.example.net'],
        ],
      });
      const [version] = await storage().zoneHistory.page(domain.id, 1);
      expect(version).toMatchObject({
        version: 3,
        added: 1,
        changed: 1,
        removed: 0,
        nameserversBefore: ['ns1.example.net', 'ns2.example.net'],
      });
      await storage().zoneHistory.withPast({ accountId: 'acc_1', domainId: domain.id }, async (past) => {
        expect(await past.nameserversAt(2)).toEqual(['ns1.example.net', 'ns2.example.net']);
        expect(await past.nameserversAt(3)).toBeUndefined();
      });
    });

    it('keeps both versions for a change that is not published', async () => {
      const domain = await aZone();
      const catalogVersion = await storage().publishedZones.catalogVersion();

      await change(domain, { autoRenew: false });
      await change(domain, { status: 'expired' });

      expect(await find(domain)).toMatchObject({ serial: 1 });
      expect(await storage().publishedZones.catalogVersion()).toBe(catalogVersion);
    });

    it('raises the version of the catalog if a domain begins or ceases to be served', async () => {
      const domain = await aZone({ status: 'pending' });
      const versions = [await storage().publishedZones.catalogVersion()];

      for (const status of ['active', 'redemption'] as const) {
        await change(domain, { status });
        versions.push(await storage().publishedZones.catalogVersion());
      }

      expect(versions.map((version) => version - versions[0]!)).toEqual([0, 1, 2]);
      expect(await storage().publishedZones.withCatalog(async ({ version }) => version)).toBe(versions.at(-1));
    });

    it('leaves the versions of zone and catalog as they are while a domain is only saved', async () => {
      const domain = await aZone();
      const catalogVersion = await storage().publishedZones.catalogVersion();

      await storage().unitOfWork.run(async ({ domains }) => {
        const { id } = domain;
        const locked = await domains.lockAny(id);
        await domains.save(
          Domain.fromState({ ...locked!.toState(), status: 'redemption', nameservers: ['ns1.example.org'] }),
        );
      });

      expect(await storage().records.find(domain.id)).toMatchObject({ version: 1, serial: 1 });
      expect(await storage().publishedZones.catalogVersion()).toBe(catalogVersion);
    });

    it('starts the zone of a name after the version and the serial of every earlier zone of that name', async () => {
      const former = await aZone();
      await addRecords(former, {}, { content: '192.0.2.2' });
      await addRecords(former, { content: '192.0.2.3' });
      await storage().unitOfWork.run(({ zones }) => zones.raiseSerial(former.id));
      await change(former, { status: 'gone' });
      const last = (await storage().records.find(former.id))?.serial ?? Number.NaN;

      const successor = await aZone({ name: nameOf(former) });

      expect(await storage().records.find(successor.id)).toMatchObject({ version: last + 1, serial: last + 1 });
    });

    it('returns the records of a zone by name and then by type, and the NS records at the apex separately', async () => {
      const domain = await aZone();
      await addRecords(
        domain,
        { name: 'www', type: 'TXT', content: 'text' },
        { name: 'www' },
        { name: 'mail' },
        { name: '@', type: 'NS', content: 'ns9.example.net' },
        { name: '@', type: 'MX', content: 'mail.example.net', priority: 1 },
        { name: 'child', type: 'NS', content: 'ns9.example.net' },
      );

      const [records, root] = await storage().publishedZones.withSnapshot(
        nameOf(domain),
        async (zone) => [await collected<DnsRecordState>(zone?.records()), await zone?.rootNameservers()] as const,
      );

      expect(records.map(({ name, type }) => `${name} ${type}`)).toEqual([
        '@ MX',
        '@ NS',
        'child NS',
        'mail A',
        'www A',
        'www TXT',
      ]);
      expect(root?.map(({ name, type, content }) => [name, type, content])).toEqual([['@', 'NS', 'ns9.example.net']]);
    });

    it('reports whether a zone has a record at a name or below it, and takes the name literally', async () => {
      const domain = await aZone();
      await addRecords(domain, { name: 'a.b_c' });
      const has = (name: string) => storage().publishedZones.hasName(domain.id, name);

      expect(await Promise.all(['a.b_c', 'b_c', 'c', 'a', 'bxc', '%', '!', '\\', 'b\\_c'].map(has))).toEqual([
        true,
        true,
        ...Array.from({ length: 7 }, () => false),
      ]);
    });

    it('returns the RRsets that lead from each earlier version of a zone to the current one', async () => {
      const domain = await aZone({ nameservers: ['ns1.example.net', 'ns2.example.net'] });
      const at = async (name: string) =>
        (await allRecords(domain)).filter((record) => record.name === name).map((state) => DnsRecord.fromState(state));
      await addRecords(domain, { name: 'www' }, { name: 'mail' }, { name: 'other' });
      await addRecords(domain, { name: 'www', content: '192.0.2.2' });
      await change(domain, { nameservers: ['a.example.org', 'b.example.org'] });
      await applyChange(domain, { removed: await at('mail') });
      await addRecords(domain, { name: 'mail', content: '192.0.2.3' }, { name: 'brief' });
      await applyChange(domain, { removed: await at('brief') });

      const differences = await Promise.all([2, 3, 4, 5, 6, 7].map((serial) => differenceFrom(domain, serial)));

      const delegation = ['ns1.example.net', 'ns2.example.net'];
      const now = ['a.example.org', 'b.example.org'];
      const [mail, mailNow] = [['192.0.2.1'], ['192.0.2.3']];
      expect(differences).toEqual([
        { nameservers: delegation, www: [['192.0.2.1'], ['192.0.2.1', '192.0.2.2']], mail: [mail, mailNow] },
        { nameservers: delegation, mail: [mail, mailNow] },
        { nameservers: now, mail: [mail, mailNow] },
        { nameservers: now, mail: [[], mailNow] },
        { nameservers: now, brief: [['192.0.2.1'], []] },
        { nameservers: now },
      ]);
    });

    it('leaves changes of comments out of the difference, and of the serials that it leads from', async () => {
      const domain = await aZone();
      await addRecords(domain, { name: 'www' });
      const comment = async (text: string) => {
        const [before] = (await allRecords(domain)).map((state) => DnsRecord.fromState(state));
        const after = before!.copy();
        after.change({ comment: text }, nameOf(domain), T0);
        await applyChange(domain, { changed: [{ before: before!, after }] });
      };
      await comment('one');
      await addRecords(domain, { name: 'mail' });
      for (const text of ['two', 'three', 'four']) await comment(text);
      await addRecords(domain, { name: 'other' });
      await comment('five');

      expect(await find(domain)).toMatchObject({ serial: 4 });
      const nameservers = (await find(domain))?.nameservers;
      const [mail, other] = [{ mail: [[], ['192.0.2.1']] }, { other: [[], ['192.0.2.1']] }];
      expect(await Promise.all([2, 3, 4].map((serial) => differenceFrom(domain, serial)))).toEqual([
        { nameservers, ...mail, ...other },
        { nameservers, ...other },
        { nameservers },
      ]);
    });

    it('returns no difference to a version that it does not know', async () => {
      const domain = await aZone();
      await addRecords(domain, {});
      const unknown = await storage().publishedZones.withSnapshot(nameOf(domain), async (zone) => [
        await zone?.differenceFrom(0, []),
        await zone?.differenceFrom(3, []),
        await zone?.differenceFrom(2 ** 31 + 1_000, []),
      ]);

      expect(unknown).toEqual([undefined, undefined, undefined]);
    });

    it('returns the domains that joined or left the catalog since a serial', async () => {
      const { publishedZones } = storage();
      const [joins, leaves, returns] = [await aZone({ status: 'pending' }), await aZone(), await aZone()];
      const serial = await publishedZones.catalogVersion();
      await change(returns, { status: 'redemption' });
      await change(returns, { status: 'active' });
      await change(joins, { status: 'active' });
      await change(leaves, { status: 'redemption' });

      expect(await publishedZones.catalogDifference(serial)).toEqual({
        version: serial + 4,
        added: [memberOf(joins)],
        removed: [memberOf(leaves)],
      });
      expect(await publishedZones.catalogDifference(serial + 4)).toEqual({
        version: serial + 4,
        added: [],
        removed: [],
      });
      expect(await publishedZones.catalogDifference(serial + 5)).toBeUndefined();
      expect(await publishedZones.catalogDifference(0)).toBeUndefined();
    });

    it('returns all records of a large zone without duplicates', async () => {
      const domain = await aZone();
      const drafts = Array.from({ length: MANY }, (_, index) => ({
        name: `host-${index % 7}`,
        content: `10.0.${index >> 8}.${index & 255}`,
      }));
      for (let start = 0; start < MANY; start += AT_ONCE)
        await addRecords(domain, ...drafts.slice(start, start + AT_ONCE));

      const records = await storage().publishedZones.withSnapshot(nameOf(domain), (zone) =>
        collected<DnsRecordState>(zone?.records()),
      );

      expect(records.map(({ content }) => content).toSorted()).toEqual(drafts.map(({ content }) => content).toSorted());
      expect(records.map(({ name }) => name)).toEqual(drafts.map(({ name }) => name).toSorted());
    });

    it('lists very many zones completely and without duplicates, also by the time of their change', async () => {
      storage().clock.advance({ ms: 1 });
      const moment = storage().clock.now();
      const accountId = await anAccount(storage());
      const domains = Array.from({ length: MANY_ZONES }, () => freshDomain(accountId));
      await storage().unitOfWork.run(async (stores) => {
        for (const domain of domains) {
          await stores.domains.add(domain);
          await stores.zones.create(domain.id, BY);
        }
      });

      const ours = new Set(domains.map(({ id }) => id));
      const listed = (await members()).map(({ domainId }) => domainId).filter((id) => ours.has(id));
      const changed = await collected<ZoneState>(storage().publishedZones.changedSince(moment));

      expect(listed).toHaveLength(MANY_ZONES);
      expect(new Set(listed).size).toBe(MANY_ZONES);
      expect(changed.map(({ domainId }) => domainId)).toEqual(listed);
    });

    it('lists changed zones by the time of their change', async () => {
      const { clock, publishedZones } = storage();
      clock.advance({ ms: 1 });
      const moment = clock.now();
      const [one, other] = [await aZone(), await aZone()];
      clock.advance({ ms: 1 });
      await addRecords(one, {});

      const zones = await collected<ChangedZone>(publishedZones.changedSince(moment));

      expect(zones.map(({ domainId, changedAt }) => [domainId, changedAt.getTime() - moment.getTime()])).toEqual([
        [other.id, 0],
        [one.id, 1],
      ]);
    });

    it('reads a zone as of one moment, despite commits during the read', async () => {
      const domain = await aZone();
      await addRecords(domain, { content: '192.0.2.1' });

      const seen = await storage().publishedZones.withSnapshot(nameOf(domain), async (zone) => {
        await addRecords(domain, { content: '192.0.2.2' });
        return {
          serial: zone?.serial,
          contents: (await collected<DnsRecordState>(zone?.records())).map(({ content }) => content),
        };
      });

      expect(seen).toEqual({ serial: 2, contents: ['192.0.2.1'] });
      expect(await find(domain)).toMatchObject({ serial: 3 });
    });

    it('reads the catalog as of one moment, despite commits during the read', async () => {
      const domain = await aZone();

      const seen = await storage().publishedZones.withCatalog(async (catalog) => {
        await change(domain, { status: 'redemption' });
        return (await collected<CatalogMember>(catalog.members())).map(({ domainId }) => domainId);
      });

      expect(seen).toContain(domain.id);
      expect((await members()).map(({ domainId }) => domainId)).not.toContain(domain.id);
    });

    it('returns the current state of every zone changed at or after a time, and no older one', async () => {
      const { clock, publishedZones } = storage();
      const older = await aZone();
      clock.advance({ ms: 1 });
      const moment = clock.now();
      const [then, unserved] = [await aZone(), await aZone({ status: 'redemption' })];
      clock.advance({ ms: 1 });
      const [since, redelegated] = [await aZone(), await aZone()];
      await addRecords(since, {});
      await change(redelegated, { nameservers: ['a.example.org', 'b.example.org'] });

      const zones = await collected<ZoneState>(publishedZones.changedSince(moment));

      const ours = [older, then, unserved, since, redelegated].map(({ id }) => id);
      expect(
        zones.filter(({ domainId }) => ours.includes(domainId)).map(({ domainId, serial }) => [domainId, serial]),
      ).toEqual([
        [then.id, 1],
        [since.id, 2],
        [redelegated.id, 2],
      ]);
    });
  });
}

function contentsOf(records: readonly DnsRecordState[]): readonly string[] {
  return records.map(({ content }) => content).toSorted();
}

function memberOf(domain: Domain): CatalogMember {
  return { domainId: domain.id, zoneName: nameOf(domain) };
}

function nameOf(domain: Domain): string {
  return domain.toState().name;
}

async function collected<T>(pages: AsyncIterable<readonly T[]> | undefined): Promise<readonly T[]> {
  const items: T[] = [];
  if (pages) for await (const page of pages) items.push(...page);
  return items;
}
