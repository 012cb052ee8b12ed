import { addObserver } from '../../../../../src/application/shared/observation';
import type { Secondary } from '../../../../../src/domain/dns/secondaries/secondary';
import { NameserverClient, type SerialResult } from '../../../../../src/infrastructure/nameserver/nameserver-client';
import { NOTIFY_TIMES } from '../../../../../src/infrastructure/nameserver/notify/notify-times';
import { SecondaryLink, type TrackedZone } from '../../../../../src/infrastructure/nameserver/notify/secondary-link';
import { ServedSerials } from '../../../../../src/infrastructure/nameserver/notify/served-serials';
import { MovableClock } from '../../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../../support/fakes/recording-log';

// Jest's fake timers do not cover node:timers/promises.
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

const CATALOG = 'catalog.example';
const ZONE = 'example.com';
const TIMEOUT_MS = 1_000;
const MINUTE_MS = 60_000;
const SECONDARY: Secondary = {
  name: 'ns1',
  endpoint: { address: '192.0.2.1', port: 53 },
  keyName: 'key',
  signs: false,
  createdAt: new Date(0),
};

/** Answers with the versions that a test sets, and records NOTIFY messages, without a network. */
class FakeNameserver extends NameserverClient {
  readonly serves = new Map<string, number>();
  readonly notified: string[] = [];
  isUnreachable = false;
  /** Receives messages and answers none. */
  isSilent = false;

  override notify({ zoneName }: { readonly zoneName: string }): void {
    if (!this.isUnreachable) this.notified.push(zoneName);
  }

  override async querySerial({ zoneName }: { readonly zoneName: string }): Promise<SerialResult> {
    if (this.isUnreachable || this.isSilent) {
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
      return { kind: 'unreachable' };
    }
    const serial = this.serves.get(zoneName);
    return serial === undefined ? { kind: 'unknown_zone' } : { kind: 'serves', serial };
  }

