import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStateFiles } from '../../../clients/cli/src/states/state-files.ts';
import { stateOf } from '../../../clients/cli/src/states/write-state.ts';
import type { DnsRecord, Zone } from '../../../clients/typescript/src/namewright.ts';

const dnssecOf = (state: Zone['dnssec']['state'], isSigned?: boolean) =>
  stateOf({ tags: [], dnssec: { state } } as unknown as Zone, [], undefined, isSigned).dnssec;

describe('the files of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-states-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const given = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('are states in YAML or JSON, and zone files, with the names of their zones', async () => {
    const files = [
      given('a.com.yaml', 'tags: [shop]\n'),
      given('b.com.json', '{"auto_renew":true}'),
      given('c.com.zone', '@ A 192.0.2.1\n'),
    ];

    expect(await readStateFiles(files, {})).toEqual([
      { file: files[0], name: 'a.com', content: { state: { tags: ['shop'] }, format: 'state' } },
      { file: files[1], name: 'b.com', content: { state: { auto_renew: true }, format: 'state' } },
      { file: files[2], name: 'c.com', content: { zoneFile: '@ A 192.0.2.1\n' } },
    ]);
  });

  it('can be those of a folder, without others in it', async () => {
    const zones = join(folder, 'zones');
    mkdirSync(zones);
    for (const name of ['b.com.yaml', 'a.com.yml', 'README.md']) writeFileSync(join(zones, name), 'tags: []');

    expect((await readStateFiles([zones], {})).map(({ name }) => name)).toEqual(['a.com', 'b.com']);
  });

  it('are written without the records that the service keeps', () => {
    const zone = { tags: [], dnssec: { state: 'off' } } as unknown as Zone;
    const records = ['git', 'ptr', 'zone_01k6w3m8z5q2v7x4c9b1n0a6sd'].map((managed_by) => ({
      name: 'sub',
      type: 'NS',
      content: 'ns1.example.net',
      ttl: 3600,
      priority: null,
      managed_by,
    })) as unknown as DnsRecord[];

    expect(stateOf(zone, records, undefined).records).toMatchObject([{ managed_by: 'git' }]);
  });

  it('are written with DNSSEC if the zone is to be signed, also after an error', () => {
    expect([dnssecOf('active'), dnssecOf('error', true)]).toEqual([{ enabled: true }, { enabled: true }]);
    expect([dnssecOf('removing_ds'), dnssecOf('error', false)]).toEqual([undefined, undefined]);
  });

  it('can have another name, and a program that manages their records', async () => {
    const file = given('reverse.yaml', 'records: []\n');
    const options = { name: '0/26.2.0.192.in-addr.arpa', managedBy: 'git' };

    expect(await readStateFiles([file], options)).toEqual([
      { file, name: options.name, content: { state: { managed_by: 'git', records: [] }, format: 'state' } },
    ]);
    await expect(readStateFiles([file, file], options)).rejects.toThrow('--name is for one file');
  });

  it('can be zones of octoDNS, which the service reads', async () => {
    const file = given('d.com.yaml', 'www: { type: A, value: 192.0.2.1 }');
    const state = { www: { type: 'A', value: '192.0.2.1' } };

    expect(await readStateFiles([file], {})).toEqual([{ file, name: 'd.com', content: { state, format: 'octodns' } }]);
    expect(await readStateFiles([file], { managedBy: 'git' })).toMatchObject([{ content: { managedBy: 'git' } }]);
  });

  it.each([
    ['missing.yaml', undefined, 'does not exist'],
    ['a.txt', '', 'ends with none of .yaml, .yml, .json, .zone, .db'],
    ['a.yaml', 'records: [', /is not valid: .* at line 1, column \d+$/],
    ['a.yaml', '- 1', 'has no members'],
    [
      'a.yaml',
      'nameserver: [ns1.example.net]',
      'nameserver is neither a member of a state nor a name with octoDNS records',
    ],
  ])('are refused with a reason: %s with %p', async (name, text, reason) => {
    const file = text === undefined ? join(folder, name) : given(name, text);

    await expect(readStateFiles([file], {})).rejects.toThrow(file);
    await expect(readStateFiles([file], {})).rejects.toThrow(reason);
  });
});
