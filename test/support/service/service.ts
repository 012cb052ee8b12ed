import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from 'inversify';
import request from 'supertest';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Worker } from '../../../src/application/worker';
import { loadConfig, type Config } from '../../../src/config';
import { LifecycleClock } from '../../../src/application/ports/system/clock';
import { createContainer, type Opening } from '../../../src/container/container';
import { sandboxModule } from '../../../src/container/sandbox-module';
import { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Scope } from '../../../src/domain/access/scope';
import type { Endpoint } from '../../../src/domain/dns/secondary';
import { createApp } from '../../../src/http/app';
import { createHttpServer } from '../../../src/http/server';
import { HiddenPrimary } from '../../../src/infrastructure/nameserver/hidden-primary';
import { AnswerWatch } from '../http/answer-watch';
import { assertDescribed } from '../http/assert-described';
import { outsideRegistry } from '../registries/outside-registry';

/** Tests move the time in which domains live by years, and look back. */
const LONG_RETENTION = {
  AUDIT_RETENTION_DAYS: '36500',
  OPERATION_RETENTION_DAYS: '36500',
  PERSONAL_DATA_RETENTION_DAYS: '36500',
  ENDED_DOMAIN_RETENTION_DAYS: '36500',
  MESSAGE_RETENTION_DAYS: '36500',
};

export interface TestService {
  readonly config: Config;
  readonly container: Container;
  readonly server: Server;
  /** Of every answer that the server has given. */
  readonly answers: AnswerWatch;
  /** Where nameservers are answered, if `DNS_LISTEN` asks for it. */
  readonly dns: Endpoint | undefined;
  /** The id of a new account, which controls the sandbox. */
  account(): Promise<string>;
  /** The text of a new key of that account. */
  key(accountId: string, scope?: Scope): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The whole service in this process on a free port: on SQLite in a temporary folder, or on the database given. Stopping it
 * fails where it has given an answer that the document does not describe.
 */
export async function startService(settings: Record<string, string> = {}, opening: Opening = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-test-'));
  const defaults = {
    DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    NODE_ENV: 'test',
    ...LONG_RETENTION,
  };
  const outside = 'REGISTRIES_FILE' in settings ? undefined : await outsideRegistry();
  const config = loadConfig({ ...defaults, ...outside?.settings, ...settings });
  const { container, close } = await createContainer(config, opening);
  if (outside) {
    container.bind(RegistrySandbox).toConstantValue(outside.sandbox);
    container.rebind(LifecycleClock).toConstantValue(outside.clock);
    container.load(sandboxModule());
  }
  const worker = container.get(Worker);
  const primary = container.get(HiddenPrimary);
  const dns = 'DNS_LISTEN' in settings ? await primary.start() : undefined;
  if (config.worker) await worker.start();
  const server = createHttpServer(createApp(container));
  const answers = new AnswerWatch(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    config,
    container,
    server,
    answers,
    dns,
    account: async () => {
      const account = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Test account' });
      await container
        .get<UnitOfWork>(UnitOfWork)
        .run(({ accounts }) => accounts.save({ ...account, controlsSandbox: true }));
      return account.id;
    },
    key: async (accountId, scope = 'ADMIN') =>
      (await container.get(IssueApiKey).execute({ accountId, actor: OPERATOR, name: 'Test key', scope })).text,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await worker.stop();
      await primary.stop();
      await close();
      await outside?.stop();
      rmSync(folder, { recursive: true, force: true });
      answers.assertNoFaults();
    },
  };
}

type Body = string | object | undefined;

/** The interface of a server, or at an address, as a caller with one key sees it; every answer is held against the document. */
export function api({ server }: { readonly server: Server | string }, key: string) {
  const send = (method: 'get' | 'post' | 'put' | 'delete') => (path: string, body?: Body) => {
    const call = request(server)
      [method](path)
      .set('Authorization', `Bearer ${key}`)
      .expect(({ status, headers, text }) =>
        assertDescribed({ method: method.toUpperCase(), address: path, status, headers, body: text }),
      );
    return body === undefined ? call : call.send(body);
  };
  return { get: send('get'), post: send('post'), put: send('put'), delete: send('delete') };
}

export type Api = ReturnType<typeof api>;

export const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  organization: 'Analytical Engines',
  address: { street: '12 St James Square', city: 'London', state: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};

/** Registers `name` and waits until it reads `active`. Answers its id. */
export async function registered(client: Api, name: string, order: { readonly years?: number } = {}): Promise<string> {
  const { body } = await client
    .post('/api/domains', { name, ...order, contacts: { registrant: REGISTRANT } })
    .expect(201);
  for (;;) {
    const { body: domain } = await client.get(`/api/domains/${body.id}`).expect(200);
    if (domain.status === 'active') return body.id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
