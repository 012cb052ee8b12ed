import { infoDomain, updateDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { domainNoticeOf } from '../../../src/infrastructure/registry/epp/mapping/poll-data';
import {
  pollAcknowledgement,
  pollRequest,
} from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { AUTH_CODE, EppScenario, transferDomain } from '../../support/epp/epp-scenario';
import type { RawEpp } from '../../support/epp/raw-epp';

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
});
afterAll(() => scene.close());

async function drained(client: RawEpp): Promise<(string | undefined)[]> {
  const states: (string | undefined)[] = [];
  for (let answer = await client.send(pollRequest()); answer.message; answer = await client.send(pollRequest())) {
    const news = domainNoticeOf(answer);
    states.push(news && `${news.name} ${news.kind === 'transfer' ? news.state : news.kind}`);
    await client.send(pollAcknowledgement(answer.message.id));
  }
  return states;
}

describe('transfers at the sandbox EPP server', () => {
  it('require the auth code and no lock, and notify both registrars', async () => {
    const name = await scene.registered();
    await scene.first.send(updateDomain(name, { add: { statuses: ['clientTransferProhibited'] } }, 'object'));
    await drained(scene.first);
    await drained(scene.second);

    expect(await scene.code(transferDomain('request', name, AUTH_CODE), scene.second)).toBe(2304);
    await scene.first.send(updateDomain(name, { remove: { statuses: ['clientTransferProhibited'] } }, 'object'));
    expect(await scene.code(transferDomain('request', name, 'wrong'), scene.second)).toBe(2202);
    expect(await scene.code(transferDomain('request', name, AUTH_CODE), scene.first)).toBe(2106);
    expect(await scene.code(transferDomain('approve', name), scene.first)).toBe(2301);
    expect(await scene.code(transferDomain('request', name, AUTH_CODE), scene.second)).toBe(1001);
    expect(await scene.code(transferDomain('request', name, AUTH_CODE), scene.second)).toBe(2300);
    expect([...(await scene.info(name)).statuses]).toEqual(['pendingTransfer']);
    expect(await scene.code(transferDomain('approve', name), scene.second)).toBe(2201);
    expect(await scene.code(transferDomain('approve', name), scene.first)).toBe(1000);

    expect(domainInfoOf(await scene.second.send(infoDomain(name))).sponsor).toBe('second-regist');
    expect(await drained(scene.first)).toEqual([`${name} clientApproved`, `${name} clientApproved`]);
    expect(await drained(scene.second)).toEqual([`${name} clientApproved`]);
  });

  it('can be rejected by the losing and cancelled by the gaining registrar', async () => {
    const name = await scene.registered();

    await scene.second.send(transferDomain('request', name, AUTH_CODE));
    expect(await scene.code(transferDomain('cancel', name), scene.first)).toBe(2201);
    expect(await scene.code(transferDomain('reject', name), scene.first)).toBe(1000);
    await scene.second.send(transferDomain('request', name, AUTH_CODE));
    expect(await scene.code(transferDomain('cancel', name), scene.second)).toBe(1000);

    expect((await scene.info(name)).sponsor).toBe('first-registrar');
    expect(await drained(scene.second)).toContain(`${name} clientCancelled`);
  });

  it('are approved by the registry at the end of the transfer period', async () => {
    const name = await scene.registered();
    await scene.second.send(transferDomain('request', name, AUTH_CODE));

    await scene.registry.server.advance(6);

    const state = domainNoticeOf(await scene.second.send(transferDomain('query', name)));
    expect(state).toMatchObject({
      kind: 'transfer',
      state: 'serverApproved',
      gaining: 'second-regist',
      losing: 'first-registrar',
    });
  });

  it('are rejected after the auth code was removed', async () => {
    const name = await scene.registered();

    expect(await scene.code(updateDomain(name, { authCode: null }, 'object'))).toBe(1000);

    expect(await scene.code(transferDomain('request', name, AUTH_CODE), scene.second)).toBe(2202);
  });
});
