import { inspect } from 'node:util';
import { ConnectionLost } from '../../../src/infrastructure/registry/epp/session/connection-errors';
import { CommandIds } from '../../../src/infrastructure/registry/epp/session/command-ids';
import { EppClient } from '../../../src/infrastructure/registry/epp/session/epp-client';
import {
  EppSession,
  newTransactionId,
  type SessionSettings,
} from '../../../src/infrastructure/registry/epp/session/epp-session';
import { EppSessionPool } from '../../../src/infrastructure/registry/epp/session/epp-session-pool';
import type { UnreadableResponse } from '../../../src/infrastructure/registry/epp/session/connection-errors';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { feesOf } from '../../../src/infrastructure/registry/epp/mapping/fee';
import {
  checkDomains,
  infoDomain,
  deleteDomain,
  updateDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { RecordingLog } from '../../support/fakes/recording-log';
import {
  aCertificate,
  greetingWith,
  HANG_UP,
  SILENCE,
  resultOf,
  startScriptedServer,
  type Certificate,
  type Reaction,
  type ScriptedServer,
  type ScriptedServerOptions,
} from '../../support/epp/scripted-epp-server';

const SECRET = 'not-for-logs';
const QUERY = infoDomain('example.com');
const COMMAND = deleteDomain('example.com');

let certificate: Certificate;
let server: ScriptedServer;
let log: RecordingLog;

beforeAll(async () => {
  certificate = await aCertificate();
});
beforeEach(() => {
  log = new RecordingLog();
});
afterEach(() => server.close());

async function serve(options: Partial<ScriptedServerOptions> = {}): Promise<void> {
  server = await startScriptedServer({ certificate, ...options });
}

function settings({
  endpoint = {},
  timeouts = {},
  password = SECRET,
}: {
  endpoint?: Partial<SessionSettings['endpoint']>;
  timeouts?: Partial<SessionSettings['timeouts']>;
  password?: string;
} = {}): SessionSettings {
  return {
    registry: 'example',
    endpoint: { host: 'localhost', port: server.port, ca: certificate.cert, ...endpoint },
    credentials: { clientId: 'namewright', password },
    timeouts: { connectMs: 5_000, greetingMs: 5_000, commandMs: 5_000, ...timeouts },
  };
}

const open = (overrides?: Parameters<typeof settings>[0]) => EppSession.open(settings(overrides), log);

function clientOf(overrides?: Parameters<typeof settings>[0]): EppClient {
  return new EppClient(
    new EppSessionPool(
      () => open(overrides),
      { registry: 'example', maxSessions: 2, keepAliveMs: 60_000, lifetimeMs: 3_600_000, acquireTimeoutMs: 5_000 },
      log,
    ),
  );
}

/** Hangs up on so many commands. */
function lost(times: number): (command: unknown, title: string) => Reaction | undefined {
  let left = times;
  return (_command, title) => (title !== 'login' && title !== 'logout' && (left -= 1) >= 0 ? HANG_UP : undefined);
}

describe('a draft of the fee extension', () => {
  const FEES =
    '<currency>EUR</currency><cd avail="1"><objID>example.com</objID><command name="create"><period unit="y">1</period><fee>10.00</fee></command></cd>';

  it.each(['0.23', '0.21'])('is used like RFC 8748 at a registry without it: %s', async (version) => {
    const draft = `urn:ietf:params:xml:ns:fee-${version}`;
    const extension = `<extension><chkData xmlns="${draft}">${FEES}</chkData></extension>`;
    await serve({
      greeting: greetingWith(undefined, [draft]),
      answer: (_command, title, clTRID) => (title === 'check' ? resultOf(1000, clTRID, extension) : undefined),
    });
    const session = await open();

    const response = await session.send(checkDomains(['example.com'], { create: 1 }), newTransactionId());
    await session.close();

    expect(session.services.extensions).toEqual([NAMESPACES.fee]);
    expect(server.documents[0]).toContain(`<extURI>${draft}</extURI>`);
    expect(server.documents[1]).toContain(`<fee:check xmlns:fee="${draft}">`);
    expect(server.documents.join('')).not.toContain(NAMESPACES.fee);
    expect(
      feesOf(childOf(response.extension, NAMESPACES.fee, 'chkData'), { create: 1 }).get('example.com')?.create,
    ).toEqual({
      minor: 1_000,
      currency: 'EUR',
    });
  });

  it('with one command in a check gets a check for each, up to the first failure', async () => {
    const draft = 'urn:ietf:params:xml:ns:fee-0.11';
    const codes = [1000, 1000, 1000, 1000, 2400];
    await serve({
      greeting: greetingWith(undefined, [draft]),
      answer: (_command, title, clTRID) => (title === 'check' ? resultOf(codes.shift() ?? 1000, clTRID) : undefined),
    });
    const session = await open();

    const check = checkDomains(['one.com'], { create: 1, renew: 1, restore: true });
    const responses = [await session.send(check, 'one-1'), await session.send(check, 'two-1')];
    await session.close();

    expect(responses).toMatchObject([
      { code: 1000, clTRID: 'one-1' },
      { code: 2400, clTRID: expect.not.stringContaining('two-1') },
    ]);
    expect(server.documents.flatMap((each) => /<fee:command>(\w+)</.exec(each)?.[1] ?? [])).toEqual([
      'create',
      'renew',
      'restore',
      'create',
      'renew',
    ]);
  });

  it('is not used if the registry offers RFC 8748, too', async () => {
    await serve({ greeting: greetingWith(undefined, ['urn:ietf:params:xml:ns:fee-0.23', NAMESPACES.fee]) });
    const session = await open();
    await session.close();

    expect(server.documents[0]).toContain(`<extURI>${NAMESPACES.fee}</extURI>`);
    expect(server.documents[0]).not.toContain('fee-0.23');
  });
});

describe('EPP client connection', () => {
  it('connects to a server with a trusted certificate for its name', async () => {
    await serve();

    const session = await open();

    expect(session.usable).toBe(true);
    await session.close();
    expect(server.received).toEqual(['login', 'logout']);
  });

  it('rejects a server with an untrusted certificate', async () => {
    await serve();

    await expect(open({ endpoint: { ca: undefined } })).rejects.toMatchObject({
      name: 'ConnectionLost',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    await expect(open({ endpoint: { ca: (await aCertificate()).cert } })).rejects.toMatchObject({
      name: 'ConnectionLost',
    });
    expect(server.received).toEqual([]);
  });

  it('rejects a certificate for another name unless server_name is set', async () => {
    const other = await aCertificate('epp.registry.example');
    await serve({ certificate: other });

    await expect(open({ endpoint: { ca: other.cert } })).rejects.toMatchObject({
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
    const session = await open({ endpoint: { ca: other.cert, serverName: 'epp.registry.example' } });

    await session.close();
  });

  it('rejects TLS versions below 1.2', async () => {
    await serve({ maxVersion: 'TLSv1.1' });

    await expect(open()).rejects.toMatchObject({ name: 'ConnectionLost' });
  });

  it('sends the client certificate if the registry requests one', async () => {
    const ours = await aCertificate('namewright');
    await serve({ clientCa: ours.cert });

    await expect(open()).rejects.toMatchObject({ name: 'ConnectionLost' });
    const session = await open({ endpoint: { certificate: ours.cert, key: ours.key } });

    await session.close();
  });

  it('reads responses that arrive byte by byte', async () => {
    await serve({ cut: (frame) => [...frame].map((byte) => Buffer.of(byte)) });
    const session = await open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({
      code: 1000,
      clTRID: 'one-1',
      svTRID: 'constructed-1000',
    });
    await session.close();
  });

  it('fails without a greeting, or with an invalid one', async () => {
    await serve({ greeting: SILENCE });
    await expect(open({ timeouts: { greetingMs: 20 } })).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: 'no response within 20 ms',
    });
    await server.close();

    await serve({ greeting: resultOf(1000) });
    await expect(open()).rejects.toMatchObject({ name: 'ProtocolError' });
  });

  it.each([
    ['hangs up', HANG_UP, undefined],
    ['sends no XML', '<epp', 'XmlError'],
    ['announces more than a mebibyte', Buffer.from([0, 0x20, 0, 0]), 'FrameError'],
    ['announces nothing', Buffer.from([0, 0, 0, 4]), 'FrameError'],
  ] as const)('is given up where the registry %s', async (_what, reaction, cause) => {
    await serve({ answer: (_command, title) => (title === 'info' ? reaction : undefined) });
    const session = await open();

    await expect(session.send(QUERY, 'one-1')).rejects.toMatchObject(
      cause === undefined ? { name: 'ConnectionLost' } : { name: 'UnreadableResponse', cause: { name: cause } },
    );
    expect(session.usable).toBe(false);
    await expect(session.send(QUERY, 'one-2')).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('returns an unreadable frame to the caller, and keeps it out of logs', async () => {
    await serve({ answer: (_command, title) => (title === 'info' ? `<pw>${SECRET}</pw` : undefined) });
    const session = await open();

    const error: unknown = await session.send(QUERY, 'one-1').catch((reason: unknown) => reason);

    expect(Buffer.from((error as UnreadableResponse).frame()).toString()).toBe(`<pw>${SECRET}</pw`);
    expect(inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)).not.toContain(SECRET);
  });

  it('fails if a response does not arrive in time', async () => {
    await serve({ answer: (_command, title) => (title === 'info' ? SILENCE : undefined) });
    const session = await open({ timeouts: { commandMs: 1_000 } });

    await expect(session.send(QUERY, 'one-1')).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: 'no response within 1000 ms',
    });
    expect(session.usable).toBe(false);
  });
});

describe('EPP client session', () => {
  it('logs in with the services that both sides support', async () => {
    await serve({
      greeting: greetingWith(
        [NAMESPACES.domain, NAMESPACES.host, 'urn:unheard-of'],
        [NAMESPACES.rgp, 'urn:unheard-of'],
      ),
    });

    const session = await open();

    expect(session.services).toEqual({
      objects: [NAMESPACES.domain, NAMESPACES.host],
      extensions: [NAMESPACES.rgp],
      language: 'en',
    });
    expect(server.documents[0]).toContain(
      `<objURI>${NAMESPACES.host}</objURI><svcExtension><extURI>${NAMESPACES.rgp}</extURI></svcExtension></svcs>`,
    );
    expect(server.documents[0]).toContain(`<pw>${SECRET}</pw>`);
    await session.close();
  });

  it('logs in by RFC 8807 if the password needs it, and logs security warnings', async () => {
    const warning = `<extension><loginSecData xmlns="${NAMESPACES.loginSec}"><event type="password" level="warning" exDate="2026-12-01T00:00:00Z" value="${SECRET}">soon</event></loginSecData></extension>`;
    await serve({
      greeting: greetingWith(undefined, [NAMESPACES.loginSec]),
      answer: (_command, title, clTRID) => (title === 'login' ? resultOf(1000, clTRID, warning) : undefined),
    });

    const session = await open({ password: 'a password of more than sixteen characters' });

    expect(server.documents[0]).toContain('<pw>[LOGIN-SECURITY]</pw>');
    expect(log.entries).toContainEqual({
      level: 'warn',
      message: 'login security warning from the registry',
      facts: { registry: 'example', type: 'password', level: 'warning', exDate: '2026-12-01T00:00:00Z' },
    });
    expect(session.passwordUntil).toEqual(new Date('2026-12-01T00:00:00Z'));
    await session.close();
  });

  it('does not send a password that needs RFC 8807 to a registry without it', async () => {
    await serve();

    await expect(open({ password: 'a password of more than sixteen characters' })).rejects.toMatchObject({
      name: 'LoginRefused',
      refusal: 'permanent',
    });
    expect(server.received).toEqual([]);
  });

  it.each([
    [2200, 'permanent'],
    [2501, 'permanent'],
    [2306, 'permanent'],
    [2502, 'session_limit'],
    [2400, 'temporary'],
    [2500, 'temporary'],
  ])('classifies result code %d to a login as %s', async (code, refusal) => {
    await serve({ answer: (_command, _title, clTRID) => resultOf(code, clTRID) });

    await expect(open()).rejects.toMatchObject({ name: 'LoginRefused', refusal, resultCode: code });
  });

  it('accepts a response without clTRID, and ends after one with another clTRID', async () => {
    let answered = 0;
    await serve({
      answer: (_command, title) =>
        title === 'info' ? resultOf(2001, (answered += 1) > 1 ? 'another-1' : undefined) : undefined,
    });
    const session = await open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({ code: 2001 });
    expect(session.usable).toBe(true);
    await expect(session.send(QUERY, 'one-2')).rejects.toMatchObject({
      name: 'ProtocolError',
      message: 'response to another command',
    });
    expect(session.usable).toBe(false);
  });

  it.each([2002, 2200, 2500, 2501, 2502])('ends after result code %d', async (code) => {
    await serve({ answer: (_command, title, clTRID) => (title === 'info' ? resultOf(code, clTRID) : undefined) });
    const session = await open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({ code });
    expect(session.usable).toBe(false);
  });

  it('sends hello as keep-alive, and ends without a greeting in response', async () => {
    let greeted = true;
    await serve({ answer: (_command, title) => (title === 'hello' && !greeted ? resultOf(1000) : undefined) });
    const session = await open();

    await session.keepAlive();
    expect(session.usable).toBe(true);
    greeted = false;
    await expect(session.keepAlive()).rejects.toMatchObject({ name: 'ProtocolError' });
    expect(session.usable).toBe(false);
  });

  it('logs transaction ids, result codes and durations without secrets', async () => {
    await serve({ answer: (_command, title, clTRID) => (title === 'info' ? resultOf(2306, clTRID) : undefined) });
    const session = await open();

    await session.send(QUERY, 'op-1');
    await session.send(updateDomain('example.com', { authCode: SECRET }, 'object'), 'op-2');
    await session.close();

    expect(log.entries).toEqual([
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
    expect(JSON.stringify(log.entries)).not.toContain(SECRET);
  });
});

describe('EPP client', () => {
  it('repeats a query on another session with another clTRID if its response is lost', async () => {
    await serve({ answer: lost(1) });
    const client = clientOf();

    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    expect(server.received).toEqual(['login', 'info', 'login', 'info']);
    expect(new Set(server.documents.map((document) => /<clTRID>(.*)<\/clTRID>/.exec(document)?.[1])).size).toBe(4);
    await client.close();
  });

  it('throws RegistryUnavailable if the second response is lost, too', async () => {
    await serve({ answer: lost(2) });
    const client = clientOf();

    await expect(client.send(QUERY)).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
    await client.close();
  });

  it('never repeats a transform command', async () => {
    await serve({ answer: lost(1) });
    const client = clientOf();

    await expect(client.send(COMMAND, new CommandIds('op-1').main())).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
    });
    expect(server.received).toEqual(['login', 'delete']);
    await client.close();
  });

  it.each([
    [2400, 'RegistryInconclusive'],
    [2500, 'RegistryUnavailable'],
  ])('repeats a query after %d, and leaves the outcome of a command unknown: %s', async (code, name) => {
    let failures = 2;
    await serve({
      answer: (_command, title, clTRID) =>
        title !== 'login' && title !== 'logout' && (failures -= 1) >= 0 ? resultOf(code, clTRID) : undefined,
    });
    const client = clientOf();

    await expect(client.send(COMMAND, new CommandIds('op-1').main())).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      name,
    });
    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    await client.close();
  });

  it('returns a failure from send, and throws it from sendOrThrow', async () => {
    await serve({ answer: (_command, title, clTRID) => (title === 'delete' ? resultOf(2304, clTRID) : undefined) });
    const client = clientOf();

    expect(await client.send(COMMAND, new CommandIds('op-1').main())).toMatchObject({ code: 2304 });
    await expect(client.sendOrThrow(COMMAND, new CommandIds('op-2').main())).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'status',
      details: 'Result 2304 (2304)',
    });
    await client.close();
  });

  it('rejects values that XML does not allow without sending them', async () => {
    await serve();
    const client = clientOf();

    await expect(client.send(infoDomain('\uffff'))).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      reason: 'policy',
    });
    expect(await client.send(QUERY)).toMatchObject({ code: 1000 });
    expect(server.received).toEqual(['login', 'info']);
    await client.close();
  });

  it('generates unique clTRIDs that the schema allows', () => {
    const ids = Array.from({ length: 1_000 }, newTransactionId);

    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => /^[a-z0-9-]{3,64}$/.test(id))).toBe(true);
  });
});
