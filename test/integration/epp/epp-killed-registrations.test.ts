import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SqlRegistryValues } from '../../../src/infrastructure/persistence/registration/sql-registry-values';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { freshName } from '../../../src/testing/registry-fixtures';
import { withEachDatabase } from '../../support/databases/each-database';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { api, REGISTRANT } from '../../support/service/service';
import { addressOf, build, startProcess, type ServiceProcess } from '../../support/service/service-process';

/** SIDN assigns the ids of contacts, so the service cannot compute them again. */
withEachDatabase('a service that is killed between the creates of a contact and of its domain', (databases) => {
  let outside: ExternalEppRegistry;
  let settings: Record<string, string>;
  let service: ServiceProcess;
  let key: string;
  /** Commands on contacts, with the id that the registry has assigned. */
  const contacts: string[] = [];
  /** Called with the create of a domain that the registry receives. */
  let onDomainCreate: ((document: string) => void) | undefined;

  beforeAll(async () => {
    build();
    outside = await startExternalEppRegistry({
      personality: 'sidn',
      watch: (direction, document) => {
        if (direction === 'received' && document.includes('<domain:create')) onDomainCreate?.(document);
        const [, id] = /<contact:(?:creData|delete)[^>]*><contact:id>([^<]+)/.exec(document) ?? [];
        if (id) contacts.push(`${document.includes('creData') ? 'created' : 'deleted'} ${id}`);
      },
    });
    const location = await databases.create();
    settings = {
      ...outside.settings,
      PORT: '0',
      DATABASE_URL: location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url,
      SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
      OPERATION_LEASE_MS: '1000',
      DNS_LISTEN: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    const { container, close } = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
    const { id: accountId } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Killed' });
    const issued = { accountId, actor: OPERATOR, name: 'REST', scope: 'WRITE' } as const;
    key = (await container.get(IssueApiKey).execute(issued)).text;
    await close();
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.ended;
    await outside.stop();
  });

  const client = async () => api({ server: await addressOf(service) }, key);
  /** Returns the path of the operation. */
  const order = async (name: string, firstName: string): Promise<string> => {
    const contact = { registrant: { ...REGISTRANT, first_name: firstName } };
    const { headers } = await (await client()).post('/api/domains', { name, contacts: contact }).expect(201);
    return headers['operation-location'] ?? '';
  };
  const stateAtEnd = async (operation: string): Promise<string> => {
    const caller = await client();
    for (;;) {
      const { state } = (await caller.get(operation).expect(200)).body;
      if (state === 'succeeded' || state === 'failed') return state;
      await sleep(20);
    }
  };

  it('uses the contact in the next run, or deletes it if the registry then rejects the domain', async () => {
    const { faults } = outside.registry.server;
    const [accepted, rejected] = [freshName('nl').value, freshName('nl').value];
    await faults.inject({ kind: 'drop_before', target: 'domain:create' });
    /** The contact in the create of each name. */
    const used = new Map<string, string>();
    const bothSent = new Promise<void>((resolve) => {
      onDomainCreate = (document) => {
        const [, name = '', id = ''] = /<domain:name>(.*?)<.*<domain:registrant>(.*?)</s.exec(document) ?? [];
        if (used.set(name, id).size === 2) resolve();
      };
    });
    service = startProcess(settings);
    const operations = await Promise.all([order(accepted, 'Used'), order(rejected, 'Deleted')]);
    await bothSent;
    service.signal('SIGKILL');
    await service.ended;
    await faults.clear();
    await faults.inject({ kind: 'refuse', target: rejected });

    service = startProcess(settings);

    expect(await stateAtEnd(operations[0])).toBe('succeeded');
    expect(await stateAtEnd(operations[1])).toBe('failed');
    const created = [accepted, rejected].map((name) => `created ${used.get(name)}`);
    expect(contacts.slice(0, 2).toSorted()).toEqual(created.toSorted());
    expect(contacts.slice(2)).toEqual([`deleted ${used.get(rejected)}`]);
  });

  it('lists its stored values by the start of their keys, of one registry', async () => {
    const database = new Database(await databases.create(), SERVICE_CONTENT);
    await database.open();
    const [values, others] = [new SqlRegistryValues(database, 'one'), new SqlRegistryValues(database, 'other')];
    for (const key of ['unused:a:2', 'unused:a:1', 'unused:a', 'unused:b:1', 'contact:a']) await values.put(key, key);
    await others.put('unused:a:3', 'of another registry');

    expect(await values.list('unused:a:', 10)).toEqual(['unused:a:1', 'unused:a:2']);
    expect(await values.list('unused:', 2)).toEqual(['unused:a', 'unused:a:1']);
    await database.close();
  });
});
