import { ScanChild } from '../../../../../src/application/dnssec/cds/scan-child';
import { RegistryRejected } from '../../../../../src/application/ports/registry/registry-errors';
import type { ChildAnswer, ChildSignal } from '../../../../../src/application/ports/dns/other-nameservers';
import { dsRecordOf, type DsRecord, type DnsKey } from '../../../../../src/domain/dns/delegation/ds-record';
import { SERVICE } from '../../../../../src/domain/access/actor';
import type { CdsPolicy } from '../../../../../src/domain/dns/dnssec/parent/cds-scan';
import type { ChildRecords } from '../../../../../src/domain/dns/dnssec/parent/child-ds-records';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import type { OperationRequest } from '../../../../../src/domain/registration/operations/operation-request';
import { SETTINGS } from '../../../../support/use-cases/registration-settings';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const HOSTS = ['ns1.elsewhere.net', 'ns2.elsewhere.net'];
const DAY_MS = 86_400_000;
const keyOf = (fill: number): DnsKey => ({
  flags: 257,
  algorithm: 13,
  publicKey: Buffer.alloc(64, fill).toString('base64'),
});
const [OLD, NEW] = [keyOf(1), keyOf(2)];
const signerOf = (key: DnsKey) => dsRecordOf('example.com', key);

const sets = (...keys: readonly DnsKey[]) => [{ kind: 'set_delegation_signers', signers: keys.map(signerOf) }];

/** A zone with both keys, signed by both, that asks for the DS records of some. */
function asking(wanted: readonly DnsKey[], inception = 1_000): ChildRecords {
  const proofs = [OLD, NEW].map((key) => ({ key, inception }));
  return {
    keys: { records: [OLD, NEW], proofs },
    cds: { records: wanted.map(signerOf), proofs },
    cdnskeys: { records: wanted, proofs },
  };
}

