import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { addressOf, build, startProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

/** Measures the latency of `/healthz` while the service removes expired rows on SQLite. */
export const retentionCampaign: Campaign = {
  name: 'retention',
  unit: 'expired rows',
  ciSize: 50_000,
  fullSize: 10_000_000,
  run,
};

const MAX_HEALTHZ_MS = 100;
const WITHIN_MS = 3_600_000;
const PROBE_EVERY_MS = 20;
const ROWS_PER_TRANSACTION = 20_000;
const KEPT_RESPONSE = 'x'.repeat(400);
const FACTS = JSON.stringify({ autoRenew: true, nameservers: ['ns1.example.net', 'ns2.example.net'] });

async function run(size: number): Promise<CampaignResult> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-retention-'));
  const file = join(folder, 'service.db');
  await fill(file, size);
  const settings = {
    DATABASE_URL: `sqlite:${file}`,
    PORT: '0',
    NODE_ENV: 'test',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const service = startProcess(settings);
  try {
    const address = await addressOf(service);
    const startedAt = performance.now();
    const probing = new AbortController();
    const latencies = probe(`${address}/healthz`, probing.signal);
    await service.waitForOutput(/removed expired rows/);
    const took = performance.now() - startedAt;
    probing.abort();
    return resultOf({ size, took, left: countLeft(file), latencies: await latencies });
  } finally {
    service.signal('SIGTERM');
    await service.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly size: number;
  readonly took: number;
  readonly left: number;
  readonly latencies: readonly number[];
}

function resultOf({ size, took, left, latencies }: Measured): CampaignResult {
  const sorted = latencies.toSorted((one, other) => one - other);
  const worst = sorted.at(-1) ?? 0;
  const slow = latencies.filter((ms) => ms > MAX_HEALTHZ_MS).length;
  return {
    summary: `${size - left} of ${size} expired rows removed in ${Math.round(took / 1_000)} s; ${latencies.length} times /healthz: p50 ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms, worst ${worst.toFixed(1)} ms, ${slow} above ${MAX_HEALTHZ_MS} ms`,
    failures: left > 0 ? [`${left} expired rows are left`] : [],
    missed: [
      ...(took > WITHIN_MS ? [`it took ${Math.round(took / 60_000)} minutes`] : []),
      ...(slow > 0
        ? [`/healthz took more than ${MAX_HEALTHZ_MS} ms ${slow} times, ${worst.toFixed(1)} ms at worst`]
        : []),
    ],
  };
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}

/** Sends requests at a fixed rate, so that a stall shows in every request during it. */
async function probe(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const latencies: number[] = [];
  const pending = new Set<Promise<void>>();
  const once = async (): Promise<void> => {
    const startedAt = performance.now();
    await (await fetch(url)).arrayBuffer();
    latencies.push(performance.now() - startedAt);
  };
  while (!signal.aborted) {
    const request = once().finally(() => pending.delete(request));
    pending.add(request);
    await sleep(PROBE_EVERY_MS);
  }
  await Promise.all(pending);
  return latencies;
}

/** Half stored responses, a quarter audit entries, a quarter operations. */
async function fill(file: string, size: number): Promise<void> {
  const database = new Database({ kind: 'sqlite', file }, SERVICE_CONTENT);
  await database.open();
  await database.transaction(async (manager) => {
    await manager.query("INSERT INTO accounts (id, name, created_at) VALUES ('acc_1', 'Retention', 0)");
    await manager.query(`INSERT INTO domains (id, account_id, name, live_name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at)
      VALUES ('dom_1', 'acc_1', 'example.com', 'example.com', 'active', ${Date.now() + WITHIN_MS * 1_000}, 1, 1, '[]', '{}', 0, 0)`);
  });
  await database.close();
  const connection = new Sqlite(file);
  connection.pragma('synchronous = OFF');
  const response = connection.prepare(
    "INSERT INTO idempotency_records (account_id, idempotency_key, fingerprint, operation_id, response, expires_at) VALUES ('acc_1', ?, ?, ?, ?, ?)",
  );
  const entry = connection.prepare(
    "INSERT INTO audit_log (id, account_id, happened_at, actor, action, domain_id, domain_name, facts_before, facts_after, retained_from) VALUES (?, 'acc_1', ?, 'service', 'domain.synchronized', 'dom_1', 'example.com', '{}', ?, ?)",
  );
  const operation = connection.prepare(
    "INSERT INTO operations (id, account_id, domain_id, request, status, attempts, transaction_id, next_attempt_at, created_at, updated_at, finished_at, retained_from) VALUES (?, 'acc_1', 'dom_1', '{\"kind\":\"issue_auth_code\"}', 'succeeded', 1, ?, ?, ?, ?, ?, ?)",
  );
  for (let from = 0; from < size; from += ROWS_PER_TRANSACTION) {
    connection.exec('BEGIN');
    for (let index = from; index < Math.min(from + ROWS_PER_TRANSACTION, size); index += 1) {
      const id = index.toString(36).padStart(12, '0');
      if (index % 2 === 0) response.run(id, id, id, KEPT_RESPONSE, index);
      else if (index % 4 === 1) entry.run(id, index, FACTS, index);
      else operation.run(id, id, index, index, index, index, index);
    }
    connection.exec('COMMIT');
  }
  connection.close();
}

function countLeft(file: string): number {
  const connection = new Sqlite(file, { readonly: true });
  const left = ['idempotency_records', 'audit_log', 'operations'].map(
    (table) => connection.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number,
  );
  connection.close();
  return left.reduce((total, each) => total + each, 0);
}
