import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { formatDate } from '../../../src/domain/shared/time/date-text';
import { deleteDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { freshName } from '../../../src/testing/registry-fixtures';
import { signIn } from '../../support/dashboard/dashboard-client';
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
  const releases: string[] = [];
  let outside: ExternalEppRegistry;
  let service: TestService;
  let accountId: string;
  let client: Api;
  let name: string;
  let id: string;

  beforeAll(async () => {
    outside = await startExternalEppRegistry({
      personality: 'nominet',
      watch: (_direction, document) => void (document.includes('registrarTag>') && releases.push(document)),
    });
    service = await startService(outside.settings);
    accountId = await service.account();
    client = api(service, await service.key(accountId));
  });
  beforeEach(async () => {
    releases.length = 0;
    name = freshName('co.uk').value;
    id = await registered(client, name);
  });
  afterAll(async () => {
    await service.stop();
    await outside.stop();
  });

  it('becomes transferred_out although the response was lost, and the registry gets the release once', async () => {
    const at = `/api/domains/${id}`;
    await outside.registry.server.faults.inject({ kind: 'drop_after', target: 'update', times: 1 });

    const { body } = await client.post(`${at}/release`, { registrar_tag: 'second-regist' }).expect(200);

    expect(body).toMatchObject({ name, status: 'transferred_out', registrar_tag: 'second-regist' });
    expect(releases).toHaveLength(1);
    await client.post(`${at}/release`, { registrar_tag: 'second-regist' }).expect(409);
    const second = `/api/domains/${await registered(client, freshName('co.uk').value)}`;
    const refused = await client.post(`${second}/release`, { registrar_tag: 'NOTAREALTAG' }).expect(422);
    expect(refused.body.error.details).toContain('V016');
    const withoutCodes = await client.post(`${second}/auth-code`).expect(422);
    expect(withoutCodes.body.error.details).toContain('Release the domain to the tag of the other registrar');
  });

  it('leaves by a form in the danger zone, which warns first and asks for tag and name', async () => {
    const owner = await signIn(service, accountId);
    const path = `/domains/${id}/release`;

    const { text: page } = await owner.get(`/domains/${id}`).expect(200);
    expect(page).toContain(`href="${path}"`);
    expect(page).not.toContain('Ask the registrar for one');
    await owner.get(path).expect(/nameservers of this service stop answering[\s\S]*Tag of the new registrar/);
    const wrongName = await owner.post(path, { registrar_tag: 'second-regist', confirm_name: 'other.co.uk' });
    expect(wrongName.status).toBe(400);
    expect(wrongName.text).toContain('value="second-regist"');
    await owner.post(path, { registrar_tag: '?', confirm_name: name }).expect(400, /id="registrar_tag-error"/);
    await owner.post(path, { registrar_tag: 'NOTAREALTAG', confirm_name: name }).expect(422).expect(/V016/);
    expect(releases).toHaveLength(1);

    await owner.post(path, { registrar_tag: ' second-regist ', confirm_name: name }).expect(303);

    await owner.get(`/domains/${id}`).expect(/was released to second-regist and has left this account/);
    await owner.get(path).expect(409, /not possible to release/);
  });

  it('is released by managers only if the account allows it', async () => {
    const manager = await signIn(service, accountId, 'manager');

    await manager
      .get(`/domains/${id}`)
      .expect(
        /Only owners of the account can release the domain to another registrar and move it to another account\./,
      );
    await manager.get(`/domains/${id}/release`).expect(403);
    await manager.post(`/domains/${id}/release`, { registrar_tag: 'second-regist', confirm_name: name }).expect(403);

    expect(releases).toEqual([]);
  });

  it('says until when it waits for the other registrar', async () => {
    const released = new Date();
    await service.container.get(UnitOfWork).run(async ({ domains }) => {
      const domain = await domains.lock(accountId, id);
      domain?.markReleased(released);
      if (domain) await domains.save(domain);
    });

    const { text } = await (await signIn(service, accountId)).get(`/domains/${id}`).expect(200);

    expect(text).toContain('leaves as soon as the other registrar accepts it');
    expect(text).toContain(`not by ${formatDate(addDays(released, 5))}`);
  });
});