describe('a scan of a zone at other nameservers', () => {
  let around: UseCaseContext;
  let answers: Record<string, ChildRecords | undefined>;
  let confirmed: ChildSignal['signal'];
  let present: readonly DsRecord[];
  let sent: OperationRequest[];
  let registryReads: number;
  let rejection: RegistryRejected | undefined;
  let scanChild: ScanChild;

  beforeEach(async () => {
    around = new UseCaseContext();
    [present, sent, registryReads, confirmed] = [[signerOf(OLD)], [], 0, undefined];
    rejection = undefined;
    await around.givenDomain({ id: 'dom_1', nameservers: HOSTS });
    everywhere(asking([NEW]));
    scanChild = new ScanChild(
      {
        read: async (_zone, hosts): Promise<readonly ChildAnswer[]> =>
          hosts.map((nameserver) => ({ nameserver, records: answers[nameserver] })),
        signals: async (_zone, hosts) => hosts.map((nameserver) => ({ nameserver, signal: confirmed })),
      },
      around.storage.cdsScans,
      {
        dsRecords: async () => {
          registryReads += 1;
          if (rejection) throw rejection;
          return present;
        },
      },
      {
        add: async (_stores, _domain, request) => `op_${sent.push(request)}`,
        run: async () => undefined,
      },
      around.storage,
      around.clock,
      around.lifecycleClock,
      SETTINGS,
    );
  });

  const everywhere = (records: ChildRecords | undefined) =>
    (answers = Object.fromEntries(HOSTS.map((host) => [host, records])));
  const logged = () => around.auditEntries.map(({ action, actor, after }) => [action, actor, after['reason']]);
  const scan = async (policy: CdsPolicy = 'rollovers') => {
    const candidate = { id: 'dom_1', accountId: OURS.accountId, name: 'example.com', nameservers: HOSTS };
    await scanChild.execute(candidate, policy);
    return around.storage.cdsScans.find('dom_1');
  };

  it('sets the DS records that every nameserver asks for, with the keys for registries that take keys', async () => {
    expect(await scan()).toMatchObject({ outcome: 'changed', reason: null, inception: 1_000 });
    expect(sent).toEqual(sets(NEW));
  });

  it('changes nothing if the registry has what the zone asks for', async () => {
    present = [signerOf(NEW)];

    expect(await scan()).toMatchObject({ outcome: 'unchanged' });
    expect(sent).toEqual([]);
  });

  it('changes nothing if the registry has the keys that the zone asks for with digests that it chose', async () => {
    present = [dsRecordOf('example.com', NEW, 4)];
    const sha384 = await scan();
    present = [signerOf(NEW), dsRecordOf('example.com', NEW, 4)];
    const both = await scan();

    expect([sha384?.outcome, both?.outcome]).toEqual(['unchanged', 'unchanged']);
    expect(sent).toEqual([]);
  });

  it('does not ask the registry if the zone has no CDS and CDNSKEY records', async () => {
    everywhere(asking([]));

    expect(await scan()).toMatchObject({ outcome: 'none' });
    expect(registryReads).toBe(0);
  });

  it('is refused if the registry does not return the DS records, and the domain is checked at once, because it may have been lost', async () => {
    rejection = new RegistryRejected('not_held', 'another registrar holds it');

    const found = await scan();

    expect(found).toMatchObject({
      outcome: 'refused',
      reason: 'the registry does not return the DS records: another registrar holds it',
    });
    expect(around.storage.tables.domains.get('dom_1')?.dueAt).toEqual(around.lifecycleClock.now());
    expect(sent).toEqual([]);
  });

  it('is refused if the nameservers differ, or one does not answer', async () => {
    answers = { ...answers, 'ns2.elsewhere.net': asking([OLD]) };
    const different = await scan();
    answers = { ...answers, 'ns2.elsewhere.net': undefined };
    const silent = await scan();

    expect(different?.reason).toBe('ns1.elsewhere.net and ns2.elsewhere.net ask for different DS records');
    expect(silent?.reason).toBe('ns2.elsewhere.net does not answer for example.com over TCP');
    expect(sent).toEqual([]);
  });

  it('has a refusal in the activity log once, until the reason changes, and nothing of a zone that asks for nothing', async () => {
    answers = { 'ns1.elsewhere.net': asking([]), 'ns2.elsewhere.net': undefined };
    await scan();
    const unasked = logged();
    answers = { 'ns1.elsewhere.net': asking([NEW]), 'ns2.elsewhere.net': asking([OLD]) };
    await scan();
    await scan();
    const different = logged();
    answers = { ...answers, 'ns2.elsewhere.net': undefined };
    await scan();

    expect(unasked).toEqual([]);
    expect(different).toEqual([
      ['domain.cds_refused', SERVICE, 'ns1.elsewhere.net and ns2.elsewhere.net ask for different DS records'],
    ]);
    expect(logged().slice(1)).toEqual([
      ['domain.cds_refused', SERVICE, 'ns2.elsewhere.net does not answer for example.com over TCP'],
    ]);
  });

  it('refuses signatures that begin before those that were accepted last, also after a refusal', async () => {
    await scan();
    present = [signerOf(NEW)];
    everywhere(asking([OLD], 999));
    const first = await scan();
    const second = await scan();
    everywhere(asking([OLD, NEW], 1_001));
    const later = await scan();

    expect([first?.outcome, second?.outcome]).toEqual(['refused', 'refused']);
    expect(second?.reason).toContain('older signatures than those that were accepted before');
    expect(later).toMatchObject({ outcome: 'changed', inception: 1_001 });
    expect(sent).toEqual([...sets(NEW), ...sets(OLD, NEW)]);
  });

  it('removes the DS records if the zone asks for that alone (RFC 8078)', async () => {
    const deletion = { keyTag: 0, algorithm: 0, digestType: 0, digest: '00' };
    const { keys, cds, cdnskeys } = asking([]);
    everywhere({ keys, cds: { ...cds, records: [deletion, signerOf(NEW)] }, cdnskeys });
    const mixed = await scan();
    everywhere({ keys, cds: { ...cds, records: [deletion] }, cdnskeys });
    const alone = await scan();

    expect(mixed).toMatchObject({ outcome: 'refused' });
    expect(alone).toMatchObject({ outcome: 'changed' });
    expect(sent).toEqual(sets());
  });

  it('refuses a request that no key of the present DS records signs', async () => {
    present = [signerOf(keyOf(3))];

    expect((await scan())?.reason).toContain('no valid signature by a key of the DS records');
    expect(sent).toEqual([]);
  });

  describe('of a zone without DS records', () => {
    beforeEach(() => (present = []));

    it('sets none under the policy for rollovers', async () => {
      expect(await scan('rollovers')).toMatchObject({ outcome: 'refused' });
      expect(sent).toEqual([]);
    });

    it('sets them when the zone has asked for the same at every scan of three days', async () => {
      const outcomes: (string | undefined)[] = [];
      for (const [wanted, days] of [
        [OLD, 0],
        [OLD, 2],
        [NEW, 1],
        [NEW, 2],
        [NEW, 1],
      ] as const) {
        around.clock.advance({ ms: days * DAY_MS });
        everywhere(asking([wanted]));
        outcomes.push((await scan('delayed'))?.outcome);
      }

      expect(outcomes).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'changed']);
      expect(sent).toEqual(sets(NEW));
    });

    it('starts to wait again after a refusal', async () => {
      await scan('delayed');
      everywhere(undefined);
      await scan('delayed');
      everywhere(asking([NEW]));
      around.clock.advance({ ms: 4 * DAY_MS });

      expect(await scan('delayed')).toMatchObject({ outcome: 'waiting', waiting: { since: around.clock.now() } });
    });

    it('sets those that the operators of all nameservers confirm (RFC 9615)', async () => {
      const missing = await scan('authenticated');
      confirmed = { cds: [signerOf(OLD)], cdnskeys: [OLD] };
      const other = await scan('authenticated');
      confirmed = { cds: [signerOf(NEW)], cdnskeys: [NEW] };
      const same = await scan('authenticated');

      expect([missing, other, same].map((state) => state?.outcome)).toEqual(['refused', 'refused', 'changed']);
      expect(sent).toEqual(sets(NEW));
    });
  });

  it('stores nothing if the nameservers have changed, or the service has begun to sign the zone', async () => {
    const { storage, lifecycleClock } = around;
    const request = ZoneSigning.request('dom_1', 'nsec', lifecycleClock.now());
    await storage.run(({ zoneSignings }) => zoneSignings.add(request));
    const signed = await scan();
    await storage.run(({ zoneSignings }) => zoneSignings.remove('dom_1'));
    const moved = { id: 'dom_1', accountId: OURS.accountId, name: 'example.com', nameservers: ['ns1.elsewhere.net'] };
    await scanChild.execute(moved, 'rollovers');

    expect([signed, await storage.cdsScans.find('dom_1')]).toEqual([undefined, undefined]);
    expect(sent).toEqual([]);
  });
});
