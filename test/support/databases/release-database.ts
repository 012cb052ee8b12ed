import Sqlite from 'better-sqlite3';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { Leases } from '../../../src/application/ports/storage/replicas';
import { Readiness } from '../../../src/application/ports/storage/storage-unavailable';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { SecretBox } from '../../../src/application/ports/system';
import { OPERATOR } from '../../../src/domain/access/actor';
import { aUser, DashboardClient } from '../dashboard/dashboard-client';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../service/service';
import { insertRowsOfLongerRuns, type Referents } from './release-rows';
import { SECRET_KEY, type Release } from './releases';

/** Makes a database of this version with rows in every table of the schema: a service writes what it can in a few seconds. */
export async function createReleaseDatabase(file: string, registryFile: string): Promise<Release> {
  const service = await startService({
    DATABASE_URL: `sqlite:${file}`,
    SECRET_KEY,
    REGISTRY: 'simulated',
    RECORD_TYPES: 'all',
    // Nothing listens there: the targets of ALIAS records are not found.
    ALIAS_RESOLVER: '127.0.0.1:1',
  });
  const secrets = service.container.get<SecretBox>(SecretBox);
  const { email, key, ...referents } = await useAndStop(service);
  const databases = [new Sqlite(file), new Sqlite(registryFile)] as const;
  insertRowsOfLongerRuns(databases, referents, secrets);
  for (const database of databases) database.close();
  return { key, domainId: referents.domainId, email };
}

async function useAndStop(service: TestService): Promise<Referents & Release> {
  try {
    const person = await signIn(service);
    const key = await service.key(person.accountId);
    const domain = await useApi(api(service, key));
    await useStores(service);
    return { key, ...person, ...domain };
  } finally {
    await service.stop();
  }
}

/** With a user of whom no one has the password. */
async function signIn(service: TestService): Promise<Readonly<Record<'accountId' | 'userId' | 'email', string>>> {
  const accountId = await service.account();
  const email = await aUser(service, accountId);
  await new DashboardClient(service).signIn(email);
  const invitation = { accountId, actor: OPERATOR, email: 'invited@example.com', role: 'manager' } as const;
  const { user } = await service.container.get(InviteUser).execute(invitation);
  return { accountId, userId: user.id, email };
}

/** Registrations, records of several types, a signed zone, a transfer, a template and a health check. */
async function useApi(client: Api): Promise<{ readonly keyId: string; readonly domainId: string }> {
  const domainId = await registered(client, 'kept-release.com');
  const signedId = await registered(client, 'xn--bcher-kva.com');
  const records = [
    { type: 'A', name: '@', content: '192.0.2.1' },
    { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 },
    { type: 'SRV', name: '_sip._tcp', content: 'sip.example.net', priority: 1, weight: 2, port: 5060 },
    { type: 'TXT', name: 'ünï', content: 'Ünï "quoted" \\ 💡; it\'s 100 %' },
  ];
  await client.post(`/api/domains/${domainId}/dns/records/batch`, { create: records }).expect(200);
  const alias = { type: 'ALIAS', name: '@', content: 'target.example.net' };
  await client.post(`/api/domains/${signedId}/dns/records`, alias).expect(201);
  await client.put(`/api/domains/${signedId}/dnssec`, { enabled: true }).expect(200);
  await client.post(`/api/domains/${domainId}/auth-code`).set('Idempotency-Key', 'kept').expect(200);
  await client.post(`/api/domains/${domainId}/health`).expect(200);
  await client.post('/api/record-templates', { name: 'Web servers', records: '@ 300 A {address}' }).expect(201);
  const name = 'coming-release.com';
  const elsewhere = await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
  const order = { name, auth_code: elsewhere.body.auth_code, years: 1, registrant: REGISTRANT };
  await client.post('/api/transfers', order).expect(201);
  // Gives the events their positions.
  await client.get('/api/events').expect(200);
  const { body: ownKey } = await client.get('/api/key').expect(200);
  return { keyId: ownKey.id, domainId };
}

/** What other parties send, and what processes keep for themselves. */
async function useStores({ container }: TestService): Promise<void> {
  await container.get(UnitOfWork).run(({ deadLetters }) =>
    deadLetters.keep({
      registry: 'simulated',
      messageId: 'm1',
      message: '{"id":"m1","text":"could not be processed"}',
      receivedAt: new Date('2026-11-22T00:00:00Z'),
    }),
  );
  const directory = container.get<SecondaryDirectory>(SecondaryDirectory);
  await directory.addKey({ name: 'release-key', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) }, new Date());
  await directory.add({
    name: 'release-secondary',
    endpoint: { address: '192.0.2.53', port: 53 },
    keyName: 'release-key',
    signs: true,
    createdAt: new Date(),
  });
  await container.get<Leases>(Leases).hold('release', 'a process');
  await container.get<Readiness>(Readiness).check();
}
