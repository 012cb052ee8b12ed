import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from 'inversify';
import request from 'supertest';
import { KeyUses } from '../../../src/application/access/api-keys/authenticate';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { Passwords } from '../../../src/application/ports/access/authentication';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { BackgroundWorker } from '../../../src/application/worker/background-worker';
import { loadConfig, type Config } from '../../../src/config';
import { LifecycleClock } from '../../../src/application/ports/system';
import { createContainer, type Opening } from '../../../src/container/container';
import { startMonitoring } from '../../../src/container/monitoring';
import { webModules } from '../../../src/container/web-modules';
import { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Scope } from '../../../src/domain/access/api-key';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { createApp } from '../../../src/http/app';
import { createHttpServer } from '../../../src/http/server/http-server';
import { DnsListener } from '../../../src/infrastructure/nameserver/dns-listener';
import { HiddenPrimary } from '../../../src/infrastructure/nameserver/hidden-primary';
import { BcryptPasswords } from '../../../src/infrastructure/system/bcrypt-passwords';
import { ResponseValidator } from '../http/response-validator';
import { assertDocumented } from '../http/assert-documented';
import { externalRegistry } from '../registries/external-registry';

/** Tests move the lifecycle clock by years and read old rows. */
const LONG_RETENTION = {
  AUDIT_RETENTION_DAYS: '36500',
  OPERATION_RETENTION_DAYS: '36500',
  PERSONAL_DATA_RETENTION_DAYS: '36500',
  ENDED_DOMAIN_RETENTION_DAYS: '36500',
  MESSAGE_RETENTION_DAYS: '36500',
};

/** A machine that is busy may delay a registry of the test by more than the defaults allow. */
const TIME_LIMITS = { OPERATION_WAIT_MS: '60000', SEARCH_TIMEOUT_MS: '60000' };

/** 256 times as fast as the service's. */
const LOWEST_BCRYPT_COST = 4;

export interface TestService {
  readonly config: Config;
  readonly container: Container;
  readonly server: Server;
  readonly responseValidator: ResponseValidator;
  /** The endpoint of the hidden primary, if DNS_LISTEN is set. */
  readonly dns: Endpoint | undefined;
  /** The address of the metrics, if METRICS_LISTEN is set. */
  readonly metrics: string | undefined;
  /** Creates an account that is trusted and may control the sandbox, and returns its id. */
  account(): Promise<string>;
  /** Issues an API key and returns its text. */
  key(accountId: string, scope?: Scope): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the whole service in this process on a free port, with SQLite in a temporary folder unless `settings` name a
 * database. `stop` fails if any response did not match the OpenAPI document.
 */
export async function startService(settings: Record<string, string> = {}, opening: Opening = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-test-'));
  const defaults = {
    DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    HEALTH_CHECKS_PER_MINUTE: '0',
    HEALTH_RESOLVER: 'off',
    NODE_ENV: 'test',
    ...LONG_RETENTION,
    ...TIME_LIMITS,
  };
  const outside = 'REGISTRIES_FILE' in settings ? undefined : await externalRegistry();
  const config = loadConfig({ ...defaults, ...outside?.settings, ...settings });
  const { close, ...running } = await createContainer(config, { serving: webModules, ...opening });
  const { container } = running;
  container.rebind<Passwords>(Passwords).toConstantValue(new BcryptPasswords(LOWEST_BCRYPT_COST));
  if (outside) {
    container.bind(RegistrySandbox).toConstantValue(outside.sandbox);
    container.rebind(LifecycleClock).toConstantValue(outside.clock);
  }
  const worker = container.get(BackgroundWorker);
  const primary = container.get(HiddenPrimary);
  const dns = 'DNS_LISTEN' in settings ? await primary.start(container.get(DnsListener)) : undefined;
  const monitoring = await startMonitoring(config, running);
  if (config.worker) await worker.start();
  const server = createHttpServer(createApp(container));
  const responseValidator = new ResponseValidator(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    config,
    container,
    server,
    responseValidator,
    dns,
    metrics: monitoring.address,
    account: async () => {
      const account = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Test account' });
      await container
        .get(UnitOfWork)
        .run(({ accounts }) => accounts.save({ ...account, controlsSandbox: true, isTrusted: true }));
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
      await container.get(KeyUses).write();
      await monitoring.close();
      await close();
      await outside?.stop();
      rmSync(folder, { recursive: true, force: true });
      responseValidator.assertNoErrors();
    },
  };
}

type Body = string | object | undefined;

/** An API client with one key, for a server or a base URL; checks every response against the OpenAPI document. */
export function api({ server }: { readonly server: Server | string }, key: string) {
  const send = (method: 'get' | 'post' | 'put' | 'delete') => (path: string, body?: Body) => {
    const call = request(server)
      [method](path)
      .set('Authorization', `Bearer ${key}`)
      .expect(({ status, headers, text }) =>
        assertDocumented({ method: method.toUpperCase(), address: path, status, headers, body: text }),
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

/** Hosts the zone of a name that is not registered, by an account that is trusted. Returns its path. */
export async function hosted(client: Api, name: string): Promise<string> {
  const { body } = await client.post('/api/zones', { name }).expect(201);
  return `/api/zones/${body.id}`;
}

/** Registers `name`, waits until it is active, and returns its id. */
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
