import { CommandIds } from '../../../src/infrastructure/registry/epp/session/command-ids';
import { newTransactionId } from '../../../src/infrastructure/registry/epp/session/epp-session';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import {
  infoDomain,
  deleteDomain,
  updateDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { greetingWith, HANG_UP, resultOf, type Reaction } from '../../support/epp/scripted-epp-server';
import { SECRET, ScriptedSessions } from '../../support/epp/scripted-sessions';

const epp = ScriptedSessions.forEachTest();
const QUERY = infoDomain('example.com');
const COMMAND = deleteDomain('example.com');

/** Hangs up on so many commands. */
function lost(times: number): (command: unknown, title: string) => Reaction | undefined {
  let left = times;
  return (_command, title) => (title !== 'login' && title !== 'logout' && (left -= 1) >= 0 ? HANG_UP : undefined);
}

describe('EPP client session', () => {
  it('logs in with the services that both sides support', async () => {
    await epp.serve({
      greeting: greetingWith(
        [NAMESPACES.domain, NAMESPACES.host, 'urn:unheard-of'],
        [NAMESPACES.rgp, 'urn:unheard-of'],
      ),
    });

    const session = await epp.open();

    expect(session.services).toEqual({
      objects: [NAMESPACES.domain, NAMESPACES.host],
      extensions: [NAMESPACES.rgp],
      language: 'en',
    });
    expect(epp.server.documents[0]).toContain(
      `<objURI>${NAMESPACES.host}</objURI><svcExtension><extURI>${NAMESPACES.rgp}</extURI></svcExtension></svcs>`,
    );
    expect(epp.server.documents[0]).toContain(`<pw>${SECRET}</pw>`);
    await session.close();
  });

  it('logs in by RFC 8807 if the password needs it, and logs security warnings', async () => {
    const warning = `<extension><loginSecData xmlns="${NAMESPACES.loginSec}"><event type="password" level="warning" exDate="2026-12-01T00:00:00Z" value="${SECRET}">soon</event></loginSecData></extension>`;
    await epp.serve({
      greeting: greetingWith(undefined, [NAMESPACES.loginSec]),
      answer: (_command, title, clTRID) => (title === 'login' ? resultOf(1000, clTRID, warning) : undefined),
    });

    const session = await epp.open({ password: 'a password of more than sixteen characters' });

    expect(epp.server.documents[0]).toContain('<pw>[LOGIN-SECURITY]</pw>');
    expect(epp.log.entries).toContainEqual({
      level: 'warn',
      message: 'login security warning from the registry',
      facts: { registry: 'example', type: 'password', level: 'warning', exDate: '2026-12-01T00:00:00Z' },
    });
    expect(session.passwordUntil).toEqual(new Date('2026-12-01T00:00:00Z'));
    await session.close();
  });

  it('does not send a password that needs RFC 8807 to a registry without it', async () => {
    await epp.serve();

    await expect(epp.open({ password: 'a password of more than sixteen characters' })).rejects.toMatchObject({
      name: 'LoginRefused',
      refusal: 'permanent',
    });
    expect(epp.server.received).toEqual([]);
  });

  it.each([
    [2200, 'permanent'],
    [2501, 'permanent'],
    [2306, 'permanent'],
    [2502, 'session_limit'],
    [2400, 'temporary'],
    [2500, 'temporary'],
  ])('classifies result code %d to a login as %s', async (code, refusal) => {
    await epp.serve({ answer: (_command, _title, clTRID) => resultOf(code, clTRID) });

    await expect(epp.open()).rejects.toMatchObject({ name: 'LoginRefused', refusal, resultCode: code });
  });

  it('accepts a response without clTRID, and ends after one with another clTRID', async () => {
    let answered = 0;
    await epp.serve({
      answer: (_command, title) =>
        title === 'info' ? resultOf(2001, (answered += 1) > 1 ? 'another-1' : undefined) : undefined,
    });
    const session = await epp.open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({ code: 2001 });
    expect(session.usable).toBe(true);
    await expect(session.send(QUERY, 'one-2')).rejects.toMatchObject({
      name: 'ProtocolError',
      message: 'response to another command',
    });
    expect(session.usable).toBe(false);
  });

  it.each([2002, 2200, 2500, 2501, 2502])('ends after result code %d', async (code) => {
    await epp.serve({ answer: (_command, title, clTRID) => (title === 'info' ? resultOf(code, clTRID) : undefined) });
    const session = await epp.open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({ code });
    expect(session.usable).toBe(false);
  });

  it('sends hello as keep-alive, and ends without a greeting in response', async () => {
    let greeted = true;
    await epp.serve({ answer: (_command, title) => (title === 'hello' && !greeted ? resultOf(1000) : undefined) });
    const session = await epp.open();

    await session.keepAlive();
    expect(session.usable).toBe(true);
    greeted = false;
    await expect(session.keepAlive()).rejects.toMatchObject({ name: 'ProtocolError' });
    expect(session.usable).toBe(false);
  });

  it('logs transaction ids, result codes and durations without secrets', async () => {
    await epp.serve({ answer: (_command, title, clTRID) => (title === 'info' ? resultOf(2306, clTRID) : undefined) });
    const session = await epp.open();

    await session.send(QUERY, 'op-1');
    await session.send(updateDomain('example.com', { authCode: SECRET }, 'object'), 'op-2');
    await session.close();

    expect(epp.log.entries).toEqual([
      {
        level: 'warn',
        message: 'registry rejected an EPP command',
        facts: {
          registry: 'example',
          command: 'domain:info',
          clTRID: 'op-1',
          svTRID: 'constructed-2306',
          result: 2306,
          milliseconds: expect.any(Number),
        },
      },
      {
        level: 'info',
        message: 'EPP command completed',
        facts: {
          registry: 'example',
          command: 'domain:update',
          clTRID: 'op-2',
          svTRID: 'constructed-1000',
          result: 1000,
          milliseconds: expect.any(Number),
        },
      },
    ]);
    expect(JSON.stringify(epp.log.entries)).not.toContain(SECRET);
  });
});

describe('EPP client', () => {
  it('repeats a query on another session with another clTRID if its response is lost', async () => {
    await epp.serve({ answer: lost(1) });
    const client = epp.client();

    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    expect(epp.server.received).toEqual(['login', 'info', 'login', 'info']);
    expect(new Set(epp.server.documents.map((document) => /<clTRID>(.*)<\/clTRID>/.exec(document)?.[1])).size).toBe(4);
    await client.close();
  });

  it('throws RegistryUnavailable if the second response is lost, too', async () => {
    await epp.serve({ answer: lost(2) });
    const client = epp.client();

    await expect(client.send(QUERY)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await client.close();
  });

  it('never repeats a transform command', async () => {
    await epp.serve({ answer: lost(1) });
    const client = epp.client();

    await expect(client.send(COMMAND, new CommandIds('op-1').main())).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
    });
    expect(epp.server.received).toEqual(['login', 'delete']);
    await client.close();
  });

  it.each([
    [2400, 'RegistryInconclusive'],
    [2500, 'RegistryUnavailable'],
  ])('repeats a query after %d, and leaves the outcome of a command unknown: %s', async (code, name) => {
    let failures = 2;
    await epp.serve({
      answer: (_command, title, clTRID) =>
        title !== 'login' && title !== 'logout' && (failures -= 1) >= 0 ? resultOf(code, clTRID) : undefined,
    });
    const client = epp.client();

    await expect(client.send(COMMAND, new CommandIds('op-1').main())).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      name,
    });
    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    await client.close();
  });

  it('returns a failure from send, and throws it from sendOrThrow', async () => {
    await epp.serve({ answer: (_command, title, clTRID) => (title === 'delete' ? resultOf(2304, clTRID) : undefined) });
    const client = epp.client();

    expect(await client.send(COMMAND, new CommandIds('op-1').main())).toMatchObject({ code: 2304 });
    await expect(client.sendOrThrow(COMMAND, new CommandIds('op-2').main())).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'status',
      details: 'Result 2304 (2304)',
    });
    await client.close();
  });

  it('rejects values that XML does not allow without sending them', async () => {
    await epp.serve();
    const client = epp.client();

    await expect(client.send(infoDomain('\uffff'))).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'policy',
    });
    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    expect(epp.server.received).toEqual(['login', 'info']);
    await client.close();
  });

  it('generates unique clTRIDs that the schema allows', () => {
    const ids = Array.from({ length: 1_000 }, newTransactionId);

    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[a-z0-9-]{3,64}$/.test(id))).toBe(true);
  });
});
