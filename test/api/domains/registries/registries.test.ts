import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LifecycleSync } from '../../../../src/application/lifecycle/lifecycle-sync';
import { RegistrySandbox } from '../../../../src/application/ports/registry/registry-sandbox';
import { ConfigurationError } from '../../../../src/config';
import { checkedConfig } from '../../../../src/container/checked-config';
import {
  api,
  REGISTRANT,
  registered,
  startService,
  type Api,
  type TestService,
} from '../../../support/service/service';

const SILENT = resolve(__dirname, '../../../support/registries/silent-registry.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'namewright-registries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function registries(content: object): string {
  const file = join(folder, 'registries.json');
  writeFileSync(file, JSON.stringify({ registries: content }));
  return file;
}

describe('a service with several registries, one of which hangs', () => {
  let service: TestService;
  let client: Api;

  beforeAll(async () => {
    const file = registries({
      talking: {
        adapter: 'simulated',
        tlds: ['com', 'net'],
        prices: { net: { registration: '1.50', renewal: 2, restore: 3 } },
      },
      silent: {
        adapter: SILENT,
        tlds: ['de'],
        settings: { silent_to: 'questions' },
        query_seconds: 0.05,
        failures: 1,
        retry_after_seconds: 60,
      },
      stuck: { adapter: SILENT, tlds: ['org'], settings: { silent_to: 'registrations' } },
    });
    service = await startService({ REGISTRIES_FILE: file });
    client = api(service, await service.key(await service.account()));
  });
  afterAll(() => service.stop());

  it('returns search results of one and lists the other under errors', async () => {
    const { body } = await client
      .post('/api/domains/search', { query: 'two-registries', tlds: ['de', 'com', 'net'] })
      .expect(200);

    expect(body.results.map(({ name, available }: { name: string; available: boolean }) => [name, available])).toEqual([
      ['two-registries.com', true],
      ['two-registries.net', true],
    ]);
    expect(body.errors).toEqual([
      {
        name: 'two-registries.de',
        code: 'REGISTRY_UNAVAILABLE',
        message: 'The registry is not available at the moment',
        details: expect.stringMatching(/\w/),
        retry_after: expect.any(Number),
      },
    ]);
  });

  it('registers names at one at the price in the file', async () => {
    const { body } = await client
      .post('/api/domains/quote', { domains: [{ name: 'at-the-talking-one.net', years: 2 }] })
      .expect(200);
    const id = await registered(client, 'at-the-talking-one.net');

    expect(body.total).toMatchObject({ amount: 3 });
    expect(id).toMatch(/^dom_/);
  });

  it('registers a name at one while registrations at another hang', async () => {
    const stuck = await Promise.all(
      [1, 2, 3, 4].map((each) =>
        client.post('/api/domains', { name: `stuck-${each}.org`, contacts: { registrant: REGISTRANT } }).expect(201),
      ),
    );

    await registered(client, 'while-others-are-stuck.com');

    for (const { body } of stuck)
      expect((await client.get(`/api/domains/${body.id}`).expect(200)).body.status).toBe('pending');
  });

  it('responds with 503 to a quote at the one that hangs', async () => {
    await client.post('/api/domains/quote', { domains: [{ name: 'at-the-silent-one.de' }] }).expect(503);
  });
});

/** Why a service does not start. */
async function refusal(content: object, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const attempt = startService({ REGISTRIES_FILE: registries(content), ...env });
  await expect(attempt).rejects.toBeInstanceOf(ConfigurationError);
  return attempt.then(
    () => 'it started',
    ({ message }: Error) => message,
  );
}

describe('a service with invalid registries', () => {
  it('does not start and reports all errors before the database is opened', async () => {
    const file = join(folder, 'untouched', 'namewright.db');

    const message = await refusal(
      {
        a: { adapter: './nowhere.js', tlds: ['com'] },
        b: { adapter: 'epp', tlds: ['de'], settings: { host: 'epp.example' } },
        c: { adapter: 'simulated', tlds: ['nowhere'] },
        d: { adapter: 'simulated', tlds: ['net'], per_second: 0 },
      },
      { DATABASE_URL: `sqlite:${file}` },
    );

    expect(message).toContain('REGISTRIES_FILE registries.a.adapter cannot be loaded: ');
    expect(message).toContain('REGISTRIES_FILE registries.b.settings.password is missing');
    expect(message).toContain('REGISTRIES_FILE registries.c.settings.tlds.nowhere needs a price');
    expect(message).toContain('REGISTRIES_FILE registries.d.per_second must be >= 1');
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('does not start and reports errors that an adapter finds only when it starts', async () => {
    expect(await refusal({ b: { adapter: SILENT, tlds: ['de'], settings: { silent_to: 'me' } } })).toContain(
      'REGISTRIES_FILE registries.b.settings.silent_to must be questions or registrations',
    );
  });
});

describe('a price list without the price of a restore', () => {
  it('sells names, lists that price as null, and refuses a restore without a charge', async () => {
    const prices = { com: { registration: 10, renewal: 11 } };
    const file = registries({ sandbox: { adapter: 'simulated', tlds: ['com'], prices } });
    const service = await startService({ REGISTRIES_FILE: file });
    const client = api(service, await service.key(await service.account()));
    const sandbox = service.container.get<RegistrySandbox>(RegistrySandbox);
    const id = await registered(client, 'unpriced.com');
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    for (const days of [366, 31]) {
      await sandbox.advance(days);
      await service.container.get(LifecycleSync).runDue();
    }
    const charged = await sandbox.ledger();

    const tlds = await client.get('/api/tlds').expect(200);
    const refused = await client.post(`/api/domains/${id}/restore`).expect(503);
    const left = await client.get(`/api/domains/${id}`).expect(200);

    expect(tlds.body).toMatchObject([{ price: { registration: 10, renewal: 11, restore: null } }]);
    expect(refused.body.error).toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      details: 'The registry reports no price for a restore of unpriced.com',
    });
    expect(left.body).toMatchObject({ status: 'redemption' });
    expect(await sandbox.ledger()).toEqual(charged);
    await service.stop();
  });
});

describe('an invalid configuration', () => {
  it('is reported with the errors of the environment and of the registries file together', async () => {
    const file = registries({ a: { adapter: 'simulated', tlds: ['com'] }, B: { adapter: 'simulated', tlds: ['com'] } });

    const issues = await checkedConfig({ PORT: 'x', CURRENCY: 'none', REGISTRIES_FILE: file }).then(
      () => [],
      ({ issues: found }: ConfigurationError) => found,
    );

    expect(issues.map(({ path }) => path)).toEqual([
      'PORT',
      'CURRENCY',
      'REGISTRIES_FILE registries.B',
      'REGISTRIES_FILE registries.B.tlds[0]',
    ]);
  });

  it('names a CURRENCY that the simulated registry does not have, together with the other errors', async () => {
    const issues = await checkedConfig({ PORT: 'http', CURRENCY: 'EUR' }).then(
      () => [],
      ({ issues: found }: ConfigurationError) => found,
    );

    expect(issues).toEqual([
      { path: 'PORT', message: expect.any(String) },
      { path: 'CURRENCY', message: "must be USD, which the simulated registry's prices are in" },
    ]);
  });

  it('is not reported if both are valid', async () => {
    expect(
      await checkedConfig({ REGISTRIES_FILE: registries({ a: { adapter: 'simulated', tlds: ['com'] } }) }),
    ).toMatchObject({ port: 3000 });
  });
});
