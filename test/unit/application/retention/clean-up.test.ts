import { CleanUp } from '../../../../src/application/retention/clean-up';
import type { AgingKind, ExpiredRows, Removal } from '../../../../src/application/ports/storage/expired-rows';
import { MovableClock } from '../../../support/fakes/movable-clock';
import { RecordingLog } from '../../../support/fakes/recording-log';

const RETENTION = {
  auditDays: 5,
  operationDays: 4,
  personalDataDays: 1,
  endedDomainDays: 2,
  messageDays: 3,
  mailDays: 90,
  deliveryDays: 30,
};

/** Tables of which only the number of expired rows matters. */
class Backlog implements ExpiredRows {
  readonly batches: { readonly kind: string; readonly limit: number; readonly before: Date }[] = [];
  readonly failing = new Set<AgingKind>();

  constructor(readonly rows: Record<string, number>) {}

  async remove(kind: AgingKind, before: Date, limit: number): Promise<Removal> {
    if (this.failing.has(kind)) throw new Error('the database is away');
    return this.take(kind, before, limit);
  }

  async removeZoneHistory(before: Date, _versions: number, limit: number): Promise<Removal> {
    return this.take('zone history', before, limit);
  }

  private take(kind: string, before: Date, limit: number): Removal {
    this.batches.push({ kind, limit, before });
    const removed = Math.min(this.rows[kind] ?? 0, limit);
    this.rows[kind] = (this.rows[kind] ?? 0) - removed;
    return { removed, more: removed === limit };
  }
}

describe('clean-up of expired rows', () => {
  const log = new RecordingLog();
  const cleanUpOf = (backlog: Backlog) =>
    new CleanUp(
      backlog,
      RETENTION,
      { days: 90, versions: 100 },
      new MovableClock('2026-01-10T00:00:00Z'),
      new MovableClock('2030-01-10T00:00:00Z'),
      log,
    );

  it('removes a backlog in batches of at most 1,000 rows', async () => {
    const backlog = new Backlog({ 'stored responses': 12_345 });

    await cleanUpOf(backlog).run();

    expect(backlog.rows['stored responses']).toBe(0);
    expect(Math.max(...backlog.batches.map(({ limit }) => limit))).toBe(1_000);
  });

  it('waits for the run before it, whose locked rows it would skip', async () => {
    const backlog = new Backlog({ 'stored responses': 150 });
    const cleanUp = cleanUpOf(backlog);

    await Promise.all([cleanUp.run(), cleanUp.run()]);

    const kinds = backlog.batches.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('handovers')).toBeGreaterThan(kinds.indexOf('mails'));
    expect(backlog.rows['stored responses']).toBe(0);
  });

  it('lets the kinds take turns, so that a backlog of one does not delay the others', async () => {
    const backlog = new Backlog({ 'stored responses': 500, 'audit entries': 500 });

    await cleanUpOf(backlog).run();

    const kinds = backlog.batches.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('stored responses')).toBeGreaterThan(kinds.indexOf('audit entries'));
    expect(kinds.lastIndexOf('audit entries')).toBeGreaterThan(kinds.indexOf('stored responses', 1));
  });

  it('counts the retention of domains, operations and audit entries in the time in which domains live', async () => {
    const backlog = new Backlog({});

    await cleanUpOf(backlog).run();

    const cutoffs = Object.fromEntries(
      backlog.batches.map(({ kind, before }) => [kind, before.toISOString().slice(0, 10)]),
    );
    expect(cutoffs).toMatchObject({
      'personal data': '2030-01-09',
      'ended domains': '2030-01-08',
      operations: '2030-01-06',
      'audit entries': '2030-01-05',
      events: '2030-01-05',
      'used challenges': '2026-01-10',
      'unprocessed messages': '2026-01-07',
      'stored responses': '2026-01-10',
      // The registrants that a bulk job has are personal data.
      'bulk jobs': '2026-01-09',
      imports: '2025-12-11',
      'expired API keys': '2026-01-05',
      'unread publications': '2025-12-11',
    });
  });

  it('continues with the other kinds if one fails, logs the failure, and retries it in the next run', async () => {
    const backlog = new Backlog({ 'stored responses': 5, 'audit entries': 5 });
    backlog.failing.add('stored responses');
    const cleanUp = cleanUpOf(backlog);

    await cleanUp.run();
    const left = { ...backlog.rows };
    backlog.failing.clear();
    await cleanUp.run();

    expect(left).toMatchObject({ 'stored responses': 5, 'audit entries': 0 });
    expect(backlog.rows).toMatchObject({ 'stored responses': 0 });
    expect(log.entries.map(({ message }) => message).slice(-4)).toEqual([
      'removing expired rows failed and is retried',
      'removed expired rows',
      'removing expired rows works again',
      'removed expired rows',
    ]);
  });

  it('removes zone history and expired keys once an hour, and in the next run after a failure', async () => {
    const backlog = new Backlog({ 'zone history': 5, 'expired API keys': 5 });
    backlog.failing.add('expired API keys');
    const cleanUp = cleanUpOf(backlog);

    await cleanUp.run();
    backlog.failing.clear();
    await cleanUp.run();
    await cleanUp.run();

    expect(backlog.rows).toMatchObject({ 'zone history': 0, 'expired API keys': 0 });
    for (const each of ['zone history', 'expired API keys'])
      expect(backlog.batches.filter(({ kind }) => kind === each)).toHaveLength(1);
  });
});
