import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { ZoneSigningReader } from '../../../src/application/ports/dns/signing-repository';
import { loadConfig } from '../../../src/config';
import { createContainer, type RunningContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import { DomainName } from '../../../src/domain/shared/domain-name';
import type { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { DNSSEC_STEPS, startToKill, type KillMoment } from '../../crash/killed-at-dnssec-step';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { api, registered, type Api } from '../../support/service/service';
import { addressOf, build, type ServiceProcess } from '../../support/service/service-process';

const NAME = 'killed-chain.com';
/** The secondary serves it for any zone, so that no step waits for a transfer. */
const FAR_SERIAL = 100_000;
const killAt = (step: string) => `${step} before` as const;
const DEAD = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** While DS records are sent, the registry may not have what was promised. */
const SENDING = /^DS$|_ds( confirmed)?$/;

interface Report {
  readonly state: string;
  readonly waits_for: string | null;
  readonly rollover: boolean;
}

interface Phase {
  readonly title: string;
  readonly steps: readonly string[];
  readonly request: (caller: Api, path: string) => PromiseLike<unknown>;
  readonly isDone: (report: Report) => boolean;
  readonly keyCount: number;
}

// On SQLite, the campaign dnssec-years kills the service after each commit, and asks validators.
describeOrSkip(MYSQL_MISSING)('a service on MySQL that is killed before the commit of each step of DNSSEC', () => {
  let mysql: MysqlServer;
  let folder: string;
  let settings: Record<string, string>;
  let reader: RunningContainer;
  let registry: SimulatedRegistry;
  let secondary: StubNameserver;
  let service: ServiceProcess;
  let key: string;
  let id: string;

  beforeAll(async () => {
    build();
    folder = mkdtempSync(join(tmpdir(), 'namewright-crash-dnssec-'));
    mysql = await startMysql();
    const url = await mysql.createDatabase();
    secondary = await StubNameserver.start();
    secondary.serials.set(NAME, FAR_SERIAL);
    settings = {
      PORT: '0',
      DATABASE_URL: url,
      SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '1000',
      DNS_LISTEN: 'off',
    };
    reader = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
    const { container } = reader;
    const { id: accountId } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Killed' });
    const issued = { accountId, actor: OPERATOR, name: 'REST', scope: 'WRITE' } as const;
    key = (await container.get(IssueApiKey).execute(issued)).text;
    await container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
    const endpoint = { address: `127.0.0.1:${secondary.port}`, signs: false };
    await container.get(AddSecondary).execute({ name: 'stub', ...endpoint });
    registry = await openSandboxRegistry({ kind: 'mysql', url });
    start(killAt(DNSSEC_STEPS.on[0]));
    id = await registered(await client(), NAME);
  });
  afterAll(async () => {
    await kill();
    await registry?.close();
    await reader?.close();
    secondary?.stop();
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const kill = async () => {
    service?.signal('SIGKILL');
    await service?.ended;
  };
  const client = async (): Promise<Api> => api({ server: await addressOf(service) }, key);
  const stepsFile = () => join(folder, 'steps');
  const start = (at?: `${string} ${KillMoment}`) => {
    service = startToKill(settings, stepsFile(), at);
  };

  /** Moves the clock on whenever the service waits for caches, until the state is reached or the process is dead. */
  async function drive(isReached: Phase['isDone'], request?: Phase['request']): Promise<void> {
    const caller = await client();
    const path = `/api/domains/${id}/dnssec`;
    try {
      await request?.(caller, path);
      for (;;) {
        const report: Report = (await caller.get(path).expect(200)).body;
        if (isReached(report)) return;
        if (report.waits_for === 'caches' || report.waits_for === 'ds_caches') await registry.sandbox.advance(2);
        await sleep(20);
      }
    } catch (error) {
      if (!DEAD.has((error as { code?: string }).code ?? '')) throw error;
      await service.ended;
    }
  }

  /** What a dead process has left behind, as key tags. */
  async function left() {
    const ds = (await registry.dsRecords(DomainName.fromState(NAME))).map(({ keyTag }) => keyTag);
    const keys = (await reader.container.get<ZoneSigner>(ZoneSigner).find(id))?.keys.map(({ keyTag }) => keyTag) ?? [];
    const signing = await reader.container.get<ZoneSigningReader>(ZoneSigningReader).find(id);
    const promised = signing?.toState().dsRecords?.map(({ keyTag }) => keyTag) ?? [];
    return { ds, keys, promised };
  }

  const PHASES: readonly Phase[] = [
    {
      title: 'switching on',
      steps: DNSSEC_STEPS.on,
      request: (caller, path) => caller.put(path, { enabled: true }),
      isDone: ({ state }) => state === 'active',
      keyCount: 1,
    },
    {
      title: 'a key rollover',
      steps: DNSSEC_STEPS.rollover,
      request: (caller, path) => caller.post(`${path}/roll`),
      isDone: ({ rollover }) => !rollover,
      keyCount: 1,
    },
    {
      title: 'switching off',
      steps: DNSSEC_STEPS.off,
      request: (caller, path) => caller.put(path, { enabled: false }),
      isDone: ({ state }) => state === 'off',
      keyCount: 0,
    },
  ];

  // The process that ends a phase is the one that dies at the first step of the next.
  it.each(PHASES.map((phase, index) => ({ ...phase, next: PHASES[index + 1]?.steps[0] })))(
    'takes each step of $title once, with DS records that were promised and keys that the zone serves',
    async ({ steps, request, isDone, keyCount, next }) => {
      rmSync(stepsFile(), { force: true });

      for (const [at, step] of steps.entries()) {
        if (at > 0) start(killAt(step));
        await drive(() => false, at === 0 ? request : undefined);

        const { ds, keys, promised } = await left();
        expect({ step, dsWithoutKey: ds.filter((tag) => !keys.includes(tag)) }).toEqual({ step, dsWithoutKey: [] });
        if (!SENDING.test(step)) expect({ step, ds }).toEqual({ step, ds: promised });
      }
      start(next === undefined ? undefined : killAt(next));
      await drive(isDone);

      const { ds, keys, promised } = await left();
      expect({ ds, keys }).toEqual({ ds: promised, keys: promised });
      expect(keys).toHaveLength(keyCount);
      expect(readFileSync(stepsFile(), 'utf8').trim().split('\n')).toEqual(steps);
    },
  );
});