  notifyCount(zoneName: string): number {
    return this.notified.filter((name) => name === zoneName).length;
  }
}

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('the link to a secondary', () => {
  let nameserver: FakeNameserver;
  let link: SecondaryLink;
  let log: RecordingLog;
  let clock: MovableClock;
  let reachableCalls: number;
  let served: [zoneName: string, serial: number][];
  /** The served zones by name. */
  let zones: Map<string, TrackedZone>;

  const change = (serial: number, zoneName = ZONE) => {
    zones.set(zoneName, { zoneName, serial });
    link.track({ zoneName, serial });
  };

  beforeEach(async () => {
    jest.useFakeTimers();
    nameserver = new FakeNameserver(TIMEOUT_MS);
    log = new RecordingLog();
    clock = new MovableClock();
    reachableCalls = 0;
    served = [];
    zones = new Map();
    link = new SecondaryLink({
      secondary: SECONDARY,
      key: { name: 'key', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) },
      client: nameserver,
      servedSerials: new ServedSerials(),
      clock,
      log,
      catalogZone: CATALOG,
      findZone: async (zoneName) => zones.get(zoneName),
      onReachable: () => void (reachableCalls += 1),
      onServed: ({ zoneName, serial }) => void served.push([zoneName, serial]),
      times: NOTIFY_TIMES,
    });
    nameserver.serves.set(CATALOG, 1);
    nameserver.serves.set(ZONE, 1);
    link.start();
    await advance(0);
  });

  afterEach(() => {
    link.stop();
    jest.useRealTimers();
  });

  it('sends NOTIFY for a change at once', async () => {
    change(2);
    await advance(5);

    expect(nameserver.notified).toEqual([ZONE]);
  });

  it('tells which serial the secondary serves, again if it is asked about one that it is known to serve', async () => {
    change(2);
    await advance(50);
    const before = [...served];
    nameserver.serves.set(ZONE, 3);
    await advance(1_000);
    link.track({ zoneName: ZONE, serial: 2 }, { checkFirst: true });

    expect(before).toEqual([]);
    expect(served).toEqual([
      [ZONE, 3],
      [ZONE, 2],
    ]);
    expect([link.mayServe(ZONE), link.mayServe('other.example')]).toEqual([true, true]);
  });

  it('sends NOTIFY for a change before the queries of a comparison, even if none of those is answered', async () => {
    nameserver.isSilent = true;
    for (let index = 0; index < 2_000; index += 1)
      link.track({ zoneName: `${index}.example`, serial: 1 }, { checkFirst: true });
    await advance(500);
    change(2);
    await advance(5);

    expect(nameserver.notified).toEqual([ZONE]);
  });

  it('repeats NOTIFY with growing intervals until the secondary serves the change', async () => {
    change(2);
    const times: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      const before = nameserver.notifyCount(ZONE);
      await advance(MINUTE_MS);
      times.push(nameserver.notifyCount(ZONE) - before);
    }

    expect(times[0]).toBeGreaterThanOrEqual(5);
    expect(times.at(-1)).toBeGreaterThanOrEqual(1);
    expect(times.at(-1)).toBeLessThanOrEqual(2);
  });

  it('stops sending NOTIFY once the secondary serves the change, even if the change is tracked again', async () => {
    change(2);
    await advance(2_000);
    nameserver.serves.set(ZONE, 2);
    await advance(MINUTE_MS);
    const notified = nameserver.notified.length;

    change(2);
    await advance(60 * MINUTE_MS);

    expect(nameserver.notified).toHaveLength(notified);
    expect(link.backlog).toBe(0);
  });

  it('sends NOTIFY for a version that is newer than the served one', async () => {
    change(2);
    nameserver.serves.set(ZONE, 2);
    await advance(MINUTE_MS);
    const notified = nameserver.notifyCount(ZONE);

    change(3);
    await advance(5);

    expect(nameserver.notifyCount(ZONE)).toBe(notified + 1);
  });

  it('sends no NOTIFY with checkFirst if the secondary serves the version already', async () => {
    link.track({ zoneName: ZONE, serial: 1 }, { checkFirst: true });
    await advance(MINUTE_MS);

    expect(nameserver.notified).toEqual([]);
    expect(link.backlog).toBe(0);
  });

  it('stops sending NOTIFY for a zone that is no longer served', async () => {
    change(2);
    await advance(5);
    zones.delete(ZONE);
    await advance(MINUTE_MS);
    const notified = nameserver.notified.length;

    await advance(60 * MINUTE_MS);

    expect(nameserver.notified).toHaveLength(notified);
  });

  it('sends no NOTIFY after it is stopped', async () => {
    change(2);
    await advance(5);
    link.stop();
    const notified = nameserver.notified.length;

    change(3);
    await advance(60 * MINUTE_MS);

    expect(nameserver.notified).toHaveLength(notified);
  });

  it('sends NOTIFY for the catalog if the secondary does not know a zone', async () => {
    change(1, 'new.com');
    await advance(MINUTE_MS);

    expect(nameserver.notifyCount(CATALOG)).toBeGreaterThan(0);
  });

  it('sends one NOTIFY for a catalog that changes with a new zone', async () => {
    nameserver.serves.delete(CATALOG);
    link.track({ zoneName: CATALOG, serial: 2 });
    change(1, 'new.com');
    await advance(500);

    expect(nameserver.notifyCount(CATALOG)).toBe(1);
  });

  it('is not behind, and publishes nothing, while a comparison checks old zones that the secondary serves', async () => {
    const published: number[] = [];
    const removeObserver = addObserver({
      around: (_activity, work) => work(),
      event: (event) => void (event.kind === 'published' && published.push(event.seconds)),
    });

    link.track({ zoneName: ZONE, serial: 1, changedAt: new Date(0) }, { checkFirst: true });
    link.track({ zoneName: CATALOG, serial: 2 });
    await advance(4);
    const { pending, behindMs } = link.status;
    await advance(MINUTE_MS);
    removeObserver();

    expect({ pending, behindMs, published }).toEqual({ pending: 0, behindMs: 0, published: [] });
  });

  it('is behind for as long as the secondary does not serve a change, even after hours', async () => {
    change(2);
    await advance(120 * MINUTE_MS);
    clock.advance({ ms: 120 * MINUTE_MS });

    expect(link.status).toMatchObject({ pending: 1, behindMs: 120 * MINUTE_MS });
  });

  it('delays the stored progress for a change that the secondary does not serve, for an hour', async () => {
    change(2);
    const changedAt = clock.now().getTime();
    await advance(59 * MINUTE_MS);
    const within = link.pendingSince;
    await advance(MINUTE_MS);

    expect([within, link.pendingSince]).toEqual([changedAt, Infinity]);
    expect(link.status.pending).toBe(1);
  });

  it('logs one warning when the secondary stops answering, and one line when it answers again', async () => {
    nameserver.isUnreachable = true;
    change(2);
    await advance(MINUTE_MS);
    expect([link.backlog, reachableCalls]).toEqual([0, 1]);

    nameserver.isUnreachable = false;
    await advance(MINUTE_MS);

    expect(reachableCalls).toBe(2);
    expect(log.entries.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('sends NOTIFY for changes after an outage of the secondary', async () => {
    nameserver.isUnreachable = true;
    change(2);
    await advance(MINUTE_MS);
    nameserver.isUnreachable = false;
    await advance(MINUTE_MS);

    change(2);
    await advance(5);

    expect(nameserver.notifyCount(ZONE)).toBe(1);
  });
});
