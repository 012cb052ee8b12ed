import { UserReader } from '../../../src/application/ports/access/users';
import { aUser } from '../dashboard/dashboard-client';
import { api, registered, type Api, type TestService } from '../service/service';

export interface Account {
  readonly admin: Api;
  readonly accountId: string;
  /** Values of path parameters. */
  readonly ids: Readonly<Record<string, string>>;
}

export async function openAccount(service: TestService, label: string): Promise<Account> {
  const accountId = await service.account();
  return fillAccount(service, { accountId, admin: api(service, await service.key(accountId)) }, label);
}

/** A domain with a record, an operation, a key and a person with these tags. */
export async function fillAccount(
  service: TestService,
  { accountId, admin }: Pick<Account, 'accountId' | 'admin'>,
  label: string,
  tags: readonly string[] = [],
): Promise<Account> {
  const id = await registered(admin, `${label}.com`);
  await admin.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
  const { body: record } = await admin
    .post(`/api/domains/${id}/dns/records`, { name: 'www', type: 'TXT', content: label })
    .expect(201);
  const { body: operations } = await admin.get(`/api/domains/${id}/operations`).expect(200);
  const { body: key } = await admin.get('/api/key').expect(200);
  const email = await aUser(service, accountId, 'viewer', `${label}@example.com`, tags);
  const [user] = await service.container.get<UserReader>(UserReader).ofEmail(email);
  const ids = {
    id,
    name: `${label}.com`,
    recordId: (record as { id: string }).id,
    operationId: (operations as { id: string }[])[0]?.id ?? '',
    keyId: (key as { id: string }).id,
    userId: user?.id ?? '',
    version: '2',
  };
  return { admin, accountId, ids };
}
