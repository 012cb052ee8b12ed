import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../crash/random';
import { runSql } from '../../support/databases/run-sql';
import { addressOf, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

/** What a request was answered at last. */
export interface FinalResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Of the first attempt and of the response, on the clock of the campaign. */
  readonly sentAt: number;
  readonly respondedAt: number;
}

const OTHER_KEY = 'OtherAccount';
/** Two commands would take as much of the processor as fifty changes. */
const COPY_ACCOUNT =
  "INSERT INTO accounts (id, name, created_at) SELECT CONCAT(SUBSTR(id, 1, LENGTH(id) - 3), 'zzz'), 'The other account', created_at FROM accounts";
const COPY_KEY = `INSERT INTO api_keys (key_id, account_id, name, scope, secret_digest, created_at)
  SELECT '${OTHER_KEY}', (SELECT MAX(id) FROM accounts), 'its key', scope, secret_digest, created_at FROM api_keys`;
const RETRY_MS = [20, 80] as const;
const REQUEST_TIMEOUT_MS = 40_000;
const GIVE_UP_MS = 120_000;

/** Processes of the service on one database, which are killed while clients use them. */
export class EventReplicas {
  kills = 0;
  /** When the last one was dead, in milliseconds since 1970. */
  lastKillAt = 0;
  private readonly addresses = new Map<number, string>();
  private processes: ServiceProcess[] = [];
  private isStopping = false;

  /** @param more settings of one replica, by its index */
  constructor(
    private readonly settings: Record<string, string>,
    private readonly count: number,
    private readonly random: SeededRandom,
    private readonly more: readonly Record<string, string>[] = [],
  ) {}

  /** On an empty database. Returns keys of two accounts. */
  async start(): Promise<readonly [string, string]> {
    const key = await firstKeyOf(await this.startOne(0));
    await this.startOthers();
    for (const sql of [COPY_ACCOUNT, COPY_KEY]) await runSql(this.settings['DATABASE_URL'] ?? '', sql);
    return [key, key.replace(/_live_.{12}\./, `_live_${OTHER_KEY}.`)];
  }

  /** On a database that has an account. */
  async startAll(): Promise<void> {
    await this.startOne(0);
    await this.startOthers();
  }

  /** Kills one with SIGKILL, and starts it again. */
  async kill(): Promise<void> {
    const index = this.random.between(0, this.count - 1);
    this.addresses.delete(index);
    const victim = this.processes[index];
    victim?.signal('SIGKILL');
    await victim?.ended;
    this.lastKillAt = Date.now();
    this.kills += 1;
    await this.startOne(index);
  }

  /** At any replica that runs, again and again until one responds finally. @param key of the request; undefined for one that only reads */
  async send(
    apiKey: string,
    method: string,
    path: string,
    body?: object | string,
    key?: string,
  ): Promise<FinalResponse> {
    const sentAt = performance.now();
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'Content-Type': typeof body === 'string' ? 'text/dns' : 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const init = { method, headers, ...(text !== undefined && { body: text }) };
    return this.atAny(`${method} ${path}`, async (address) => {
      const response = await this.attempt(`${address}${path}`, init);
      // After a kill, a request with the same key is in use until the dead replica's lease ends.
      if (response.status >= 500 || response.headers.has('Retry-After'))
        throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
      return { ...response, sentAt, respondedAt: performance.now() };
    });
  }

  /** Tries at any replica that runs, again and again until one succeeds. @param title for the error */
  async atAny<T>(title: string, attempt: (address: string, index: number) => Promise<T>): Promise<T> {
    const sentAt = performance.now();
    let last: unknown = 'no replica runs';
    while (performance.now() - sentAt < GIVE_UP_MS && !this.isStopping) {
      const running = [...this.addresses];
      const [index, address] = running[this.random.between(0, running.length - 1)] ?? [];
      try {
        if (index !== undefined && address !== undefined) return await attempt(address, index);
      } catch (error) {
        last = error;
      }
      await sleep(this.random.between(...RETRY_MS));
    }
    throw new Error(`${title} had no final response: ${String(last)}`);
  }

  /** Ends all but one as an operator does: it does what the others have left. */
  async keepOne(): Promise<void> {
    const [, ...others] = this.processes;
    for (const index of others.keys()) this.addresses.delete(index + 1);
    for (const replica of others) replica.signal('SIGTERM');
    await Promise.all(others.map(({ ended }) => ended));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const replica of this.processes) replica.signal('SIGKILL');
    await Promise.all(this.processes.map(({ ended }) => ended));
  }

  /** Lines of the logs that say that someone must act. */
  errors(): readonly string[] {
    return this.processes.flatMap((each) =>
      each
        .stdout()
        .split('\n')
        .filter((line) => /"level":"?(?:50|60|error|fatal)/.test(line)),
    );
  }

  private async attempt(url: string, init: RequestInit) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }

  private async startOthers(): Promise<void> {
    for (let index = 1; index < this.count; index += 1) await this.startOne(index);
  }

  private async startOne(index: number): Promise<ServiceProcess> {
    const replica = startProcess({ ...this.settings, ...this.more[index] });
    this.processes[index] = replica;
    this.addresses.set(index, await addressOf(replica));
    return replica;
  }
}
