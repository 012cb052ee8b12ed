import { CleanUp } from '../../../src/application/retention/clean-up';
import { raisePublishedVersions } from '../../../src/application/publishing/raise-published-versions';
import type { HistorySettings } from '../../../src/application/dns/dns-settings';
import type { Stores } from '../../../src/application/ports/storage/unit-of-work';
import { SERVICE } from '../../../src/domain/access/actor';
import { openAccount } from '../../../src/domain/access/account';
import { ApiKey, type ApiKeyState } from '../../../src/domain/access/api-key';
import type { AuditFact } from '../../../src/domain/access/audit-entry';
import { IdempotencyRecord } from '../../../src/domain/access/idempotency-record';
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from '../../../src/domain/access/people/session';
import type { DomainState } from '../../../src/domain/registration/domain';
import { Operation } from '../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../src/domain/registration/operations/operation-request';
import type { Database } from '../../../src/infrastructure/persistence/database/database';
import { SqlExpiredRows } from '../../../src/infrastructure/persistence/retention/sql-expired-rows';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain, A_REGISTRANT } from '../../support/data/a-domain';
import { aTransfer } from '../../support/data/a-transfer';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';
import { RecordingLog } from '../../support/fakes/recording-log';

const DAY_MS = 86_400_000;
const HISTORY: HistorySettings = { days: 10, versions: 3 };
const ENDED_DOMAINS = { personalDataDays: 30, endedDomainDays: 200 };
const RETENTION = { ...ENDED_DOMAINS, auditDays: 300, operationDays: 100, messageDays: 50, deliveryDays: 30 };

