import { setTimeout as sleep } from 'node:timers/promises';
import { SigningRunner } from '../../../src/application/dnssec/steps/signing-runner';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import { port53Missing } from '../../support/acme/port-53';
import { describeOrSkip } from '../../support/describe-or-skip';
import { LoopbackNetwork } from '../../support/dnssec/loopback-network';
import { PARENT_MISSING, ScanningParent, startResolver } from '../../support/dnssec/scanning-parent';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, startService, type Api, type TestService } from '../../support/service/service';

const NAMESERVERS = ['ns1.hoster.net', 'ns2.hoster.net'];
const POLL_INTERVAL_MS = 50;

/** As `GET …/dnssec` has them, of type 2. */
const keyTags = (body: Record<string, unknown>) =>
  (body['ds'] as { key_tag: number }[]).map(({ key_tag }) => String(key_tag));
const atParent = async (parent: ScanningParent | undefined) =>
  ((await parent?.dsRecords()) ?? []).map((line) => /\sDS\s+(\d+) 13 2 /.exec(line)?.[1]);

describeOrSkip(PARENT_MISSING ?? KNOT_MISSING ?? port53Missing())(
  'a hosted zone whose parent takes NOTIFY(CDS) (RFC 9859), with dnssec-cds of BIND',
  () => {
    const PARENTS = [
      { software: 'knot', zone: 'knot-parent.net', dsyncAt: '*._dsync' },
      { software: 'bind', zone: 'bind-parent.net', dsyncAt: '_dsync' },
    ] as const;
    let service: TestService;
    let client: Api;
    let secondary: Nameserver;
    let resolver: Nameserver;
    const parents = new Map<string, ScanningParent>();

    beforeAll(async () => {
      const network = new LoopbackNetwork();
      const endpoints = PARENTS.map(({ zone }) => ({ zone, endpoint: network.next() }));
      const port = await freePort();
      service = await startService({
        DNS_LISTEN: '127.0.0.1:0',
        DEFAULT_NAMESERVERS: NAMESERVERS.join(),
        DNSSEC_RESOLVER: `127.0.0.1:${port}`,
        ZONE_SOURCE_NETWORKS: '127.0.0.0/8',
      });
      client = api(service, await service.key(await service.account()));
      secondary = await startKnot(createInProcessAdmin(service), 'secondary');
      const childAt = { address: '127.0.0.1', port: secondary.plan.port };
      for (const [index, plan] of PARENTS.entries()) {
        const endpoint = endpoints[index]?.endpoint ?? network.next();
        const child = `child.${plan.zone}`;
        parents.set(
          plan.software,
          await ScanningParent.start({ ...plan, endpoint, child, childAt, nameservers: NAMESERVERS }),
        );
      }
      resolver = await startResolver(port, endpoints);
    });
    afterAll(async () => {
      for (const parent of parents.values()) await parent.stop();
      await resolver?.stop();
      await secondary?.stop();
      await service?.stop();
    });

    /** Lets every wait for caches end at once. */
    async function endWait(domainId: string): Promise<void> {
      await service.container.get(UnitOfWork).run(async ({ zoneSignings }) => {
        const signing = await zoneSignings.lock(domainId);
        if (!signing || signing.toState().until === null || signing.step === 'check') return;
        const past = new Date(0);
        await zoneSignings.save(ZoneSigning.fromState({ ...signing.toState(), until: past, dueAt: past }));
      });
      service.container.get(SigningRunner).wake(domainId);
    }
    async function until(path: string, isReached: (body: Record<string, unknown>) => boolean) {
      for (;;) {
        const { body } = await client.get(path).expect(200);
        if (isReached(body)) return body;
        if (body.state === 'error') throw new Error(JSON.stringify(body));
        await endWait(String(body.id).replace(/^zone_/, 'dom_'));
        await sleep(POLL_INTERVAL_MS);
      }
    }
    it.each(PARENTS)(
      'gets its DS records at $software, keeps them through a key rollover, and loses them at the end',
      async ({ software, zone }) => {
        const parent = parents.get(software);
        const { body: created } = await client.post('/api/zones', { name: `child.${zone}` }).expect(201);
        const path = `/api/zones/${created.id}/dnssec`;

        await client.put(path, { enabled: true }).expect(200);
        const active = await until(path, ({ state }) => state === 'active');
        const first = await atParent(parent);
        await client.post(`${path}/roll`).expect(200);
        const rolled = await until(path, ({ rollover }) => rollover === false);
        const second = await atParent(parent);
        await client.put(path, { enabled: false }).expect(200);
        await until(path, ({ state }) => state === 'off');

        expect(active.parent.notice).toMatchObject({ outcome: 'accepted', error: null });
        expect(first).toEqual(keyTags(active));
        expect(second).toEqual(keyTags(rolled));
        expect(second).not.toEqual(first);
        expect(await atParent(parent)).toEqual([]);
        // The first DS records, both, the new ones, none: dnssec-cds accepted each of them.
        expect(parent?.verdicts).toEqual(['accepted', 'accepted', 'accepted', 'deleted']);
      },
    );
  },
);
