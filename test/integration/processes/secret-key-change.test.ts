import { createSecretKey, randomBytes } from 'node:crypto';
import type { Container } from 'inversify';
import { FindTsigKey } from '../../../src/application/access/api-keys/find-tsig-key';
import { totpPurpose } from '../../../src/application/access/second-factor/totp-enrollment';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { OperationHandover } from '../../../src/application/operations/operation-handover';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { OperationReader } from '../../../src/application/ports/registration/operations-and-transfers';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { SecretBox } from '../../../src/application/ports/system';
import type { BulkItem, BulkJob } from '../../../src/domain/portfolio/bulk-job';
import { authCodePurpose } from '../../../src/application/transfers/auth-code-purpose';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { opensDatabase } from '../../../src/infrastructure/persistence/sealing/secret-key-proof';
import { rotateSecretKey } from '../../../src/infrastructure/persistence/sealing/rotate-secret-key';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { AesSecretBox } from '../../../src/infrastructure/system/aes-secret-box';
import { A_REGISTRANT } from '../../support/data/a-domain';
import { aTransfer } from '../../support/data/a-transfer';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, startService, type Api } from '../../support/service/service';

const NOW = new Date();
const CODE = { code: 'Sesame-0pen!', expiresAt: NOW };
/** No attempt is due before. */
const tomorrow = () => new Date(Date.now() + 86_400_000);
const newKey = () => randomBytes(32).toString('base64');
const fail = (problem: string): never => {
  throw new Error(problem);
};
const boxOf = (base64: string) => new AesSecretBox(createSecretKey(base64, 'base64'));

/** Finished, so that nothing runs it. */
function aFinishedJob(accountId: string): BulkJob {
  const action = { kind: 'transfer', registrant: A_REGISTRANT, autoRenew: true } as const;
  const times = { createdAt: NOW, updatedAt: NOW, finishedAt: NOW };
  return { id: 'blk_1', accountId, actor: OPERATOR, action, total: 1, undoes: null, ...times };
}

function aBulkTransfer(domainId: string, sealedAuthCode: string): BulkItem {
  const rest = { ownAction: null, undo: null, state: 'waiting', attempts: 0, error: null } as const;
  return { domainId, name: 'sealed-code.com', operationId: 'op_1', sealedAuthCode, ...rest };
}

