import { dsRecordOf, type DsRecord } from '../../../src/domain/dns/delegation/ds-record';
import { createContact } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import { createDomain, infoDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { updateDsRecords, type DsRecordMode } from '../../../src/infrastructure/registry/epp/mapping/security';
import { REGISTRANT } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain } from '../../support/epp/epp-scenario';
import { RawEpp } from '../../support/epp/raw-epp';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';

const HOSTS = ['ns1.outside.example', 'ns2.outside.example'].map((host) => ({ host, addresses: [] }));

const signer = (name: string, publicKey: string): DsRecord =>
  dsRecordOf(name, { flags: 257, algorithm: 13, publicKey });

describe.each([
  ['DS data', 'ds', 'keys'],
  ['keys', 'keys', 'ds'],
] as const)('a sandbox EPP server that takes %s', (_, mode, other) => {
  let registry: SandboxRegistry;
  let client: RawEpp;

  beforeAll(async () => {
    registry = await startSandboxRegistry({ dsRecordsAre: mode, hostsAre: 'attributes' });
    client = await RawEpp.loggedIn(registry);
    await client.send(createContact('HOLDER-1', REGISTRANT, AUTH_CODE));
  });
  afterAll(async () => {
    await client.close();
    const faults = await registry.faults();
    await registry.stop();
    expect(faults).toEqual([]);
  });

  const registered = async (): Promise<string> => {
    const wanted = aNewDomain({ hosts: HOSTS, hostMode: 'attribute' });
    expect((await client.send(createDomain(wanted))).code).toBe(1000);
    return wanted.name;
  };
  const update = async (
    name: string,
    add: readonly DsRecord[],
    remove: readonly DsRecord[] | 'all' = [],
    as: DsRecordMode = mode,
  ) => (await client.send(updateDsRecords(name, { add, remove }, as))).code;
  const tagsOf = async (name: string) =>
    domainInfoOf(await client.send(infoDomain(name))).dsRecords.map(({ keyTag }) => keyTag);

  it('removes before it adds, in one command', async () => {
    const name = await registered();
    const [one, two] = [signer(name, 'AQID'), signer(name, 'BAUG')];
    await update(name, [one]);

    expect(await update(name, [two], [one])).toBe(1000);
    expect(await tagsOf(name)).toEqual([two.keyTag]);
    expect(await update(name, [one], 'all')).toBe(1000);
    expect(await tagsOf(name)).toEqual([one.keyTag]);
  });

  it('rejects a record to remove that does not exist and one to add that does, and changes nothing', async () => {
    const name = await registered();
    const [one, two] = [signer(name, 'AQID'), signer(name, 'BAUG')];
    await update(name, [one]);

    expect(await update(name, [two], [signer(name, 'BwgJ')])).toBe(2306);
    expect(await update(name, [one])).toBe(2306);
    expect(await tagsOf(name)).toEqual([one.keyTag]);
  });

  it('rejects the other form of the data', async () => {
    const name = await registered();

    expect(await update(name, [signer(name, 'AQID')], [], other)).toBe(2306);
    expect(await tagsOf(name)).toEqual([]);
  });
});
