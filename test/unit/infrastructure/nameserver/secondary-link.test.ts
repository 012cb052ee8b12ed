import type { Secondary } from '../../../../src/domain/dns/secondary';
import { NameserverClient, type VersionAnswer } from '../../../../src/infrastructure/nameserver/nameserver-client';
import { SecondaryLink, type TrackedZone } from '../../../../src/infrastructure/nameserver/secondary-link';
import { Sightings } from '../../../../src/infrastructure/nameserver/sightings';
import { MovableClock } from '../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../support/fakes/recording-log';

// Jest's clock moves the timers of the globals only.
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

const CATALOG = 'catalog.example';
const ZONE = 'example.com';
const ANSWERS_WITHIN_MS = 1_000;
const MINUTE_MS = 60_000;
const SECONDARY: Secondary = {
  name: 'ns1',
  endpoint: { address: '192.0.2.1', port: 53 },
  keyName: 'key',
  signs: false,
  createdAt: new Date(0),
};

/** A nameserver that serves what a test gives it, and keeps what it is told; no packet is sent. */
class FakeNameserver extends NameserverClient {
  readonly serves = new Map<string, number>();
  readonly told: string[] = [];
  isSilent = false;

  override notify({ zoneName }: { readonly zoneName: string }): void {
    if (!this.isSilent) this.told.push(zoneName);
  }

  override async version({ zoneName }: { readonly zoneName: string }): Promise<VersionAnswer> {
    if (this.isSilent) {
      await new Promise((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS));
      return { kind: 'unreachable' };
    }
    const version = this.serves.get(zoneName);
    return version === undefined ? { kind: 'unknown_zone' } : { kind: 'serves', version };
  }

  times(zoneName: string): number {
    return this.told.filter((name) => name === zoneName).length;
  }
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a secondary', () => {
  let nameserver: FakeNameserver;
  let link: SecondaryLink;
  let log: RecordingLog;
  let arrivals: number;
  /** What is served, by name. */
  let zones: Map<string, TrackedZone>;

  const change = (version: number, zoneName = ZONE) => {
    zones.set(zoneName, { zoneName, version });
    link.track({ zoneName, version });
  };

  beforeEach(async () => {
    jest.useFakeTimers();
    nameserver = new FakeNameserver(ANSWERS_WITHIN_MS);
    log = new RecordingLog();
    arrivals = 0;
    zones = new Map();
    link = new SecondaryLink({
      secondary: SECONDARY,
      key: { name: 'key', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) },
      client: nameserver,
      sightings: new Sightings(),
      clock: new MovableClock(),
      log,
      catalogZone: CATALOG,
      current: async (zoneName) => zones.get(zoneName),
      onArrival: () => void (arrivals += 1),
    });
    nameserver.serves.set(CATALOG, 1);
    nameserver.serves.set(ZONE, 1);
    link.start();
    await pass(0);
  });

  afterEach(() => {
    link.stop();
    jest.useRealTimers();
  });

  it('is told of a change at once', async () => {
    change(2);
    await pass(5);

    expect(nameserver.told).toEqual([ZONE]);
  });

  it('is told again, ever more rarely, while it does not serve the change', async () => {
    change(2);
    const times: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      const before = nameserver.times(ZONE);
      await pass(MINUTE_MS);
      times.push(nameserver.times(ZONE) - before);
    }

    expect(times[0]).toBeGreaterThanOrEqual(5);
    expect(times.at(-1)).toBeGreaterThanOrEqual(1);
    expect(times.at(-1)).toBeLessThanOrEqual(2);
  });

  it('is told no more of a change that it serves, nor when it is heard of again', async () => {
    change(2);
    await pass(2_000);
    nameserver.serves.set(ZONE, 2);
    await pass(MINUTE_MS);
    const told = nameserver.told.length;

    change(2);
    await pass(60 * MINUTE_MS);

    expect(nameserver.told).toHaveLength(told);
    expect(link.backlog).toBe(0);
  });

  it('is told of a change that is newer than what it was seen to serve', async () => {
    change(2);
    nameserver.serves.set(ZONE, 2);
    await pass(MINUTE_MS);
    const told = nameserver.times(ZONE);

    change(3);
    await pass(5);

    expect(nameserver.times(ZONE)).toBe(told + 1);
  });

  it('is not told of what it serves already where nobody changed it', async () => {
    link.track({ zoneName: ZONE, version: 1 }, { quiet: true });
    await pass(MINUTE_MS);

    expect(nameserver.told).toEqual([]);
    expect(link.backlog).toBe(0);
  });

  it('is told no more of a zone that is not served any more', async () => {
    change(2);
    await pass(5);
    zones.delete(ZONE);
    await pass(MINUTE_MS);
    const told = nameserver.told.length;

    await pass(60 * MINUTE_MS);

    expect(nameserver.told).toHaveLength(told);
  });

  it('is told of nothing by a link that was stopped', async () => {
    change(2);
    await pass(5);
    link.stop();
    const told = nameserver.told.length;

    change(3);
    await pass(60 * MINUTE_MS);

    expect(nameserver.told).toHaveLength(told);
  });

  it('that does not know a zone is told of the catalog that lists it', async () => {
    change(1, 'new.com');
    await pass(MINUTE_MS);

    expect(nameserver.times(CATALOG)).toBeGreaterThan(0);
  });

  it('is away when it does not answer, and is there again when it does', async () => {
    nameserver.isSilent = true;
    change(2);
    await pass(MINUTE_MS);
    expect([link.backlog, arrivals]).toEqual([0, 1]);

    nameserver.isSilent = false;
    await pass(MINUTE_MS);

    expect(arrivals).toBe(2);
    expect(log.entries.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('is told of what changes after it came back', async () => {
    nameserver.isSilent = true;
    change(2);
    await pass(MINUTE_MS);
    nameserver.isSilent = false;
    await pass(MINUTE_MS);

    change(2);
    await pass(5);

    expect(nameserver.times(ZONE)).toBe(1);
  });
});
