import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { RegistryMessages } from '../../../src/application/lifecycle/registry-messages';
import { DeadLetterReader } from '../../../src/application/ports/registry/registries';
import { pollRequest } from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { transferDomain } from '../../support/epp/epp-scenario';
import { RawEpp } from '../../support/epp/raw-epp';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

describe('an EPP message that cannot be parsed', () => {
  let outside: ExternalEppRegistry;
  let service: TestService;
  let account: string;
  let client: Api;

  beforeAll(async () => {
    outside = await startExternalEppRegistry();
    outside.registry.exempt((document) => !document.endsWith('</epp>'));
    service = await startService(outside.settings);
    account = await service.account();
    client = api(service, await service.key(account));
  });
  afterAll(async () => {
    await service.stop();
    await outside.stop();
  });

  /** Another registrar requests a transfer, so the registry sends a message. */
  async function askedFor(): Promise<string> {
    const name = freshName().value;
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    const other = await RawEpp.loggedIn(outside.registry, 'second');
    expect((await other.send(transferDomain('request', name, body.auth_code))).code).toBe(1001);
    await other.close();
    return name;
  }

  it('is kept as a dead letter and acknowledged, and later messages are processed', async () => {
    const [poisoned, behind] = [await askedFor(), await askedFor()];
    await outside.registry.server.faults.inject({ kind: 'malformed', target: 'poll:req', times: 2 });

    await service.container.get(RegistryMessages).receive();

    const kept = await service.container.get<DeadLetterReader>(DeadLetterReader).latest(10);
    const heard = await service.container
      .get<AuditReader>(AuditReader)
      .page(account, { action: 'domain.registry_message' }, 100);
    expect(
      kept.map(({ registry, messageId, message }) => ({ registry, messageId, message: JSON.parse(message) })),
    ).toEqual([
      {
        registry: 'sandbox',
        messageId: expect.stringMatching(/^[^:]+$/),
        message: expect.objectContaining({ kind: 'other', unreadable: expect.stringContaining(poisoned) }),
      },
    ]);
    expect(heard.map(({ domain }) => domain?.name)).toContain(behind);
    expect(heard.map(({ domain }) => domain?.name)).not.toContain(poisoned);
    const raw = await RawEpp.loggedIn(outside.registry);
    expect((await raw.send(pollRequest())).code).toBe(1300);
    await raw.close();
  });
});
