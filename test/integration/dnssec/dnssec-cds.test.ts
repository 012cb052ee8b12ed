import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScanChild } from '../../../src/application/dnssec/cds/scan-child';
import { ServiceOperations } from '../../../src/application/operations/service-operations';
import { CdsScanReader, type ChildZones } from '../../../src/application/ports/dns/other-nameservers';
import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../../../src/application/ports/system';
import { RegistrationSettings } from '../../../src/application/registration/registration-settings';
import { decideChildDsRecords } from '../../../src/domain/dns/dnssec/parent/child-ds-records';
import { NetworkChildZones } from '../../../src/infrastructure/nameserver/zone-sources/network-child-zones';
import { SeededRandom } from '../../crash/random';
import { describeOrSkip } from '../../support/describe-or-skip';
import {
  CHILD,
  randomCase,
  dsRecordText,
  timeText,
  toChildFile,
  toChildRecords,
  type ChildCase,
} from '../../support/dnssec/child-zone';
import { SIGNING_CHILD_MISSING, SigningChild } from '../../support/dnssec/signing-child';
import { missing, program } from '../../support/nameservers/nameserver';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { SEED, TIMES } from '../../support/seeded';

const run = promisify(execFile);
const CASES = 150 * TIMES;
const CONCURRENT = 4;

/** The DS records that the service sets or keeps; undefined if it refuses. */
async function ofService(zone: ChildCase): Promise<readonly string[] | undefined> {
  const decision = decideChildDsRecords(await toChildRecords(zone), {
    zoneName: CHILD,
    present: zone.present,
    notBefore: zone.notBefore,
  });
  if (decision.kind === 'refused') return undefined;
  return (decision.kind === 'wanted' ? decision.dsRecords : zone.present).map(dsRecordText).toSorted();
}

describeOrSkip(missing('dnssec-cds'))('CDS and CDNSKEY records, compared with dnssec-cds of BIND', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-cds-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The DS records of the program; undefined if it refuses. */
  async function ofProgram(id: number, zone: ChildCase): Promise<readonly string[] | undefined> {
    const [child, parent] = [join(folder, `child-${id}`), join(folder, `ds-${id}`)];
    writeFileSync(child, toChildFile(zone));
    writeFileSync(parent, zone.present.map((signer) => `${CHILD}. 3600 IN DS ${dsRecordText(signer)}\n`).join(''));
    const args = ['-s', timeText(zone.notBefore), '-f', child, '-d', parent, CHILD];
    const { stdout } = await run(program('dnssec-cds') ?? 'dnssec-cds', args).catch(() => ({ stdout: undefined }));
    return stdout
      ?.trim()
      .split('\n')
      .map((line) =>
        line
          .replace(/^.*\sDS\s/, '')
          .replace(/(\S+ \S+ \S+) (.*)$/, (_all, head, digest) => `${head} ${digest.replaceAll(' ', '')}`),
      )
      .toSorted();
  }

  it('lead to the same DS records, and are refused in the same cases', async () => {
    const random = new SeededRandom(SEED);
    const waiting = Array.from({ length: CASES }, (_, id) => ({ id, zone: randomCase(random) })).filter(
      ({ zone }) => zone.cds.length + zone.cdnskeys.length > 0,
    );
    const counts = { set: 0, refused: 0 };
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id, zone } = next;
        const expected = await ofProgram(id, zone);
        counts[expected ? 'set' : 'refused'] += 1;
        expect([id, await ofService(zone)]).toEqual([id, expected]);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));

    expect(Math.min(counts.set, counts.refused)).toBeGreaterThan(CASES / 10);
  });
});