onEachDatabase('clean-up of expired rows', (database) => {
  const ids = new RandomIds();
  let [clock, lifecycleClock] = [new MovableClock(), new MovableClock()];
  let log: RecordingLog;
  let cleanUp: CleanUp;
  let accountId: string;

  beforeEach(async () => {
    clock = new MovableClock();
    lifecycleClock = new MovableClock();
    log = new RecordingLog();
    cleanUp = cleanUpOf(database());
    accountId = ids.next('acc');
    await write(({ accounts }) => accounts.add(openAccount(accountId, 'An account', clock.now())));
  });
  /** Tests share the database, but each counts only rows of its account. */
  const cleanUpOf = (all: Database) =>
    new CleanUp(new SqlExpiredRows(all), { ...RETENTION, mailDays: 90 }, HISTORY, clock, lifecycleClock, log);
  const write = <T>(work: (stores: Stores) => Promise<T>) =>
    new SqlUnitOfWork(database(), ids, clock, lifecycleClock).run(work);
  const count = async (table: string, condition: string, ...values: unknown[]) => {
    const [row] = await database().query<{ amount: number }>(
      `SELECT COUNT(*) AS amount FROM ${table} WHERE ${condition}`,
      values,
    );
    return Number(row?.amount);
  };
  const aKey = (name: string, expiresAt: Date | null, more: Partial<ApiKeyState> = {}) =>
    ApiKey.fromState({
      keyId: ids.next('op').slice(-12),
      accountId,
      name,
      scope: 'READ',
      secretDigest: 'a'.repeat(64),
      sealedTsigSecret: null,
      limits: null,
      trustRuleId: null,
      createdAt: clock.now(),
      expiresAt,
      lastUsedAt: null,
      createdBy: null,
      revokedAt: null,
      ...more,
    });
  const passDays = (days: number) => {
    clock.advance({ days });
    lifecycleClock.advance({ days });
  };

  const rowsOf = async (id: string) => [
    await count('domains', 'id = ?', id),
    await count('zones', 'domain_id = ?', id),
    await count('zone_changes', 'domain_id = ?', id),
    await count('dns_records', 'domain_id = ?', id),
    await count('operations', 'domain_id = ?', id),
  ];

  const jobRowsOf = async (id: string) => [
    await count('bulk_jobs', 'id = ?', id),
    await count('bulk_items', 'job_id = ?', id),
    await count('imports', 'id = ?', id),
    await count('import_names', 'import_id = ?', id),
  ];

  async function storedDomain(overrides: Partial<DomainState> = {}): Promise<string> {
    const id = ids.next('dom');
    await write(async ({ domains, zones }) => {
      await domains.add(
        aDomain({
          id,
          accountId,
          name: `${id.slice(4)}.com`,
          createdAt: clock.now(),
          updatedAt: lifecycleClock.now(),
          ...overrides,
        }),
      );
      await zones.create(id, { actor: SERVICE, at: clock.now() });
    });
    return id;
  }

  async function endDomain(id: string, status: 'gone' | 'transferred_out'): Promise<void> {
    await write(async ({ domains, zones }) => {
      const domain = await domains.lockAny(id);
      if (!domain) return;
      const before = domain.toState();
      domain[status === 'gone' ? 'markDeleted' : 'markTransferredOut'](lifecycleClock.now());
      await domains.save(domain);
      const [after, by] = [domain.toState(), { actor: SERVICE, at: clock.now() }];
      await raisePublishedVersions({ domains, zones }, before, after, by, () => '');
    });
  }

  async function addOperation(domainId: string, request: OperationRequest, finished = true): Promise<string> {
    const operation = Operation.queue(
      { id: ids.next('op'), accountId, actor: SERVICE, domainId, request },
      clock.now(),
    );
    if (finished) operation.succeed(clock.now());
    await write(({ operations }) => operations.add(operation));
    return operation.id;
  }

  const audited = (facts: Partial<AuditFact>) =>
    write(({ audit }) =>
      audit.append({
        accountId,
        at: clock.now(),
        actor: SERVICE,
        action: 'domain.registered',
        domain: null,
        subject: null,
        before: {},
        after: {},
        ...facts,
      }),
    );

  const versionsOf = async (domainId: string) =>
    (
      await database().query<{ version: number }>(
        'SELECT DISTINCT version FROM zone_changes WHERE domain_id = ? ORDER BY version',
        [domainId],
      )
    ).map(({ version }) => version);

  async function addVersions(domainId: string, at: readonly Date[]): Promise<void> {
    for (const instant of at) {
      await write(async ({ zones }) => {
        const zone = await zones.lock(domainId);
        if (zone)
          await zones.apply([
            { zone, change: { added: [], changed: [], removed: [] }, by: { actor: SERVICE, at: instant } },
          ]);
      });
    }
  }
  const daysFromNow = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);

  it('removes stored responses, sessions, messages and revoked API keys at the end of their retention, not earlier', async () => {
    const session = (id: string, openedMs: number, usedMs: number) => ({
      digest: `${id}${ids.next('ses')}`.slice(0, 64),
      id: ids.next('ses'),
      userId: 'usr',
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      data: '{}',
      createdAt: new Date(clock.now().getTime() - openedMs),
      lastSeenAt: new Date(clock.now().getTime() - usedMs),
      authenticatedAt: null,
      secondFactorAt: null,
    });
    const user = ids.next('usr');
    await database().transaction(async (manager) => {
      await manager.query(
        'INSERT INTO users (id, account_id, email, role, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?, NULL, 0, 0)',
        [user, accountId, `${user}@example.com`, 'owner'],
      );
    });
    const key = aKey('revoked', null, { revokedAt: clock.now() });
    await write(async ({ apiKeys, idempotencyRecords, sessions, deadLetters }) => {
      await idempotencyRecords.add(
        IdempotencyRecord.begin(
          { accountId, key: 'key', fingerprint: 'a'.repeat(64), operationId: 'op_1' },
          clock.now(),
        ),
      );
      for (const each of [
        session('old', SESSION_MAX_AGE_MS + 1, 0),
        session('idle', 0, SESSION_IDLE_MS + 1),
        session('alive', SESSION_MAX_AGE_MS - 1, SESSION_IDLE_MS - 1),
      ])
        await sessions.add({ ...each, userId: user });
      await deadLetters.keep({ registry: accountId, messageId: '1', message: '{"id":"1"}', receivedAt: clock.now() });
      await apiKeys.add(key);
    });
    const counts = async () => [
      await count('idempotency_records', 'account_id = ?', accountId),
      await count('sessions', 'user_id = ?', user),
      await count('dead_letters', 'registry = ?', accountId),
      await count('api_keys', 'account_id = ?', accountId),
    ];

    await cleanUp.run();
    const beforeExpiry = await counts();
    clock.advance({ days: 1, ms: -1 });
    await cleanUp.run();
    const afterNearlyADay = await counts();
    clock.advance({ ms: 1 });
    await cleanUp.run();
    const afterADay = await counts();
    clock.advance({ days: RETENTION.messageDays });
    await cleanUp.run();
    const afterMessages = await counts();
    clock.advance({ days: RETENTION.auditDays });
    await cleanUp.run();

    expect([beforeExpiry, afterNearlyADay, afterADay, afterMessages, await counts()]).toEqual([
      [1, 1, 1, 1],
      [1, 0, 1, 1],
      [0, 0, 1, 1],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]);
  });

  it('removes API keys that expired long ago and were never revoked, those of jobs after a week', async () => {
    await write(async ({ apiKeys }) => {
      for (const each of [aKey('short', daysFromNow(1)), aKey('long', daysFromNow(2)), aKey('for ever', null)])
        await apiKeys.add(each);
      for (const days of [1, 2])
        await apiKeys.add(aKey(days === 1 ? 'short' : 'long', null, { limits: { unusedAfterDays: days } }));
      await apiKeys.add(aKey('of a job', daysFromNow(RETENTION.auditDays - 6), { trustRuleId: 'tru_1' }));
    });

    passDays(RETENTION.auditDays + 1);
    await cleanUp.run();

    expect([
      await count('api_keys', "account_id = ? AND name = 'short'", accountId),
      await count('api_keys', "account_id = ? AND name = 'of a job'", accountId),
      await count('api_keys', 'account_id = ?', accountId),
    ]).toEqual([0, 0, 3]);
  });

  it('removes bulk jobs and imports 30 days after they finished, with items and former registrants, and no unfinished one', async () => {
    const [finished, unfinished] = [ids.next('op'), ids.next('op')];
    const common = { accountId, actor: SERVICE, createdAt: clock.now(), updatedAt: clock.now() };
    const undo = { kind: 'registrant', registrant: A_REGISTRANT } as const;
    const items = Array.from({ length: 150 }, (_, index) => ({
      domainId: `dom_${index}`,
      name: `name-${index}.com`,
      operationId: `op_${index}`,
      ownAction: null,
      undo,
      state: 'done' as const,
      attempts: 0,
      error: null,
    }));
    await write(async ({ bulkJobs, imports }) => {
      for (const id of [finished, unfinished]) {
        const finishedAt = id === finished ? clock.now() : null;
        await bulkJobs.add({ ...common, id, action: undo, total: 150, undoes: null, finishedAt }, items);
        const status = finishedAt ? ('finished' as const) : ('running' as const);
        await imports.add({ ...common, id, registry: 'simulated', status, cursor: null, error: null, finishedAt });
        await imports.addNames(id, ['a.com', 'b.com']);
      }
    });
    clock.advance({ days: 30, ms: -1 });
    await cleanUp.run();
    const before = await jobRowsOf(finished);
    clock.advance({ ms: 1 });
    await cleanUp.run();

    expect([before, await jobRowsOf(finished), await jobRowsOf(unfinished)]).toEqual([
      [1, 150, 1, 2],
      [0, 0, 0, 0],
      [1, 150, 1, 2],
    ]);
  });

  it('erases an auth code that no request fetched in time', async () => {
    const domainId = await storedDomain();
    const operation = Operation.queue(
      { id: ids.next('op'), accountId, actor: SERVICE, domainId, request: { kind: 'issue_auth_code' } },
      clock.now(),
    );
    operation.succeed(clock.now(), { handover: { sealed: 'sealed', until: new Date(clock.now().getTime() + 100) } });
    await write(({ operations }) => operations.add(operation));
    const handover = async () =>
      (await write(({ operations }) => operations.find(operation.id)))?.toState().handover?.sealed;

    clock.advance({ ms: 99 });
    await cleanUp.run();
    const before = await handover();
    clock.advance({ ms: 1 });
    await cleanUp.run();

    expect([before, await handover()]).toEqual(['sealed', undefined]);
  });

  it('removes transfers that have ended with the operations, and no unfinished one', async () => {
    const [ended, open] = ['ended.com', 'open.com'].map((name) =>
      aTransfer({ id: ids.next('tr'), accountId, name }, lifecycleClock.now()),
    );
    ended?.end('rejected', null, lifecycleClock.now());
    await write(async ({ transfers }) => {
      for (const transfer of [ended, open]) if (transfer) await transfers.add(transfer);
    });

    lifecycleClock.advance({ days: RETENTION.operationDays, ms: -1 });
    await cleanUp.run();
    const before = await count('transfers', 'account_id = ?', accountId);
    lifecycleClock.advance({ ms: 1 });
    await cleanUp.run();

    expect([before, await count('transfers', 'account_id = ?', accountId)]).toEqual([2, 1]);
  });

  it('removes finished operations and audit entries by the lifecycle clock', async () => {
    const domainId = await storedDomain();
    const unfinished = await addOperation(domainId, { kind: 'issue_auth_code' }, false);
    await addOperation(domainId, { kind: 'withdraw_auth_code' });
    await audited({});
    const counts = async () => [
      await count('operations', 'domain_id = ?', domainId),
      await count('audit_log', 'account_id = ?', accountId),
    ];

    lifecycleClock.advance({ days: RETENTION.operationDays, ms: -1 });
    await cleanUp.run();
    const before = await counts();
    lifecycleClock.advance({ ms: 1 });
    await cleanUp.run();
    const afterOperations = await counts();
    lifecycleClock.advance({ days: RETENTION.auditDays });
    await cleanUp.run();

    expect([before, afterOperations, await counts()]).toEqual([
      [2, 1],
      [1, 1],
      [1, 0],
    ]);
    expect(await count('operations', 'id = ?', unfinished)).toBe(1);
  });

  it.each(['gone', 'transferred_out'] as const)(
    'erases the registrant of a domain that is %s from all tables before it removes the domain',
    async (status) => {
      const domainId = await storedDomain();
      const name = 'Ada';
      await addOperation(domainId, { kind: 'set_registrant', registrant: A_REGISTRANT });
      const other = await addOperation(domainId, { kind: 'set_transfer_lock', locked: true });
      await audited({
        domain: { id: domainId, name: 'example.com' },
        before: { registrant: { firstName: 'Augusta' } },
        after: { registrant: A_REGISTRANT, status: 'active' },
      });
      await endDomain(domainId, status);
      const mentions = async () => [
        await count('domains', 'id = ? AND registrant LIKE ?', domainId, `%${name}%`),
        await count('operations', 'domain_id = ? AND request LIKE ?', domainId, `%${name}%`),
        await count(
          'audit_log',
          'domain_id = ? AND (facts_after LIKE ? OR facts_before LIKE ?)',
          domainId,
          `%${name}%`,
          '%Augusta%',
        ),
      ];

      passDays(RETENTION.personalDataDays - 1);
      await cleanUp.run();
      const kept = await mentions();
      passDays(1);
      await cleanUp.run();

      expect([kept, await mentions()]).toEqual([
        [1, 1, 1],
        [0, 0, 0],
      ]);
      expect(await count('audit_log', "domain_id = ? AND facts_after LIKE '%active%'", domainId)).toBe(1);
      expect(await count('domains', "id = ? AND status = 'gone'", domainId)).toBe(1);
      expect(await count('operations', 'id = ?', other)).toBe(1);
      expect(await count('domain_counts', 'account_id = ?', accountId)).toBe(0);
    },
  );

  it('removes an ended domain with its zone, history and operations, but no active one and none with an unfinished operation', async () => {
    const [ended, alive, busy] = [await storedDomain(), await storedDomain(), await storedDomain()];
    await addOperation(ended, { kind: 'set_transfer_lock', locked: true });
    await addOperation(busy, { kind: 'set_transfer_lock', locked: true }, false);
    await database().transaction(async (manager) => {
      const sql =
        "INSERT INTO dns_records (id, domain_id, name, type, content, ttl, identity_digest, created_at, updated_at) VALUES (?, ?, 'www', 'A', '192.0.2.1', 60, ?, 0, 0)";
      for (let index = 0; index < 150; index += 1) await manager.query(sql, [ids.next('rec'), ended, String(index)]);
    });
    for (const id of [ended, busy]) await endDomain(id, 'gone');

    passDays(RETENTION.endedDomainDays);
    await cleanUp.run();

    expect([await rowsOf(ended), await rowsOf(alive), await rowsOf(busy)]).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 1, 0, 0],
      [1, 1, 2, 0, 1],
    ]);
  });

  it('finds a removed domain by no part of its name, unless the account has another one of that name', async () => {
    const names = [`${ids.next('dom')}.com`, `${ids.next('dom')}.net`].map((name) => name.slice(4)) as [string, string];
    for (const name of names) await endDomain(await storedDomain({ name }), 'gone');
    await storedDomain({ name: names[1] });
    const grams = async () => [
      (await count('domain_name_grams', 'account_id = ? AND name = ?', accountId, names[0])) > 0,
      (await count('domain_name_grams', 'account_id = ? AND name = ?', accountId, names[1])) > 0,
    ];
    const before = await grams();

    passDays(RETENTION.endedDomainDays);
    await cleanUp.run();

    expect([before, await grams()]).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  describe('of zone history', () => {
    it('removes old versions, but never the latest ones', async () => {
      const [young, old] = [await storedDomain(), await storedDomain()];
      await addVersions(
        old,
        Array.from({ length: 5 }, () => clock.now()),
      );
      clock.advance({ days: HISTORY.days + 1 });
      await addVersions(
        young,
        Array.from({ length: 5 }, () => clock.now()),
      );

      await cleanUp.run();

      expect([await versionsOf(old), await versionsOf(young)]).toEqual([
        [4, 5, 6],
        [2, 3, 4, 5, 6],
      ]);
    });

    it('leaves no gap if a later change has an earlier time', async () => {
      const domainId = await storedDomain();
      await addVersions(domainId, [daysFromNow(20), daysFromNow(0), daysFromNow(0), daysFromNow(0), daysFromNow(0)]);
      clock.advance({ days: HISTORY.days + 1 });

      await cleanUp.run();

      expect(await versionsOf(domainId)).toEqual([2, 3, 4, 5, 6]);
    });

    it('hides a version that is removed in part', async () => {
      const domainId = await storedDomain();
      await addVersions(
        domainId,
        Array.from({ length: 5 }, () => clock.now()),
      );
      await database().transaction(async (manager) => {
        const sql =
          "INSERT INTO zone_changes (domain_id, version, part, happened_at, actor, added, changed, removed, records) VALUES (?, 3, ?, ?, 'service', 0, 0, 0, '[]')";
        for (const part of [1, 2]) await manager.query(sql, [domainId, part, clock.now().getTime()]);
      });
      clock.advance({ days: HISTORY.days + 1 });
      const rows = new SqlExpiredRows(database());

      for (let removed = 0; removed < 4;)
        removed += (await rows.removeZoneHistory(clock.now(), HISTORY.versions, 2)).removed;

      const past = await write(({ zones }) => zones.past({ domainId, version: 6, serial: 6, recordCount: 0 }));
      expect([await versionsOf(domainId), past.oldestVersion]).toEqual([[3, 4, 5, 6], 4]);
    });
  });
});
