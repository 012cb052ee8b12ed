import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import { startPrivateMysql } from '../../support/databases/mariadb';
import { freePort } from '../../support/free-port';
import { CODE_CACHE } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { allBackendsUp, HAPROXY_MISSING, startHaproxy } from './haproxy';

const PROGRAM = join(__dirname, '../../../src/main.js');
const CLIENTS = 8;
/** Longer than two failed health checks on a busy machine. */
const DRAIN_SECONDS = 5;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};

/** Restarts two replicas behind HAProxy in turn while clients send requests without retries; no request may fail. */
export const restartsCampaign: Campaign = { name: 'restarts', unit: 'rolling restarts', ciSize: 2, fullSize: 100, run };

interface Replica {
  readonly port: number;
  child: ChildProcess;
}

async function run(restarts: number): Promise<CampaignResult> {
  if (HAPROXY_MISSING !== undefined) throw new Error(HAPROXY_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-restarts-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const load = { isRunning: true, requests: 0, failures: [] as string[] };
  try {
    const mysql = await startPrivateMysql();
    stops.push(() => mysql.stop());
    const settings = {
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      DNS_LISTEN: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '1000',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      TRUST_PROXY: 'loopback',
    };
    const key = await openAccount(settings);
    const replicas: Replica[] = [];
    for (let index = 0; index < 2; index += 1) {
      const replica = await startReplica(settings);
      stops.push(() => replica.child.kill('SIGKILL'));
      replicas.push(replica);
    }
    const frontPort = await freePort();
    const proxy = await startHaproxy(
      folder,
      frontPort,
      replicas.map(({ port }) => port),
    );
    stops.push(() => proxy.kill('SIGKILL'));
    const send = sender(frontPort, key);
    const created = await send('POST', '/api/domains', { name: 'restarted.com', contacts: { registrant: REGISTRANT } });
    const { id } = JSON.parse(created.body) as { id: string };
    for (;;) {
      const { status } = JSON.parse((await send('GET', `/api/domains/${id}`)).body) as { status: string };
      if (status === 'active') break;
      if (status !== 'pending') throw new Error(`the registered domain is ${status}`);
      await sleep(50);
    }
    const clients = Array.from({ length: CLIENTS }, (_each, index) =>
      useService(sender(frontPort, key), id, index, load),
    );
    for (let restart = 0; restart < restarts; restart += 1) {
      await restartReplica(replicas[restart % replicas.length]!, settings, load.failures);
      await allBackendsUp(frontPort, [proxy, ...replicas.map(({ child }) => child)]);
    }
    load.isRunning = false;
    await Promise.all(clients);
  } finally {
    load.isRunning = false;
    for (const stop of stops.toReversed()) await stop();
  }
  return {
    summary: `${restarts} restarts of 2 replicas behind HAProxy, ${load.requests} requests: ${load.failures.length} failed`,
    failures: load.failures,
  };
}

async function openAccount(settings: Record<string, string>): Promise<string> {
  const { container, close } = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const { id } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'The clients' });
  const { text: key } = await container
    .get(IssueApiKey)
    .execute({ accountId: id, actor: OPERATOR, name: 'Their key', scope: 'WRITE' });
  await close();
  return key;
}

async function startReplica(settings: Record<string, string>): Promise<Replica> {
  const replica = { port: await freePort(), child: undefined as unknown as ChildProcess };
  await start(replica, settings);
  return replica;
}

async function start(replica: Replica, settings: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [...CODE_CACHE, PROGRAM], {
    env: { PATH: process.env['PATH'], ...settings, PORT: String(replica.port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  replica.child = child;
  while (!(await fetch(`http://127.0.0.1:${replica.port}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`a replica ended with ${child.exitCode ?? child.signalCode} before it was ready`);
    await sleep(50);
  }
}

async function restartReplica(replica: Replica, settings: Record<string, string>, failures: string[]): Promise<void> {
  const exited = once(replica.child, 'exit') as Promise<[number | null]>;
  replica.child.kill('SIGTERM');
  const [code] = await exited;
  if (code !== 0) failures.push(`a replica exited with ${code}`);
  await start(replica, settings);
}

type Send = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: string }>;

/** Sends requests over one keep-alive connection, without retries. */
function sender(port: number, key: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (method, path, body) => {
    const sending = request({
      port,
      host: '127.0.0.1',
      agent,
      method,
      path,
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    });
    sending.end(body && JSON.stringify(body));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  };
}

async function useService(
  send: Send,
  domainId: string,
  client: number,
  load: { isRunning: boolean; requests: number; failures: string[] },
): Promise<void> {
  const records = `/api/domains/${domainId}/dns/records`;
  for (let count = 0; load.isRunning; count += 1) {
    const label = `client ${client}, request ${count}`;
    try {
      const responses = [
        await send('GET', `/api/domains/${domainId}`),
        await send('POST', records, { type: 'TXT', name: `c${client}`, content: label }),
      ];
      const [, created] = responses;
      if (created?.status === 201)
        responses.push(await send('DELETE', `${records}/${(JSON.parse(created.body) as { id: string }).id}`));
      load.requests += responses.length;
      for (const { status, body } of responses)
        if (status !== 200 && status !== 201) load.failures.push(`${label}: ${status} ${body.slice(0, 200)}`);
    } catch (error) {
      load.requests += 1;
      load.failures.push(`${label}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
