import { ScanDelegation } from '../../../../../src/application/dnssec/cds/scan-delegation';
import type { ChildAnswer } from '../../../../../src/application/ports/dns/other-nameservers';
import type { ChildRecords } from '../../../../../src/domain/dns/dnssec/parent/child-ds-records';
import { dsRecordOf, type DnsKey } from '../../../../../src/domain/dns/delegation/ds-record';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import { dsContent } from '../../../../../src/domain/dns/delegation/sub-zone';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const CHILD = 'k8s.corp.example';
const HOSTS = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];
const HOUR = 3_600;
const keyOf = (fill: number): DnsKey => ({
  flags: 257,
  algorithm: 13,
  publicKey: Buffer.alloc(64, fill).toString('base64'),
});
const [OLD, NEW] = [keyOf(1), keyOf(2)];
const dsOf = (key: DnsKey, digestType: 2 | 4 = 2) => dsContent(dsRecordOf(CHILD, key, digestType)).toLowerCase();

type Draft = readonly [name: string, type: string, content: string];
const DELEGATION: readonly Draft[] = HOSTS.map((host) => ['k8s', 'NS', host]);
const DSYNC: Draft = ['*._dsync', 'DSYNC', 'CDS NOTIFY 53 primary.example.net.'];
const DS: Draft = ['k8s', 'DS', dsOf(OLD)];

