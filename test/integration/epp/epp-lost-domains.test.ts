import { DomainName } from '../../../src/domain/registration/domain-name';
import { deleteDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { RawEpp } from '../../support/epp/raw-epp';
import { api, REGISTRANT, registered, startService, type Api, type TestService } from '../../support/service/service';

const CONTACTS = { registrant: { ...REGISTRANT, first_name: 'Grace' } };
const AFTER_THE_TRANSFER_DAYS = 6;

describe('a domain that the service has lost at an EPP registry', () => {
  let outside: ExternalEppRegistry;
  let service: TestService;
  let client: Api;
  let name: string;
  let at: string;

  beforeAll(async () => {
    outside = await startExternalEppRegistry();
    service = await startService(outside.settings);
    client = api(service, await service.key(await service.account()));
  });
  beforeEach(async () => {
    name = freshName().value;
    at = `/api/domains/${await registered(client, name)}`;
    // No poll message can tell the service before the refused command does.
    await outside.registry.server.faults.inject({ kind: 'failure', target: 'poll:req' });
  });
  afterEach(() => outside.registry.server.faults.clear());
  afterAll(async () => {
    await service.stop();
    await outside.stop();
  });

  it('becomes transferred_out at once if a command is refused after a transfer', async () => {
    await client.put(`${at}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body } = await client.post(`${at}/auth-code`).expect(200);
    await outside.sandbox.transferOut(DomainName.parse(name), body.auth_code);
    await outside.registry.server.advance(AFTER_THE_TRANSFER_DAYS);

    await client.put(`${at}/contacts`, CONTACTS).expect(422);

    expect(await statusOf()).toBe('transferred_out');
  });

  it('is no longer found if a command is refused after the registry deleted it', async () => {
    const registrar = await RawEpp.loggedIn(outside.registry);
    await registrar.send(deleteDomain(name));
    await registrar.close();

    await client.put(`${at}/contacts`, CONTACTS).expect(422);

    await client.get(at).expect(404);
  });

  /** The check follows the refusal in the background. */
  async function statusOf(): Promise<string> {
    for (;;) {
      const { body } = await client.get(at).expect(200);
      if (body.status !== 'active') return body.status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

describe('a domain that the service releases at an EPP registry', () => {
  it('becomes transferred_out although the response was lost, and the registry gets the release once', async () => {
    const releases: string[] = [];
    const outside = await startExternalEppRegistry({
      personality: 'nominet',
      watch: (_direction, document) => void (document.includes('registrarTag>') && releases.push(document)),
    });
    const service = await startService(outside.settings);
    try {
      const client = api(service, await service.key(await service.account()));
      const name = freshName('co.uk').value;
      const at = `/api/domains/${await registered(client, name)}`;
      await outside.registry.server.faults.inject({ kind: 'drop_after', target: 'update', times: 1 });

      const { body } = await client.post(`${at}/release`, { registrar_tag: 'second-regist' }).expect(200);

      expect(body).toMatchObject({ name, status: 'transferred_out', registrar_tag: 'second-regist' });
      expect(releases).toHaveLength(1);
      await client.post(`${at}/release`, { registrar_tag: 'second-regist' }).expect(409);
      const second = `/api/domains/${await registered(client, freshName('co.uk').value)}`;
      const refused = await client.post(`${second}/release`, { registrar_tag: 'NOTAREALTAG' }).expect(422);
      expect(refused.body.error.details).toContain('V016');
    } finally {
      await service.stop();
      await outside.stop();
    }
  });
});
