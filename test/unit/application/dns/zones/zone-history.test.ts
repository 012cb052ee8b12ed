import { setImmediate } from 'node:timers/promises';
import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { turnsUntil } from '../../../../support/turns-until';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';

/** A key for the records of one name. */
const limitedTo = (name: string) =>
  ({ accountId: OURS.accountId, actor: { kind: 'key', id: 'k', limits: { names: [name] } } }) as const;

describe('the past of a zone', () => {
  let around: UseCaseContext;
  let www: string;
  const cases = () => dnsUseCases(around);
  const add = async (draft: Partial<RecordDraft>) =>
    (
      await cases().addRecord.execute({
        ...OURS,
        domainId: 'dom_1',
        draft: { type: 'A', name: 'www', content: '192.0.2.1', ...draft },
      })
    ).result.id;
  const restore = (version: number, rest: object = {}) =>
    cases().restoreVersion.execute({ ...OURS, domainId: 'dom_1', version, ...rest });
  const importing = (...lines: readonly string[]) =>
    cases().importZoneFile.execute({ ...OURS, domainId: 'dom_1', text: `${lines.join('\n')}\n` });
  /** Those of a key for the records of `name`. */
  const list = (name: string, limit: number, before?: number) =>
    cases().readZoneHistory.page(limitedTo(name), 'dom_1', { limit, before });
  const at = (version: number) => cases().readZoneHistory.version(OURS, 'dom_1', version);
  const lines = (records = around.storage.tables.zones.get('dom_1')?.records) =>
    records?.map(({ id, name, ttl, content }) => `${id} ${name} ${ttl} ${content}`).toSorted();

  /** Version 2 adds www, 3 changes it, 4 adds mail, 5 removes www. */
  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
    www = await add({});
    around.clock.advance({ days: 1 });
    await cases().changeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: www, patch: { ttl: 60 } });
    around.clock.advance({ days: 1 });
    await add({ name: 'mail' });
    around.clock.advance({ days: 1 });
    await cases().removeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: www });
  });

  it('lists every version, newest first, with its time, actor and number of records', async () => {
    const { versions } = await cases().readZoneHistory.page(OURS, 'dom_1', { limit: 10 });

    expect(versions.map(({ version, added, changed, removed }) => [version, added, changed, removed])).toEqual([
      [5, 0, 0, 1],
      [4, 1, 0, 0],
      [3, 0, 1, 0],
      [2, 1, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect(versions[0]).toMatchObject({ actor: OURS.actor, at: around.clock.now() });
  });

  it('reads versions for a key for some records one at a time, with other work in between', async () => {
    expect(await turnsUntil(list('www', 10))).toBeGreaterThanOrEqual(5);
    expect(await turnsUntil(cases().readZoneHistory.page(OURS, 'dom_1', { limit: 10 }))).toBeLessThan(5);
  });

  it('reads two versions of an account at once, so that the reads of another account need not wait for it', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'other.example', accountId: STRANGER.accountId });
    const started: string[] = [];
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const { zoneHistory } = around.storage;
    const withPast = zoneHistory.withPast.bind(zoneHistory);
    jest.spyOn(zoneHistory, 'withPast').mockImplementation(async (zone, use) => {
      started.push(zone.domainId);
      await opened;
      return withPast(zone, use);
    });

    const { readZoneHistory } = cases();
    const ours = [5, 4, 3, 2, 1].map((version) => readZoneHistory.version(OURS, 'dom_1', version));
    const theirs = readZoneHistory.version(STRANGER, 'dom_2', 1);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    const atOnce = started.toSorted();
    gate.open?.();

    expect(atOnce).toEqual(['dom_1', 'dom_1', 'dom_2']);
    expect((await Promise.all([...ours, theirs])).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1, 1]);
  });

  it('dates a restored or confirmed record by the time of that change', async () => {
    around.clock.advance({ days: 1 });

    const { result } = await restore(2);

    expect(result.added.map((record) => record.toState())).toMatchObject([
      { id: www, ttl: 3600, updatedAt: around.clock.now() },
    ]);
    expect(around.storage.tables.zones.get('dom_1')?.records.find(({ id }) => id === www)?.updatedAt).toEqual(
      around.clock.now(),
    );
  });

  it('rolls back the TTL of the apex NS set, but not the delegation that its records repeat', async () => {
    await importing('@ 1800 NS ns1.example.net.', '@ 1800 NS ns2.example.net.');
    await around.givenNameservers('dom_1', ['ns1.example.net', 'ns3.example.net']);
    await importing('@ 600 NS ns1.example.net.', '@ 600 NS ns3.example.net.');

    await restore(6);

    const apexNs = around.storage.tables.zones.get('dom_1')?.records.map(({ ttl, content }) => `${ttl} ${content}`);
    expect(apexNs?.toSorted()).toEqual(['1800 ns1.example.net', '1800 ns3.example.net']);
  });

  it('continues below a version', async () => {
    const { versions } = await cases().readZoneHistory.page(OURS, 'dom_1', { limit: 2, before: 4 });

    expect(versions.map(({ version }) => version)).toEqual([3, 2]);
  });

  it('lists for a key that may see some records the versions that changed those, with pages of the asked size', async () => {
    expect((await list('www', 10)).versions.map(({ version }) => version)).toEqual([5, 3, 2]);
    expect(await list('mail', 10)).toMatchObject({ versions: [{ version: 4, added: 1 }], next: undefined });
    expect(await list('other', 10)).toEqual({ versions: [], next: undefined });
    const first = await list('www', 2);
    expect(first).toMatchObject({ versions: [{ version: 5 }, { version: 3 }], next: 3 });
    expect(await list('www', 2, first.next)).toMatchObject({ versions: [{ version: 2 }], next: undefined });
  });

  it('reads a limited number of versions for one page of a key that sees none of them, and continues after them', async () => {
    for (let ttl = 100; ttl < 700; ttl += 1) {
      const [mail] = around.storage.tables.zones.get('dom_1')?.records ?? [];
      await cases().changeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: mail?.id ?? '', patch: { ttl } });
    }

    const first = await list('www', 10);

    expect(first).toEqual({ versions: [], next: 106 });
    expect((await list('www', 10, first.next)).versions.map(({ version }) => version)).toEqual([5, 3, 2]);
  });

  it('shows the records as they were at each version', async () => {
    const records = await Promise.all(
      [1, 2, 3, 4, 5].map(async (version) => (await at(version)).records.map(({ name, ttl }) => `${name} ${ttl}`)),
    );

    expect(records).toEqual([[], ['www 3600'], ['www 60'], ['www 60', 'mail 3600'], ['mail 3600']]);
  });

  it('lists the versions that changed one record, with the counts of its changes, also after it was removed', async () => {
    const page = (recordId: string, query = {}) =>
      cases().readZoneHistory.page(OURS, 'dom_1', { limit: 10, recordId, ...query });
    await importing('new 60 A 192.0.2.7', 'mail 60 A 192.0.2.1');
    const mail = around.storage.tables.zones.get('dom_1')?.records.find(({ name }) => name === 'mail')?.id ?? '';

    const counts = ({ versions }: Awaited<ReturnType<typeof page>>) =>
      versions.map(({ version, added, changed, removed }) => [version, added, changed, removed]);
    expect(counts(await page(www))).toEqual([
      [5, 0, 0, 1],
      [3, 0, 1, 0],
      [2, 1, 0, 0],
    ]);
    expect(counts(await page(mail))).toEqual([
      [6, 0, 1, 0],
      [4, 1, 0, 0],
    ]);
    expect(counts(await page(mail, { before: 6 }))).toEqual([[4, 1, 0, 0]]);
    expect(await page('rec_none')).toEqual({ versions: [], next: undefined });
    const hidden = cases().readZoneHistory.page(limitedTo('www'), 'dom_1', { limit: 10, recordId: mail });
    expect((await hidden).versions).toEqual([]);
  });

  it('begins at the last change of a record, however many versions came after it', async () => {
    const mail = around.storage.tables.zones.get('dom_1')?.records[0]?.id ?? '';
    for (let index = 0; index < 510; index += 1) await add({ name: `later${index}` });

    const { versions } = await cases().readZoneHistory.page(OURS, 'dom_1', { limit: 10, recordId: mail });

    expect(versions.map(({ version }) => version)).toEqual([4]);
  });

  it('shows the change that made a version', async () => {
    const { changes } = await at(3);

    expect(changes).toMatchObject([{ before: { id: www, ttl: 3600 }, after: { id: www, ttl: 60 } }]);
  });

  it.each([0, 6, -1])('has no version %d, and says which are kept', async (version) => {
    await expect(at(version)).rejects.toMatchObject({
      code: 'VERSION_NOT_FOUND',
      details: 'Versions 1 to 5 are available',
    });
    await expect(restore(version)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
  });

  it("does not show another account's zone history", async () => {
    await expect(cases().readZoneHistory.page(STRANGER, 'dom_1', { limit: 10 })).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
    await expect(cases().readZoneHistory.version(STRANGER, 'dom_1', 2)).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
    await expect(restore(2, STRANGER)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
  });

  it('comes back by a restore, under the same ids, as a new version', async () => {
    const before = lines((await at(3)).records);

    const { zoneVersion } = await restore(3);

    expect(zoneVersion).toBe(6);
    expect(lines()).toEqual(before);
    expect(around.publisher.announced.at(-1)).toMatchObject({ serial: 6 });
    expect(around.auditEntries.at(-1)).toMatchObject({ ...OURS, action: 'zone.changed' });
  });

  it('can be restored past a restore, back and forth', async () => {
    const last = lines();
    await restore(1);
    expect(lines()).toEqual([]);

    await restore(5);

    expect(lines()).toEqual(last);
  });

  it('rolls back even if only a TTL differs', async () => {
    await restore(3);

    const { result } = await restore(2);

    expect(result.changed.map(({ before, after }) => [before.ttl, after.ttl])).toEqual([[60, 3600]]);
    expect(lines()).toEqual([`${www} www 3600 192.0.2.1`]);
  });

  it('keeps the version and sends no NOTIFY if a rollback changes nothing', async () => {
    const announced = around.publisher.announced.length;

    expect((await restore(5)).zoneVersion).toBe(5);
    expect(around.publisher.announced).toHaveLength(announced);
    expect(around.storage.tables.zones.get('dom_1')?.version).toBe(5);
  });

  it('rejects a rollback that exceeds the current limits', async () => {
    const narrow = dnsUseCases(around, { ...DEFAULT_ZONE_LIMITS, recordsPerSet: 100, recordsPerZone: 1 });

    await expect(narrow.restoreVersion.execute({ ...OURS, domainId: 'dom_1', version: 4 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  it('rolls back a record that was deleted and created again', async () => {
    const again = await add({ ttl: 60 });
    expect(again).not.toBe(www);

    await restore(3);

    expect(lines()).toEqual([`${www} www 60 192.0.2.1`]);
  });
});