describe('a NOTIFY(CDS) for a zone that a zone here delegates to', () => {
  let around: UseCaseContext;
  let answers: Record<string, ChildRecords | undefined>;
  let scanDelegation: ScanDelegation;

  beforeEach(() => {
    around = new UseCaseContext();
    everywhere(asking([NEW]));
    scanDelegation = new ScanDelegation(
      {
        read: async (_zone, hosts): Promise<readonly ChildAnswer[]> =>
          hosts.map((nameserver) => ({ nameserver, records: answers[nameserver] })),
      },
      around.storage.domains,
      around.storage.zones,
      around.storage.zoneSignings,
      dnsUseCases(around).zoneWriter,
      around.storage,
      around.ids,
      around.clock,
    );
  });

  /** A zone with both keys, signed by both, that asks for the DS records of some. */
  function asking(wanted: readonly DnsKey[], sinceNow = 0): ChildRecords {
    const inception = around.clock.now().getTime() / 1_000 + sinceNow;
    const proofs = [OLD, NEW].map((key) => ({ key, inception }));
    return {
      keys: { records: [OLD, NEW], proofs },
      cds: { records: wanted.map((key) => dsRecordOf(CHILD, key)), proofs },
      cdnskeys: { records: wanted, proofs },
    };
  }
  const everywhere = (records: ChildRecords | undefined) =>
    (answers = Object.fromEntries(HOSTS.map((host) => [host, records])));
  async function givenZone(...drafts: readonly Draft[]): Promise<void> {
    await around.givenDomain({ id: 'dom_1', name: 'corp.example', status: 'hosted' });
    await givenRecords(...drafts);
  }
  const givenRecords = (...drafts: readonly Draft[]) =>
    around.givenRecords(
      'dom_1',
      drafts.map(([name, type, content]) =>
        DnsRecord.create(
          { type, name, content, ttl: 900, comment: 'by Ada' },
          'corp.example',
          around.ids.next('rec'),
          around.clock.now(),
          ['NS', 'DS', 'DSYNC'],
        ),
      ),
    );
  const notify = async (name = CHILD) => {
    const delegation = await scanDelegation.find(name);
    if (delegation) await scanDelegation.execute(delegation);
    return delegation !== undefined;
  };
  const stored = async () =>
    ((await around.storage.zones.recordsAt([{ domainId: 'dom_1', names: ['k8s'] }])).get('dom_1') ?? [])
      .map((each) => each.toState())
      .filter(({ type }) => type === 'DS');
  const contents = async () => (await stored()).map(({ content }) => content);
  const refusals = () => around.auditEntries.map(({ after }) => after['reason']).filter(Boolean);

  it('replaces its DS records by those that all its nameservers ask for, with the TTL and comment of the former ones', async () => {
    await givenZone(...DELEGATION, DS, DSYNC);

    expect(await notify()).toBe(true);

    expect(await stored()).toMatchObject([{ content: dsOf(NEW), ttl: 900, comment: 'by Ada' }]);
    expect(await notify()).toBe(true);
    expect(await contents()).toEqual([dsOf(NEW)]);
    expect((await around.storage.zones.find('dom_1'))?.version).toBe(3);
  });

  it('removes them if the zone asks for that', async () => {
    await givenZone(...DELEGATION, DS, DSYNC);
    const asked = asking([]);
    const remove = { keyTag: 0, algorithm: 0, digestType: 0, digest: '00' };
    everywhere({ ...asked, cds: { ...asked.cds, records: [remove] } });
    await notify();

    expect(await contents()).toEqual([]);
  });

  it.each<[string, ...Draft]>([
    ['k8s._dsync', 'k8s._dsync', 'DSYNC', DSYNC[2]],
    ['_dsync', '_dsync', 'DSYNC', DSYNC[2]],
  ])('is taken with a DSYNC record at %s', async (_place, ...dsync) => {
    await givenZone(...DELEGATION, DS, dsync);
    await notify();

    expect(await contents()).toEqual([dsOf(NEW)]);
  });

  it.each<[string, readonly Draft[]]>([
    ['has no DSYNC record', [...DELEGATION, DS]],
    ['has a DSYNC record for something else', [...DELEGATION, DS, ['*._dsync', 'DSYNC', 'CSYNC NOTIFY 53 a.example.']]],
    [
      'has a closer DSYNC record for something else',
      [...DELEGATION, DS, DSYNC, ['k8s._dsync', 'DSYNC', 'CSYNC NOTIFY 53 a.example.']],
    ],
    ['has no DS records, which could prove what the zone asks for', [...DELEGATION, DSYNC]],
    ['does not delegate the name', [DS, DSYNC]],
  ])('is not taken if the zone above %s', async (_why, drafts) => {
    await givenZone(...drafts);

    expect(await notify()).toBe(false);
    expect(await notify('corp.example')).toBe(false);
  });

  it.each([
    ['is not taken if the service signs the zone for the same account: it keeps the DS records then', OURS, false],
    ['is taken if the service signs the zone for another account', STRANGER, true],
  ] as const)('%s', async (_title, { accountId }, isTaken) => {
    await givenZone(...DELEGATION, DS, DSYNC);
    await around.givenDomain({ id: 'dom_2', name: CHILD, status: 'hosted', accountId });
    const now = around.lifecycleClock.now();
    await around.storage.run(({ zoneSignings }) => zoneSignings.save(ZoneSigning.request('dom_2', 'nsec', now)));

    expect(await notify()).toBe(isTaken);
  });

  it('changes nothing, and is in the activity log once, if the nameservers do not agree', async () => {
    await givenZone(...DELEGATION, DS, DSYNC);
    answers = { [HOSTS[0] ?? '']: asking([NEW]), [HOSTS[1] ?? '']: asking([OLD, NEW]) };
    await notify();
    await notify();

    expect(await contents()).toEqual([dsOf(OLD)]);
    expect(refusals()).toEqual([`${CHILD}: ns1.elsewhere.net and ns2.elsewhere.net ask for different DS records`]);
    answers = { [HOSTS[0] ?? '']: asking([NEW]) };
    await notify();
    expect(refusals()).toHaveLength(2);
  });

  it('changes nothing if the signatures are older than the DS records, by more than signers date them back', async () => {
    await givenZone(...DELEGATION, DS, DSYNC);
    everywhere(asking([NEW], -3 * HOUR));
    await notify();
    expect(await contents()).toEqual([dsOf(OLD)]);
    everywhere(asking([NEW], -HOUR));
    await notify();

    expect(await contents()).toEqual([dsOf(NEW)]);
  });

  it('keeps a DS record with another digest of the key that the zone asks for', async () => {
    await givenZone(...DELEGATION, ['k8s', 'DS', dsOf(NEW, 4)], DSYNC);
    await notify();

    expect(await contents()).toEqual([dsOf(NEW, 4)]);
  });

  it('changes nothing if the delegation has changed while its nameservers were asked', async () => {
    await givenZone(...DELEGATION, DS, DSYNC);
    const delegation = await scanDelegation.find(CHILD);
    await givenRecords(['k8s', 'DS', dsOf(keyOf(3))]);
    if (delegation) await scanDelegation.execute(delegation);

    expect(await contents()).toEqual([dsOf(OLD), dsOf(keyOf(3))]);
  });
});
