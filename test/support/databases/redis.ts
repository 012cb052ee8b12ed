import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from '../free-port';

const SERVER = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));

/** Why tests that need Redis are skipped; undefined if they can run. */
export const REDIS_MISSING: string | undefined = SERVER ? undefined : 'no redis-server is installed';

export interface RedisServer {
  readonly url: string;
  kill(): Promise<void>;
  /** Starts the server after `kill`, empty, at the same port. */
  restart(): Promise<void>;
  /** Suspends the server: it accepts connections and does not respond. */
  freeze(): void;
  thaw(): void;
}

/** Starts a server that stores nothing, on a free loopback port. */
export async function startRedis(password?: string): Promise<RedisServer> {
  if (!SERVER) throw new Error(REDIS_MISSING);
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(SERVER, [...options, ...(password === undefined ? [] : ['--requirepass', password])], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const text of started.stdout) if (String(text).includes('Ready to accept connections')) return started;
    throw new Error('redis-server has ended');
  };
  let server = await start();
  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    kill: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
    restart: async () => {
      server = await start();
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  };
}
