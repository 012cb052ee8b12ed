import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDomain, infoDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { createHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { infoContact } from '../../../src/infrastructure/registry/epp/mapping/contact-data';
import { commandDocument } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { RawEpp } from '../../support/epp/raw-epp';
import { api, startService, type Api, type TestService } from '../../support/service/service';

const CASES = join(__dirname, '../../fixtures/public-cases');
const readCase = (file: string) => readFileSync(join(CASES, file), 'utf8');

const HOSTS = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

describe('a registrant at an EPP registry', () => {
  let outside: ExternalEppRegistry;
  let service: TestService;
  let client: Api;
  let registrar: RawEpp;

  beforeAll(async () => {
    outside = await startExternalEppRegistry();
    service = await startService(outside.settings);
    client = api(service, await service.key(await service.account()));
    registrar = await RawEpp.loggedIn(outside.registry);
  });
  afterAll(async () => {
    await registrar.close();
    await service.stop();
    await outside.stop();
  });

  it('keeps one name, phone extension and street lines in an import and a change of the e-mail', async () => {
    const name = freshName().value;
    expect(await registrar.sendDocument(readCase('30-contact-create.xml'))).toContain('code="1000"');
    const holder = {
      registrant: 'TRIAL30',
      contacts: [],
      authCode: 'trial30Auth',
      hosts: HOSTS.map((host) => ({ host, addresses: [] })),
      hostMode: 'object' as const,
    };
    for (const host of HOSTS) await registrar.send(createHost(host, []));
    const created = await registrar.send(createDomain({ name, years: 1, ...holder }));
    expect(created.code).toBe(1000);
    const { body: started } = await client.post('/api/imports', { registry: 'sandbox', names: [name] }).expect(202);
    while ((await client.get(`/api/imports/${started.id}`).expect(200)).body.finished_at === null) await sleep(20);

    const { body: imported } = await client.get(`/api/domains/by-name/${name}`).expect(200);
    const { registrant } = imported.contacts;
    const changed = { registrant: { ...registrant, email: 'new@example.com' } };
    await client.put(`/api/domains/${imported.id}/contacts`, changed).expect(200);

    expect(registrant).toMatchObject({
      first_name: '',
      last_name: 'Ratna',
      phone: '+62.215550000',
      phone_extension: '1234',
      address: { street: 'Jalan Example 1', street2: 'Floor 2' },
    });
    const contact = await contactOf(name);
    expect(contact).toContain('<contact:email>new@example.com<');
    expect(contact).toContain('<contact:name>Ratna<');
    expect(contact).toContain('<contact:voice x="1234">+62.215550000<');
    expect(contact.match(/<contact:street>[^<]*/g)).toEqual([
      '<contact:street>Jalan Example 1',
      '<contact:street>Floor 2',
    ]);
  });

  it('is refused before the order if both names together are longer than a contact can hold', async () => {
    const order = JSON.parse(readCase('26-long-name.json'));
    const name = freshName().value;

    const { body } = await client.post('/api/domains', { ...order, name }).expect(400);

    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('contacts.registrant.last_name must have at most 255 characters together'),
    });
    await client.get(`/api/domains/by-name/${name}`).expect(404);
    expect((await registrar.send(infoDomain(name))).code).toBe(2303);
  });

  it.each<[string, number]>([
    ['an empty', 0],
    ['a null', 1],
    ['no', 2],
  ])('may have one name, with %s first name in the order', async (_what, index) => {
    const order = JSON.parse(readCase('27-one-name.json'))[index];
    const name = freshName().value;

    const { body } = await client.post('/api/domains', { ...order, name }).expect(201);

    expect(body.contacts.registrant).toMatchObject({ first_name: '', last_name: 'Ratna' });
    for (;;) {
      const { status } = (await client.get(`/api/domains/by-name/${name}`).expect(200)).body;
      if (status === 'active') break;
      await sleep(20);
    }
    expect(await contactOf(name)).toContain('<contact:name>Ratna<');
  });

  async function contactOf(name: string): Promise<string> {
    const domain = (await registrar.sendDocument(commandDocument(infoDomain(name), 'domain-info'))) ?? '';
    const id = /<domain:registrant>([^<]+)</.exec(domain)?.[1] ?? '';
    return (await registrar.sendDocument(commandDocument(infoContact(id), 'contact-info'))) ?? '';
  }
});