describeOrSkip(SIGNING_CHILD_MISSING)('a domain whose zone Knot signs at other nameservers', () => {
  const NAME = 'cds-child.com';
  const HOSTS = ['ns1.elsewhere.test', 'ns2.elsewhere.test'];
  const folder = mkdtempSync(join(tmpdir(), 'namewright-cds-'));
  let service: TestService;
  let client: Api;
  let child: SigningChild;
  let id: string;
  let scan: () => Promise<void>;

  beforeAll(async () => {
    const file = join(folder, 'registries.yaml');
    const registries = { here: { adapter: 'simulated', tlds: ['com'], rules: { com: { cds: 'delayed' } } } };
    writeFileSync(file, JSON.stringify({ registries }));
    [service, child] = await Promise.all([startService({ REGISTRIES_FILE: file }), SigningChild.start(NAME)]);
    client = api(service, await service.key(await service.account()));
    id = await registered(client, NAME);
    await client.put(`/api/domains/${id}/nameservers`, { nameservers: HOSTS }).expect(200);
    scan = scanOf(service, child);
  });
  afterAll(async () => {
    await child?.stop();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As the scanner does it, with the addresses of Knot for the names of the nameservers. */
  function scanOf({ container }: TestService, { endpoints }: SigningChild): () => Promise<void> {
    const network = new NetworkChildZones([{ address: '127.0.0.0', prefix: 8 }], []);
    const addressOf = (host: string) => {
      const { address, port } = endpoints[host === HOSTS[0] ? 0 : 1];
      return `${address}:${port}`;
    };
    const childZones: ChildZones = {
      read: (zone, hosts) => network.read(zone, hosts.map(addressOf)),
      signals: (zone, hosts) => network.signals(zone, hosts),
    };
    const scanChild = new ScanChild(
      childZones,
      container.get<CdsScanReader>(CdsScanReader),
      container.get<RegistryPort>(RegistryPort),
      container.get(ServiceOperations),
      container.get(UnitOfWork),
      container.get<Clock>(Clock),
      container.get(LifecycleClock),
      container.get<RegistrationSettings>(RegistrationSettings),
    );
    return async () => {
      const [candidate] = await container.get<CdsScanReader>(CdsScanReader).candidates(new Date(8.64e15), '', 1);
      if (candidate) await scanChild.execute(candidate, 'delayed');
    };
  }

  const cds = async () => (await client.get(`/api/domains/${id}/dnssec`).expect(200)).body.cds;
  const atRegistry = async () =>
    ((await client.get(`/api/domains/${id}/dnssec/ds`).expect(200)).body.ds as Record<string, string | number>[])
      .map(({ key_tag, algorithm, digest_type, digest }) => `${key_tag} ${algorithm} ${digest_type} ${digest}`)
      .toSorted();
  const endOfDelay = () =>
    service.container.get(UnitOfWork).run(async ({ cdsScans }) => {
      const state = await service.container.get<CdsScanReader>(CdsScanReader).find(id);
      if (state?.waiting) await cdsScans.save({ ...state, waiting: { ...state.waiting, since: new Date(0) } });
    });

  it('gets its first DS records after the delay, follows a key rollover, and loses them when the zone asks for that', async () => {
    const before = await cds();
    const first = await child.cdsAfter();
    await scan();
    const waiting = await cds();
    await endOfDelay();
    await scan();
    const set = await atRegistry();
    await child.rollKey();
    const second = await child.cdsAfter(first);
    await scan();
    const rolled = await atRegistry();
    await scan();
    const unchanged = await cds();
    await child.leaveDnssec();
    await child.cdsAfter(second);
    await scan();

    expect(before).toMatchObject({ policy: 'delayed', outcome: null, scanned_at: null });
    expect(waiting).toMatchObject({ outcome: 'waiting', waiting_ds: [{ algorithm: 13, digest_type: 2 }] });
    expect(set).toEqual(first);
    expect(rolled).toEqual(second);
    expect(unchanged).toMatchObject({ outcome: 'unchanged', waiting_ds: [], accepted_after: null });
    expect(await atRegistry()).toEqual([]);
    expect(await cds()).toMatchObject({ outcome: 'changed' });
  });
});
