import { createHmac } from 'node:crypto';
import type * as Redis from '@redis/client';
import type { LimitsStoreProbe } from '../../application/ports/access/rate-limits-and-usage';
import type { Log } from '../../application/ports/system';

/** Long enough for a busy machine: a store that is taken for dead counts too little. */
const RESPONDS_WITHIN_MS = 1_000;
/** How long an unresponsive store is left alone, apart from one call that tries it. */
const RETRY_AFTER_MS = 1_000;
const RECONNECT_EVERY_MS = 500;
const PING_EVERY_MS = 2_000;
/** Without a response for this long, the connection is opened again. */
const SILENT_MS = 5_000;
/** PING succeeds at a store that has no memory left, or that is a read-only replica. */
const PROBE = "redis.call('set', KEYS[1], 1, 'PX', 1000)";

class LimitsStoreAway extends Error {
  constructor(cause?: unknown) {
    super('the limits store does not respond', { cause });
    this.name = 'LimitsStoreAway';
  }
}

interface LimitsStoreSettings {
  /** `redis:` or `rediss:`; has a password. */
  readonly url: string;
  /** Keys are hashed with it: they contain e-mail addresses, and several services may share a store. */
  readonly hashKey: Buffer;
}

/**
 * Redis or Valkey, with counters that all replicas share. Connects at the first call. Callers count in memory
 * while it is away; its end and its return are logged once each.
 */
export class LimitsStore implements LimitsStoreProbe {
  isAway = false;
  private readonly client;
  private readonly hashKey: Buffer;
  private connecting: Promise<unknown> | undefined;
  private retryAt = 0;

  constructor(
    { url, hashKey }: LimitsStoreSettings,
    private readonly log: Log,
  ) {
    this.hashKey = hashKey;
    // Its 500 files take a tenth of a second, which a service without a limits store need not spend.
    const { createClient } = require('@redis/client') as typeof Redis;
    this.client = createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: PING_EVERY_MS,
      socket: { reconnectStrategy: RECONNECT_EVERY_MS, connectTimeout: SILENT_MS, socketTimeout: SILENT_MS },
    });
    this.client.on('error', (error: unknown) => this.failed(error));
  }

  /** The name of a counter in the store. `kind` separates limits. */
  keyOf(kind: string, key: string): string {
    return `namewright:${kind}:${createHmac('sha256', this.hashKey).update(key).digest('base64url')}`;
  }

  /** Runs a Lua script on one key. @throws LimitsStoreAway within a second */
  async run(script: string, key: string, args: readonly (string | number)[]): Promise<unknown> {
    return this.send(() => this.client.eval(script, { keys: [key], arguments: args.map(String) }));
  }

  async responds(): Promise<boolean> {
    return this.run(PROBE, this.keyOf('probe', ''), []).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.client.removeAllListeners('error').on('error', () => undefined);
    if (this.connecting) this.client.destroy();
  }

  private async send<T>(command: () => Promise<T>): Promise<T> {
    const isConnecting = this.connecting !== undefined && !this.client.isReady;
    if (this.isAway && (isConnecting || performance.now() < this.retryAt)) throw new LimitsStoreAway();
    this.retryAt = performance.now() + RETRY_AFTER_MS;
    const connecting = (this.connecting ??= this.client.connect().catch(() => undefined));
    const timeout: { timer?: NodeJS.Timeout; isOver?: true } = {};
    const late = new Promise<never>((_resolve, reject) => {
      // After a stall of this process, a response that has arrived is read first.
      timeout.timer = setTimeout(
        () => setImmediate(() => reject(new Error('no response in time'))),
        RESPONDS_WITHIN_MS,
      );
    });
    const sent = connecting.then(() => {
      // The caller has counted in memory since.
      if (timeout.isOver) throw new LimitsStoreAway();
      return command();
    });
    try {
      const result = await Promise.race([sent, late]);
      this.succeeded();
      return result;
    } catch (error) {
      this.failed(error);
      throw new LimitsStoreAway(error);
    } finally {
      timeout.isOver = true;
      clearTimeout(timeout.timer);
      sent.catch(() => undefined);
    }
  }

  /** Logs the message only: errors of a client may hold the command, and AUTH has the password. */
  private failed(error: unknown): void {
    if (!this.isAway)
      this.log.warn(
        { reason: error instanceof Error ? error.message || error.name : 'unknown' },
        'the limits store does not respond: this process counts by itself until it is back',
      );
    this.isAway = true;
  }

  private succeeded(): void {
    if (this.isAway) this.log.info({}, 'the limits store responds again');
    this.isAway = false;
  }
}
