import { Agent, request } from 'node:http';
import { LimitsStore } from '../../../src/infrastructure/limits/limits-store';
import { SharedRateLimiter } from '../../../src/infrastructure/limits/shared-rate-limiter';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { REDIS_MISSING, startRedis } from '../../support/databases/redis';
import { RecordingLog } from '../../support/fakes/recording-log';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

/**
 * Sends twice as many requests as a limit allows to three replicas that share a store, and counts those that pass. Two cores cannot serve
 * 2,000 requests a second, so the limiters of three replicas are also called without the service.
 */
export const sharedLimitsCampaign: Campaign = {
  name: 'shared-limits',
  unit: 'requests',
  ciSize: 0,
  fullSize: 60_000,
  run,
};

const REPLICAS = 3;
const CONNECTIONS_EACH = 8;
/** The windows of the limits last a minute; all requests must fall into one. */
const WINDOW_MS = 60_000;
const DEVIATION = 0.01;
const AIM_PER_SECOND = 2_000;

interface Load {
  readonly passed: number;
  readonly refused: number;
  readonly others: number;
  readonly ms: number;
}

async function run(size: number): Promise<CampaignResult> {
  const missing = PRIVATE_MYSQL_MISSING ?? REDIS_MISSING;
  if (missing !== undefined) throw new Error(missing);
  build();
  const limit = Math.floor(size / 4);
  const mysql = await startPrivateMysql();
  const redis = await startRedis();
  const stops: (() => unknown)[] = [() => mysql.stop(), () => redis.kill()];
  try {
    const settings = {
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      LIMITS_STORE: redis.url,
      RATE_LIMIT_PER_MINUTE: String(limit),
      FAILED_AUTH_PER_MINUTE: String(limit),
      DNS_LISTEN: 'off',
      HEALTH_CHECKS_PER_MINUTE: '0',
      PORT: '0',
    };
    const replicas: ServiceProcess[] = [];
    const urls: string[] = [];
    let key = '';
    for (let index = 0; index < REPLICAS; index += 1) {
      const replica = startProcess(settings);
      replicas.push(replica);
      stops.push(() => replica.signal('SIGKILL'));
      urls.push(await addressOf(replica));
      if (index === 0) key = await firstKeyOf(replica);
    }
    const path = '/api/domains/00000000-0000-4000-8000-000000000000';
    const alone = await limitersAlone(redis.url, limit, size / 2);
    const requests = await load(urls, path, `Bearer ${key}`, size / 2);
    const failures = await load(urls, path, 'Bearer unknown', size / 2);
    const wasAway =
      alone.others > 0 || replicas.some((replica) => replica.stdout().includes('limits store does not respond'));
    const deviating = [
      ...deviations('limiters alone', alone, limit),
      ...deviations('requests of an account', requests, limit),
      ...deviations('failed authentications', failures, limit),
    ];
    return {
      summary: `limit ${limit} over ${REPLICAS} replicas; limiters alone: ${figures(alone)}; requests of an account: ${figures(requests)}; failed authentications: ${figures(failures)}`,
      failures: wasAway ? [] : deviating,
      missed: [
        ...(wasAway ? ['the store did not respond within a second: the machine is too busy', ...deviating] : []),
        ...(perSecond(alone) < AIM_PER_SECOND
          ? [`${perSecond(alone)} requests a second at the limiters; the aim is ${AIM_PER_SECOND}`]
          : []),
      ],
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function limitersAlone(url: string, limit: number, count: number): Promise<Load> {
  const log = new RecordingLog();
  const stores = Array.from({ length: REPLICAS }, () => new LimitsStore({ url, hashKey: Buffer.from('alone') }, log));
  const limiters = stores.map((store) => new SharedRateLimiter('alone', { limit, windowSeconds: 60 }, store));
  const counts = { passed: 0, refused: 0, others: 0 };
  let sent = 0;
  const startedAt = performance.now();
  const worker = async (limiter: SharedRateLimiter): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const state = await limiter.consume('account');
      if (state?.exceeded) counts.refused += 1;
      else counts.passed += 1;
    }
  };
  await Promise.all(limiters.flatMap((limiter) => Array.from({ length: CONNECTIONS_EACH }, () => worker(limiter))));
  for (const store of stores) store.close();
  return { ...counts, others: log.entries.length, ms: performance.now() - startedAt };
}

async function load(urls: readonly string[], path: string, authorization: string, count: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_EACH });
  const counts = { passed: 0, refused: 0, others: 0 };
  let sent = 0;
  const startedAt = performance.now();
  const worker = async (url: string): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const status = await statusOf(agent, `${url}${path}`, authorization);
      if (status === 404 || status === 401) counts.passed += 1;
      else if (status === 429) counts.refused += 1;
      else counts.others += 1;
    }
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: CONNECTIONS_EACH }, () => worker(url))));
  agent.destroy();
  return { ...counts, ms: performance.now() - startedAt };
}

function statusOf(agent: Agent, url: string, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { authorization } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

function deviations(what: string, { passed, others, ms }: Load, limit: number): readonly string[] {
  if (ms > WINDOW_MS) return [`${what}: the requests took longer than the window of the limit; use a smaller size`];
  return [
    ...(Math.abs(passed - limit) > limit * DEVIATION ? [`${what}: ${passed} passed; the limit is ${limit}`] : []),
    ...(others > 0 ? [`${what}: ${others} unexpected responses`] : []),
  ];
}

function figures(each: Load): string {
  return `${each.passed} passed, ${each.refused} refused, ${perSecond(each)} a second`;
}

function perSecond({ passed, refused, others, ms }: Load): number {
  return Math.round(((passed + refused + others) / ms) * 1_000);
}