onBothDatabases('the rotation of the secret key', (service) => {
  let database: Database;
  let client: Api;
  let accountId: string;
  let accountKey: string;
  let domainId: string;
  let tsigName: string;
  const settings = (key: string) => {
    const { database: location } = service().config;
    return {
      DATABASE_URL: location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url,
      SECRET_KEY: key,
      LOG_LEVEL: 'silent',
    };
  };
  const anyOperation = async (container: Container): Promise<Operation> => {
    const [first] = await container.get<OperationReader>(OperationReader).page({ accountId, domainId }, 1);
    return Operation.fromState(first ?? fail('the registration left no operation'));
  };
  const change = (sql: string, parameters: unknown[] = []) =>
    database.transaction((manager) => manager.query(sql, parameters));
  const requestCode = (through: Api) =>
    through.post(`/api/domains/${domainId}/auth-code`).set('Idempotency-Key', 'same-key');
  const sealedTexts = async () => {
    const rows = await Promise.all(
      [
        'SELECT sealed_secret AS text FROM tsig_keys',
        'SELECT sealed_tsig_secret AS text FROM api_keys WHERE sealed_tsig_secret IS NOT NULL',
        'SELECT sealed_private_key AS text FROM zone_keys',
        'SELECT sealed_secret AS text FROM totp_secrets',
        'SELECT sealed_secret AS text FROM mails WHERE sealed_secret IS NOT NULL',
        'SELECT sealed_body AS text FROM proposals',
        'SELECT sealed_secret AS text FROM webhooks',
        'SELECT handover AS text FROM operations WHERE handover IS NOT NULL',
        'SELECT auth_code AS text FROM transfers',
        'SELECT sealed_auth_code AS text FROM bulk_items',
        'SELECT response AS text FROM idempotency_records',
      ].map((sql) => database.query<{ text: string }>(sql)),
    );
    return rows.flat().map(({ text }) => text);
  };

  beforeAll(async () => {
    const { container, config } = service();
    accountId = await service().account();
    accountKey = await service().key(accountId);
    client = api(service(), accountKey);
    domainId = await registered(client, 'sealed.com');
    await container.get(CreateTsigKey).execute({ name: 'to-ns1', algorithm: 'hmac-sha256' });
    const issued = await container.get(IssueApiKey).executeTsig({ accountId, actor: OPERATOR, name: 'router' });
    tsigName = issued.text.split(':')[1] ?? '';
    await requestCode(client).expect(200);
    const sealedAuthCode = container.get<SecretBox>(SecretBox).seal(CODE.code, authCodePurpose('tr_1'));
    await container
      .get(UnitOfWork)
      .run(({ transfers }) => transfers.add(aTransfer({ accountId, sealedAuthCode }, tomorrow())));
    await container
      .get(UnitOfWork)
      .run(({ bulkJobs }) => bulkJobs.add(aFinishedJob(accountId), [aBulkTransfer('tr_1', sealedAuthCode)]));
    const sealedSecret = container.get<SecretBox>(SecretBox).seal('a secret', totpPurpose('usr_1'));
    await container
      .get(UnitOfWork)
      .run(({ factors }) => factors.saveTotp({ userId: 'usr_1', sealedSecret, lastStep: 0, createdAt: NOW }));
    await container.get(InviteUser).execute({ accountId, actor: OPERATOR, email: 'grace@example.com', role: 'viewer' });
    const write = { method: 'PUT', path: `/api/domains/${domainId}/autorenew`, body: { auto_renew: false } };
    await client.post('/api/proposals', { ...write, reason: 'Sold' }).expect(201);
    await client.post('/api/webhooks', { url: 'https://hooks.example.com/names' }).expect(201);
    const signer = container.get<ZoneSigner>(ZoneSigner);
    const key = await signer.createKey();
    await container.get(UnitOfWork).run((stores) => signer.start(stores, domainId, { denial: 'nsec', key }));
    database = new Database(config.database, SERVICE_CONTENT);
    await database.open();
    const operation = await anyOperation(container);
    const { sealed, until } = container.get(OperationHandover).seal(operation, CODE, NOW);
    await change('UPDATE operations SET handover = ?, handover_until = ? WHERE id = ?', [
      sealed,
      until.getTime(),
      operation.id,
    ]);
  });
  afterAll(() => database.close());

  it('is required before a start with another key: the start fails and names SECRET_KEY', async () => {
    const before = await sealedTexts();

    const opening = createContainer(loadConfig(settings(newKey())));

    await expect(opening).rejects.toThrow(
      /^The configuration is invalid:\n {2}SECRET_KEY is another key than the one that this database is sealed with: /,
    );
    expect(await sealedTexts()).toEqual(before);
  });

  it('re-encrypts every secret, so that only the new key decrypts it', async () => {
    const former = service().container.get<SecretBox>(SecretBox);
    const tsigKey = await service().container.get<SecondaryDirectory>(SecondaryDirectory).findKey('to-ns1');
    const accountTsigKey = await service().container.get(FindTsigKey).execute(tsigName);
    const { body: answered } = await requestCode(client).expect(200);
    const next = newKey();

    expect(await rotateSecretKey(former, boxOf(next), database)).toEqual({
      sealed: {
        tsig_keys: 1,
        api_keys: 1,
        zone_keys: 1,
        totp_secrets: 1,
        mails: 1,
        proposals: 1,
        webhooks: 1,
        operations: 1,
        transfers: 1,
        bulk_items: 1,
        idempotency_records: 1,
      },
      unreadable: 0,
    });

    expect(await opensDatabase(former, database)).toBe(false);
    const after = await startService(settings(next));
    const { body: repeated } = await requestCode(api(after, accountKey)).expect(200);
    expect(repeated).toEqual(answered);
    expect(await after.container.get<SecondaryDirectory>(SecondaryDirectory).findKey('to-ns1')).toEqual(tsigKey);
    expect(accountTsigKey?.secret).toHaveLength(32);
    expect((await after.container.get(FindTsigKey).execute(tsigName))?.secret).toEqual(accountTsigKey?.secret);
    const [transfer] = await database.query<{ text: string }>('SELECT auth_code AS text FROM transfers');
    expect(boxOf(next).open(transfer?.text ?? '', authCodePurpose('tr_1'))).toBe(CODE.code);
    const [item] = await database.query<{ text: string }>('SELECT sealed_auth_code AS text FROM bulk_items');
    expect(boxOf(next).open(item?.text ?? '', authCodePurpose('tr_1'))).toBe(CODE.code);
    const { body: proposals } = await api(after, accountKey).get('/api/proposals').expect(200);
    const { body: proposal } = await api(after, accountKey).get(`/api/proposals/${proposals[0].id}`).expect(200);
    expect(proposal.body).toEqual({ auto_renew: false });
    expect(after.container.get(OperationHandover).open(await anyOperation(after.container))).toEqual(CODE);
    await after.stop();
  });

  it('leaves secrets that the former key cannot decrypt unchanged, and reports their number', async () => {
    await change("UPDATE tsig_keys SET sealed_secret = 'v1.broken'");
    const [proof] = await database.query<{ sealed: string }>('SELECT sealed FROM secret_key_proof');

    expect(await rotateSecretKey(boxOf(newKey()), boxOf(newKey()), database)).toEqual({
      sealed: {
        tsig_keys: 0,
        api_keys: 0,
        zone_keys: 0,
        totp_secrets: 0,
        mails: 0,
        proposals: 0,
        webhooks: 0,
        operations: 0,
        transfers: 0,
        bulk_items: 0,
        idempotency_records: 0,
      },
      unreadable: 11,
    });

    expect(await database.query<{ text: string }>('SELECT sealed_secret AS text FROM tsig_keys')).toEqual([
      { text: 'v1.broken' },
    ]);
    expect(await database.query<{ sealed: string }>('SELECT sealed FROM secret_key_proof')).not.toEqual([proof]);
  });

  it('accepts a new key if the operator says that the former key is lost', async () => {
    const found = newKey();

    await (await createContainer(loadConfig(settings(found)), { replaceLostKey: true })).close();

    expect(await opensDatabase(boxOf(found), database)).toBe(true);
  });

  it('covers every column with encrypted text', async () => {
    const tables =
      service().config.database.kind === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
    const columns = new Set<string>();
    for (const { name } of await database.query<{ name: string }>(tables)) {
      for (const row of await database.query<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
        for (const [column, value] of Object.entries(row))
          if (String(value).startsWith('v1.')) columns.add(`${name}.${column}`);
      }
    }

    expect([...columns].toSorted()).toEqual([
      'api_keys.sealed_tsig_secret',
      'bulk_items.sealed_auth_code',
      'idempotency_records.response',
      'mails.sealed_secret',
      'operations.handover',
      'proposals.sealed_body',
      'secret_key_proof.sealed',
      'totp_secrets.sealed_secret',
      'transfers.auth_code',
      'tsig_keys.sealed_secret',
      'webhooks.sealed_secret',
      'zone_keys.sealed_private_key',
    ]);
  });
});
