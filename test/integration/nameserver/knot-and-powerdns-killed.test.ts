import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { fullOwnerName } from '../../../src/domain/dns/records/record-name';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { POWERDNS_MISSING, startPowerdns } from '../../support/nameservers/powerdns';
import { createCliAdmin } from '../../support/nameservers/primary';
import { SEED, seeded } from '../../support/seeded';
import { api, registered, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { describeOrSkip } from '../../support/describe-or-skip';

const MISSING = KNOT_MISSING ?? POWERDNS_MISSING;
const ZONES = ['first', 'second', 'third', 'fourth'].map((label) => `${label}-to-last.com`);
const PUBLICATION_TIMEOUT_MS = 180_000;

interface Kill {
  readonly target: 'service' | 'knot' | 'powerdns';
  readonly writes: readonly { readonly zone: number; readonly host: number; readonly address: number }[];
  /** From the first write to the kill; writes continue during it. */
  readonly afterMs: number;
}

const kills = fc.array(
  fc.record({
    target: fc.constantFrom('service' as const, 'knot' as const, 'powerdns' as const),
    writes: fc.array(fc.record({ zone: fc.nat(ZONES.length - 1), host: fc.nat(20), address: fc.nat(255) }), {
      minLength: 3,
      maxLength: 12,
    }),
    afterMs: fc.nat(60),
  }),
  { minLength: 9, maxLength: 9 },
);

describeOrSkip(MISSING)(`Knot and PowerDNS under random kills (seed ${SEED})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-killed-'));
  let settings: Record<string, string>;
  let service: ServiceProcess;
  let key: string;
  let client: Api;
  let knot: Nameserver;
  let powerdns: Nameserver;
  const ids: string[] = [];

  const startService = async (): Promise<void> => {
    service = startProcess(settings);
    client = api({ server: await addressOf(service) }, (key ??= await firstKeyOf(service)));
  };
  const killService = async (): Promise<void> => {
    service.signal('SIGKILL');
    await service.ended;
  };

  beforeAll(async () => {
    build();
    settings = {
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
      DNS_LISTEN: `127.0.0.1:${await freePort()}`,
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SECRET_KEY: randomBytes(32).toString('base64'),
    };
    await startService();
    const admin = createCliAdmin(settings);
    knot = await startKnot(admin, 'knot');
    powerdns = await startPowerdns(admin, 'powerdns');
    for (const zone of ZONES) ids.push(await registered(client, zone));
  });

  afterAll(async () => {
    await killService();
    for (const server of [knot, powerdns]) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A kill may interrupt a write; the test reads the outcome at the end. */
  const write = async ({ zone, host, address }: Kill['writes'][number]): Promise<void> => {
    const records = `/api/domains/${ids[zone]}/dns/records`;
    try {
      const { body: found } = await client.get(`${records}?name=h${host}`);
      if (found.length === 0)
        await client.post(records, { type: 'A', name: `h${host}`, content: `192.0.2.${address}` });
      else if (address % 3 === 0) await client.delete(`${records}/${found[0].id}`);
      else await client.put(`${records}/${found[0].id}`, { content: `192.0.2.${address}` });
    } catch {
      // The service was killed during the write.
    }
  };

  const killAndRestart = async (target: Kill['target']): Promise<void> => {
    if (target === 'service') {
      await killService();
      await startService();
    } else {
      const server = target === 'knot' ? knot : powerdns;
      await server.kill();
      await server.start();
    }
  };

  it('serve every stored record after the service and the secondaries were killed during writes', async () => {
    for (const { target, writes, afterMs } of fc.sample(kills, seeded(1))[0] ?? []) {
      const writing = (async () => {
        for (const one of writes) await write(one);
      })();
      await sleep(afterMs);
      await killAndRestart(target);
      await writing;
    }

    const deadline = Date.now() + PUBLICATION_TIMEOUT_MS;
    for (const id of ids) {
      while (!(await client.get(`/api/domains/${id}/dns/status`)).body.published) {
        if (Date.now() > deadline)
          throw new Error(`not published: ${JSON.stringify((await client.get(`/api/domains/${id}/dns/status`)).body)}`);
        await sleep(100);
      }
    }
    for (const [index, id] of ids.entries()) {
      const { body: stored } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
      const zone = ZONES[index] ?? '';
      const questions = Array.from({ length: 21 }, (_, host) => ({ name: `h${host}.${zone}`, type: 'A' }));
      const expected = Object.fromEntries(
        (stored as { name: string; content: string }[]).map(({ name, content }) => [
          `${fullOwnerName(name, zone)} A`,
          [content],
        ]),
      );
      for (const server of [knot, powerdns]) {
        const sets = Object.fromEntries(
          [...(await server.queryRrsets(questions))].filter(([set]) => set.endsWith(' A')),
        );
        expect({ server: server.plan.name, zone, sets }).toEqual({ server: server.plan.name, zone, sets: expected });
      }
    }
  });
});
