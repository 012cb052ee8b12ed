import { createSecretKey } from 'node:crypto';
import { FactorReader } from '../../../src/application/ports/access/authentication';
import { UserReader } from '../../../src/application/ports/access/users';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { rotateSecretKey } from '../../../src/infrastructure/persistence/sealing/rotate-secret-key';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { AesSecretBox } from '../../../src/infrastructure/system/aes-secret-box';
import { DashboardClient } from '../dashboard/dashboard-client';
import { API_ROUTES } from '../http/api-routes';
import { api, startService } from '../service/service';
import { SECRET_KEY, type Release, type Rows } from './releases';

/** By the first part of a route, the table that has its ids. */
const TABLES: Readonly<Record<string, string>> = {
  domains: 'domains',
  operations: 'operations',
  transfers: 'transfers',
  imports: 'imports',
  bulk: 'bulk_jobs',
  'record-templates': 'record_templates',
};

/** Reads the database of a release with the key, the password and the sealed texts of the release, by every GET route of the API. */
export async function assertServed(
  { key, domainId, email }: Release,
  location: DatabaseLocation,
  rows: Rows,
): Promise<void> {
  const databaseUrl = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url;
  const service = await startService({ DATABASE_URL: databaseUrl, SECRET_KEY, REGISTRY: 'simulated' });
  try {
    const { container } = service;
    const client = api(service, key);
    for (const path of pathsOf(rows)) await client.get(path).expect(200);
    const { body: domain } = await client.get(`/api/domains/${domainId}`).expect(200);
    const { body: records } = await client.get(`/api/domains/${domainId}/dns/records`).expect(200);
    const tsigKey = await container.get<SecondaryDirectory>(SecondaryDirectory).findKey('release-key');

    expect(domain).toMatchObject({ name: 'kept-release.com' });
    expect(records.map(({ type }: { type: string }) => type).toSorted()).toEqual(['A', 'MX', 'SRV', 'TXT']);
    expect(tsigKey?.secret).toEqual(Buffer.alloc(32, 7));
    const readers = container.get<UserReader>(UserReader);
    const users = await readers.ofAccount((await readers.ofEmail(email))[0]?.toState().accountId ?? '');
    // Owner stays owner, and the invited member becomes a manager.
    expect(Object.fromEntries(users.map((user) => [user.email, user.toState().role]))).toEqual({
      [email]: 'owner',
      'invited@example.com': 'manager',
    });
    for (const { id } of users) {
      const { passkeys } = await container.get<FactorReader>(FactorReader).ofUser(id);
      expect(passkeys).toHaveLength(rows['passkeys']?.filter((row) => row['user_id'] === id).length ?? 0);
    }
    await new DashboardClient(service).signIn(email);
  } finally {
    await service.stop();
  }
  await assertSecretsOpen(location);
}

/** Of every GET route that needs no other id than the first, with all ids that the rows have. */
function pathsOf(rows: Rows): readonly string[] {
  const paths = API_ROUTES.filter(([method, path]) => method === 'get' && !/:(?!id\b)/.test(path)).flatMap(
    ([, path]) => {
      if (!path.includes(':id')) return [path];
      const ids = rows[TABLES[path.split('/')[1] ?? ''] ?? path] ?? [];
      return ids.map(({ id }) => path.replace(':id', String(id)));
    },
  );
  return paths.map((path) => `/api${path}`);
}

async function assertSecretsOpen(location: DatabaseLocation): Promise<void> {
  const secrets = new AesSecretBox(createSecretKey(SECRET_KEY, 'base64'));
  const database = new Database(location, SERVICE_CONTENT);
  await database.open();
  expect(await rotateSecretKey(secrets, secrets, database)).toMatchObject({ unreadable: 0 });
  await database.close();
}
