import { ReplicaWatch } from '../../../../src/application/shared/replica-watch';
import type { Replicas, ReplicaState } from '../../../../src/application/ports/storage/replicas';
import { loadConfig } from '../../../../src/config';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { EppSessionPool } from '../../../../src/infrastructure/registry/epp/session/epp-session-pool';
import { openRegistries } from '../../../../src/infrastructure/registry/routing/open-registries';
import { DEFAULT_LIMITS } from '../../../../src/infrastructure/registry/routing/registry-limits';
import { SOME_TLDS } from '../../../support/data/some-tlds';
import { MovableClock } from '../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../support/fakes/recording-log';
import { ScriptedRegistry } from '../../../support/fakes/scripted-registry';

const SESSIONS = 4;
const SECOND = 1_000;

/** The table that all processes share. */
class StoredReplicas implements Replicas {
  readonly rows = new Map<string, number>();

  async beat(id: string, dead: readonly ReplicaState[]): Promise<readonly ReplicaState[]> {
    this.rows.set(id, (this.rows.get(id) ?? 0) + 1);
    for (const { id: deadId, beats } of dead) if (this.rows.get(deadId) === beats) this.rows.delete(deadId);
    return [...this.rows].filter(([other]) => other !== id).map(([other, beats]) => ({ id: other, beats }));
  }

  async remove(id: string): Promise<void> {
    this.rows.delete(id);
  }
}

describe('processes that share the sessions of a registry', () => {
  const log = new RecordingLog();
  const replicas = new StoredReplicas();
  const watches: ReplicaWatch[] = [];
  let open = 0;
  let mostOpen = 0;

  const openSession = async () => {
    mostOpen = Math.max(mostOpen, (open += 1));
    const close = async () => {
      if (session.usable) open -= 1;
      session.usable = false;
    };
    const session = { usable: true, openedAt: Date.now(), keepAlive: async () => undefined, close };
    return session;
  };

  /** Starts a process, which searches as often as it may: every search takes a tenth of a second of a session. */
  async function startProcess() {
    const settings = { keepAliveMs: 1e9, lifetimeMs: 1e9, acquireTimeoutMs: 60 * SECOND };
    const pool = new EppSessionPool(openSession, { registry: 'one', maxSessions: SESSIONS, ...settings }, log);
    const tlds = SOME_TLDS.filter(({ suffix }) => suffix === 'com');
    const port = new ScriptedRegistry(new MovableClock(), tlds);
    jest.spyOn(port, 'check').mockImplementation(() =>
      pool.use(async () => {
        await new Promise((resolve) => void setTimeout(resolve, SECOND / 10));
        return [];
      }),
    );
    const factory = async () => ({
      port,
      shareAmong: (processes: number) => pool.shareAmong(processes),
      close: () => pool.close(),
    });
    const definition = { name: 'one', adapter: 'epp', folder: '.', settings: {}, accounts: [], limits: DEFAULT_LIMITS };
    const { port: router, shareAmong } = await openRegistries([{ ...definition, tlds, factory }], {
      clock: new MovableClock(),
      log,
      currency: 'EUR',
      mainDatabase: loadConfig({}).database,
    });
    const watch = new ReplicaWatch(replicas, log);
    watch.start({ onCount: shareAmong });
    watches.push(watch);
    let searches = 0;
    const search = async (): Promise<void> => {
      await router.check([DomainName.parse('a.com')]).then(
        () => void (searches += 1),
        () => undefined,
      );
      return search();
    };
    for (let task = 0; task < SESSIONS; task += 1) void search();
    return { searches: () => searches };
  }

  beforeEach(() => void jest.useFakeTimers());
  afterEach(async () => {
    await Promise.all(watches.splice(0).map((watch) => watch.stop()));
    jest.useRealTimers();
  });

  it('never open more than it allows while others start, and a new one waits at most 4 seconds', async () => {
    const first = await startProcess();
    await jest.advanceTimersByTimeAsync(SECOND);
    expect([open, first.searches() > 0]).toEqual([SESSIONS, true]);

    replicas.rows.set('of a killed process', 7);
    await jest.advanceTimersByTimeAsync(2.5 * SECOND);
    const others = [await startProcess()];
    await jest.advanceTimersByTimeAsync(4.1 * SECOND);
    others.push(await startProcess());
    await jest.advanceTimersByTimeAsync(4.1 * SECOND);

    expect(others.map(({ searches }) => searches() > 0)).toEqual([true, true]);
    expect(mostOpen).toBe(SESSIONS);
  });
});
