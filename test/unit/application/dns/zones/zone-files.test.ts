import { decisionOn } from '../../../../../src/application/dns/zones/zone-files/import-zone-file';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import type { ZoneLimits } from '../../../../../src/domain/dns/zone-rules';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';

describe('zone files', () => {
  let around: UseCaseContext;
  const importing = (text: string, rest: object = {}, limits?: ZoneLimits) =>
    dnsUseCases(around, limits).importZoneFile.execute({ ...OURS, domainId: 'dom_1', text, ...rest });
  const exported = async () =>
    Buffer.concat((await dnsUseCases(around).exportZoneFile.execute(OURS, 'dom_1')).text).toString();
  const zone = () => around.storage.tables.zones.get('dom_1');
  const lines = () =>
    zone()
      ?.records.map(({ name, ttl, type, content }) => `${name} ${ttl} ${type} ${content}`)
      .toSorted();

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ nameservers: ['ns1.example.net', 'ns2.example.net'] });
  });

  it('replace the records of the zone, in one version', async () => {
    await importing('$TTL 300\n@ MX 10 mail\nmail A 192.0.2.1\nwww 60 A 192.0.2.2\n');

    expect(lines()).toEqual(['@ 300 MX mail.example.com', 'mail 300 A 192.0.2.1', 'www 60 A 192.0.2.2']);
    expect(zone()?.version).toBe(2);
  });

  it('change only what differs: records that stay keep their id, changed ones their place', async () => {
    await importing('www 60 A 192.0.2.1\nmail 60 A 192.0.2.2\n');
    const ids = new Map(zone()?.records.map(({ name, id }) => [name, id]));
    around.clock.advance({ days: 1 });

    const { result } = await importing('www 60 A 192.0.2.1\nmail 60 A 192.0.2.9\n');

    expect([result.change.added.length, result.change.changed.length, result.change.removed.length]).toEqual([0, 1, 0]);
    expect(new Map(zone()?.records.map(({ name, id }) => [name, id]))).toEqual(ids);
    expect(zone()?.records.find(({ name }) => name === 'www')?.updatedAt).not.toEqual(around.clock.now());
  });

  it('change the TTL of a record that stays, and nothing else of it', async () => {
    await importing('www 60 A 192.0.2.1\n');
    const [before] = zone()?.records ?? [];
    around.clock.advance({ days: 1 });

    const { result } = await importing('www 300 A 192.0.2.1\n');

    expect(result.change.changed).toHaveLength(1);
    expect(zone()?.records).toEqual([{ ...before, ttl: 300, updatedAt: around.clock.now() }]);
  });

  it('keep the age of a record whose place another takes', async () => {
    await importing('www 60 A 192.0.2.1\n');
    const [before] = zone()?.records ?? [];
    around.clock.advance({ days: 1 });

    await importing('www 60 A 192.0.2.2\n');

    expect(zone()?.records).toEqual([{ ...before, content: '192.0.2.2', updatedAt: around.clock.now() }]);
  });

  it.each(['execute', 'plan'] as const)(
    'are read and applied two at a time per account by %s, because each takes much memory',
    async (method) => {
      const { importZoneFile } = dnsUseCases(around);
      let [open, most] = [0, 0];
      const text = {
        *[Symbol.iterator]() {
          most = Math.max(most, (open += 1));
          yield 'www 60 A 192.0.2.1\n';
        },
      };

      await Promise.all(
        Array.from({ length: 10 }, async () => {
          await importZoneFile[method]({ ...OURS, domainId: 'dom_1', text });
          open -= 1;
        }),
      );

      // One more than the slots, because a slot is free before its caller has the result.
      expect(open).toBe(0);
      expect(most).toBeLessThanOrEqual(3);
    },
  );

  it('look for the line of a record only if it is rejected, because identities of long records take long', () => {
    const draft = { type: 'A', name: 'www', content: '192.0.2.1' } as const;
    const record = DnsRecord.create(draft, 'example.com', 'rec_1', around.clock.now());
    const read = {
      records: [record],
      lineOf: new Map([[record.identity(), 7]]),
      repetitions: [],
      notes: [],
      warnings: [],
      skippedTypes: {},
    };
    const identity = jest.spyOn(record, 'identity');

    const { placeOf } = decisionOn({ added: [record], changed: [], removed: [] }, read);

    expect(identity).not.toHaveBeenCalled();
    expect([placeOf?.('rec_1'), placeOf?.('rec_2')]).toEqual(['line 7', undefined]);
  });

  it('date records by the time of the change, however long reading takes', async () => {
    const readAt = around.clock.now();
    const find = around.storage.zones.find.bind(around.storage.zones);
    jest.spyOn(around.storage.zones, 'find').mockImplementation((domainId) => {
      around.clock.advance({ days: 1 });
      return find(domainId);
    });

    await importing('www 60 A 192.0.2.1\n');

    const [record] = zone()?.records ?? [];
    expect(record?.createdAt).not.toEqual(readAt);
    expect(record).toMatchObject({ createdAt: around.clock.now(), updatedAt: around.clock.now() });
  });

  it('are reported in the order of their lines, up to a thousand', async () => {
    const lines = [
      'www 60 A 192.0.2.1',
      'www 60 A 192.0.2.1',
      ...Array.from({ length: 1_100 }, () => 'www 5 A 192.0.2.1'),
    ];

    const { result } = await importing(lines.join('\n'));

    expect(result.notes).toHaveLength(1_000);
    expect(result.notes[0]).toMatchObject({ line: 2 });
    expect(result.notes.map(({ line }) => line)).toEqual(
      result.notes.map(({ line }) => line).toSorted((one, other) => one - other),
    );
    expect(result.notes.slice(1, 3).map(({ line }) => line)).toEqual([3, 3]);
  });

  it('may have as many records as a zone that exceeds a lowered limit', async () => {
    const five = Array.from({ length: 5 }, (_, index) => `h${index} 60 A 192.0.2.1\n`).join('');
    await importing(five);
    const limits = { ...DEFAULT_ZONE_LIMITS, recordsPerSet: 100, recordsPerZone: 3 };

    await expect(importing(`${five}more 60 A 192.0.2.1\n`, {}, limits)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    await importing(five.replaceAll('192.0.2.1', '192.0.2.2'), {}, limits);

    expect(zone()?.records.map(({ content }) => content)).toEqual(Array.from({ length: 5 }, () => '192.0.2.2'));
  });

  it('change nothing if the zone is the same: an export can be imported', async () => {
    await importing('@ 300 MX 10 mail\nmail 300 A 192.0.2.1\n@ 60 TXT "a b" "c"\nchild 60 NS ns.example.org.\n');
    const [before, announced] = [zone(), around.publisher.announced.length];

    const { zoneVersion } = await importing(await exported());

    expect(zoneVersion).toBe(2);
    expect(zone()).toEqual(before);
    expect(around.publisher.announced).toHaveLength(announced);
  });

  it('are written with the SOA of the version first, and then the delegation', async () => {
    await importing('www 60 A 192.0.2.1\n');

    expect((await exported()).split('\n')).toEqual([
      'example.com.\t3600\tIN\tSOA\tns1.example.net. hostmaster.example.com. 2 3600 600 604800 300',
      'example.com.\t3600\tIN\tNS\tns1.example.net.',
      'example.com.\t3600\tIN\tNS\tns2.example.net.',
      'www.example.com.\t60\tIN\tA\t192.0.2.1',
      '',
    ]);
  });

  it('are in memory once for all exports of a version of the zone', async () => {
    await importing('www 60 A 192.0.2.1\n');
    const { exportZoneFile } = dnsUseCases(around);
    const exportAll = async () => (await exportZoneFile.execute(OURS, 'dom_1')).text;
    const text = await exportAll();

    expect(await exportAll()).toBe(text);

    await importing('www 60 A 192.0.2.2\n');
    expect(Buffer.concat(await exportAll()).toString()).toContain('192.0.2.2');
    expect(Buffer.concat(text).toString()).toContain('192.0.2.1');
  });

  it('show a key for some records only those, whatever others export', async () => {
    await importing('www 60 A 192.0.2.1\n_acme-challenge 60 TXT x\n');
    const { exportZoneFile } = dnsUseCases(around);
    const whole = await exportZoneFile.execute(OURS, 'dom_1');

    const { text } = await exportZoneFile.execute(
      { ...OURS, actor: { kind: 'key', id: 'k', limits: { types: ['TXT'] } } },
      'dom_1',
    );

    expect(Buffer.concat(whole.text).toString()).toContain('192.0.2.1');
    expect(Buffer.concat(text).toString()).not.toContain('192.0.2.1');
  });

  it('add no record for the delegation, which is the registry’s, nor for the nameserver of another provider', async () => {
    await importing('www 60 A 192.0.2.1\n@ 60 NS ns1.example.net.\n@ 60 NS ns9.example.org.\n');

    expect(lines()).toEqual(['www 60 A 192.0.2.1']);
  });

  it('set the TTL of the delegation’s NS records, and an export has it for the whole set', async () => {
    await importing('@ 1800 NS ns1.example.net.\n@ 1800 NS ns2.example.net.\n');

    expect(lines()).toEqual(['@ 1800 NS ns1.example.net', '@ 1800 NS ns2.example.net']);
    expect((await exported()).split('\n').slice(1)).toEqual([
      'example.com.\t1800\tIN\tNS\tns1.example.net.',
      'example.com.\t1800\tIN\tNS\tns2.example.net.',
      '',
    ]);

    await importing('@ 3600 NS ns1.example.net.\n@ 3600 NS ns2.example.net.\n');

    expect(lines()).toEqual([]);
    expect(await exported()).toContain('example.com.\t3600\tIN\tNS\tns1.example.net.\n');
  });

  it.each([[60], [86_400]])(
    'change nothing if an export is imported that has one TTL for the delegation and another nameserver: %i',
    async (ttl) => {
      await importing(`@ ${ttl} NS ns9.example.org.\n`, { withProviderRecords: true });
      const before = zone();
      const text = await exported();

      await importing(text);

      expect(text.match(/\d+(?=\tIN\tNS)/g)).toEqual(Array.from({ length: 3 }, () => String(Math.min(ttl, 3600))));
      expect(zone()).toEqual(before);
    },
  );

  it('that are added leave the TTL of the delegation', async () => {
    await importing('www 60 A 192.0.2.1\n@ 60 NS ns1.example.net.\n', { mode: 'add' });

    expect(lines()).toEqual(['www 60 A 192.0.2.1']);
  });

  it('set no TTL for the nameservers of the provider that a domain is still delegated to', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com', nameservers: ['a.example.org', 'b.example.org'] });
    const text = '$ORIGIN other.com.\n@ 60 NS a.example.org.\n@ 60 NS b.example.org.\n';

    const { result } = await importing(text, { domainId: 'dom_2' });

    expect(result).toMatchObject({ change: { added: [] }, notes: [], warnings: [] });
  });

  it('may repeat a line, which is reported and skipped', async () => {
    const { result } = await importing('www 60 A 192.0.2.1\nwww 60 A 192.0.2.1\n');

    expect(lines()).toHaveLength(1);
    expect(result.notes).toEqual([{ line: 2, note: 'skipped: it repeats line 1' }]);
  });

  it.each([
    ['with faulty lines, naming each', 'www 60 A 192.0.2.1\nmail 60 A nonsense\nmail 60 MX mail\n', 'line 2'],
    [
      'that break a rule of zones, naming a line',
      'mail 60 A 192.0.2.1\nmail 60 CNAME example.net.\n',
      'line 2: A mail (line 1) conflicts: a CNAME must be the only record at its name',
    ],
    ['that say nothing at all', '; nothing\n', 'has no records'],
    ['of another zone', 'www.example.net. 60 A 192.0.2.1\n', 'has no records'],
  ])('%s are refused whole', async (_which, text, details) => {
    await importing('www 60 A 192.0.2.7\n');
    const before = around.storage.tables;

    await expect(importing(text)).rejects.toMatchObject({ details: expect.stringContaining(details) as string });

    expect(around.storage.tables).toEqual(before);
  });

  it("does not export or import another account's zone", async () => {
    await expect(importing('www 60 A 192.0.2.1\n', STRANGER)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(dnsUseCases(around).exportZoneFile.execute(STRANGER, 'dom_1')).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
  });
});
