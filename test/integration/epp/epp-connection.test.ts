import { inspect } from 'node:util';
import { ConnectionLost } from '../../../src/infrastructure/registry/epp/session/connection-errors';
import { newTransactionId } from '../../../src/infrastructure/registry/epp/session/epp-session';
import type { UnreadableResponse } from '../../../src/infrastructure/registry/epp/session/connection-errors';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { childOf } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { feesOf } from '../../../src/infrastructure/registry/epp/mapping/fee';
import { checkDomains, infoDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { aCertificate, greetingWith, HANG_UP, SILENCE, resultOf } from '../../support/epp/scripted-epp-server';
import { SECRET, ScriptedSessions } from '../../support/epp/scripted-sessions';

const epp = ScriptedSessions.forEachTest();
const QUERY = infoDomain('example.com');

describe('a draft of the fee extension', () => {
  const FEES =
    '<currency>EUR</currency><cd avail="1"><objID>example.com</objID><command name="create"><period unit="y">1</period><fee>10.00</fee></command></cd>';

  it.each(['0.23', '0.21'])('is used like RFC 8748 at a registry without it: %s', async (version) => {
    const draft = `urn:ietf:params:xml:ns:fee-${version}`;
    const extension = `<extension><chkData xmlns="${draft}">${FEES}</chkData></extension>`;
    await epp.serve({
      greeting: greetingWith(undefined, [draft]),
      answer: (_command, title, clTRID) => (title === 'check' ? resultOf(1000, clTRID, extension) : undefined),
    });
    const session = await epp.open();

    const response = await session.send(checkDomains(['example.com'], { create: 1 }), newTransactionId());
    await session.close();

    expect(session.services.extensions).toEqual([NAMESPACES.fee]);
    expect(epp.server.documents[0]).toContain(`<extURI>${draft}</extURI>`);
    expect(epp.server.documents[1]).toContain(`<fee:check xmlns:fee="${draft}">`);
    expect(epp.server.documents.join('')).not.toContain(NAMESPACES.fee);
    expect(
      feesOf(childOf(response.extension, NAMESPACES.fee, 'chkData'), { create: 1 }).get('example.com')?.create,
    ).toEqual({
      minor: 1_000,
      currency: 'EUR',
    });
  });

  it('gets a check for each command, up to the first failure, if it takes one command in a check', async () => {
    const draft = 'urn:ietf:params:xml:ns:fee-0.11';
    const codes = [1000, 1000, 1000, 1000, 2400];
    await epp.serve({
      greeting: greetingWith(undefined, [draft]),
      answer: (_command, title, clTRID) => (title === 'check' ? resultOf(codes.shift() ?? 1000, clTRID) : undefined),
    });
    const session = await epp.open();

    const check = checkDomains(['one.com'], { create: 1, renew: 1, restore: true });
    const responses = [await session.send(check, 'one-1'), await session.send(check, 'two-1')];
    await session.close();

    expect(responses).toMatchObject([
      { code: 1000, clTRID: 'one-1' },
      { code: 2400, clTRID: expect.not.stringContaining('two-1') },
    ]);
    expect(epp.server.documents.flatMap((each) => /<fee:command>(\w+)</.exec(each)?.[1] ?? [])).toEqual([
      'create',
      'renew',
      'restore',
      'create',
      'renew',
    ]);
  });

  it('is not used if the registry offers RFC 8748, too', async () => {
    await epp.serve({ greeting: greetingWith(undefined, ['urn:ietf:params:xml:ns:fee-0.23', NAMESPACES.fee]) });
    const session = await epp.open();
    await session.close();

    expect(epp.server.documents[0]).toContain(`<extURI>${NAMESPACES.fee}</extURI>`);
    expect(epp.server.documents[0]).not.toContain('fee-0.23');
  });
});

describe('EPP client connection', () => {
  it('connects to a server with a trusted certificate for its name', async () => {
    await epp.serve();

    const session = await epp.open();

    expect(session.usable).toBe(true);
    await session.close();
    expect(epp.server.received).toEqual(['login', 'logout']);
  });

  it('rejects a server with an untrusted certificate', async () => {
    await epp.serve();

    await expect(epp.open({ endpoint: { ca: undefined } })).rejects.toMatchObject({
      name: 'ConnectionLost',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    await expect(epp.open({ endpoint: { ca: (await aCertificate()).cert } })).rejects.toMatchObject({
      name: 'ConnectionLost',
    });
    expect(epp.server.received).toEqual([]);
  });

  it('rejects a certificate for another name unless server_name is set', async () => {
    const other = await aCertificate('epp.registry.example');
    await epp.serve({ certificate: other });

    await expect(epp.open({ endpoint: { ca: other.cert } })).rejects.toMatchObject({
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
    const session = await epp.open({ endpoint: { ca: other.cert, serverName: 'epp.registry.example' } });

    await session.close();
  });

  it('rejects TLS versions below 1.2', async () => {
    await epp.serve({ maxVersion: 'TLSv1.1' });

    await expect(epp.open()).rejects.toMatchObject({ name: 'ConnectionLost' });
  });

  it('sends the client certificate if the registry requests one', async () => {
    const ours = await aCertificate('namewright');
    await epp.serve({ clientCa: ours.cert });

    await expect(epp.open()).rejects.toMatchObject({ name: 'ConnectionLost' });
    const session = await epp.open({ endpoint: { certificate: ours.cert, key: ours.key } });

    await session.close();
  });

  it('reads responses that arrive byte by byte', async () => {
    await epp.serve({ cut: (frame) => [...frame].map((byte) => Buffer.of(byte)) });
    const session = await epp.open();

    expect(await session.send(QUERY, 'one-1')).toMatchObject({
      code: 1000,
      clTRID: 'one-1',
      svTRID: 'constructed-1000',
    });
    await session.close();
  });

  it('fails without a greeting, or with an invalid one', async () => {
    await epp.serve({ greeting: SILENCE });
    await expect(epp.open({ timeouts: { greetingMs: 20 } })).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: 'no response within 20 ms',
    });
    await epp.server.close();

    await epp.serve({ greeting: resultOf(1000) });
    await expect(epp.open()).rejects.toMatchObject({ name: 'ProtocolError' });
  });

  it.each([
    ['hangs up', HANG_UP, undefined],
    ['sends no XML', '<epp', 'XmlError'],
    ['announces more than a mebibyte', Buffer.from([0, 0x20, 0, 0]), 'FrameError'],
    ['announces nothing', Buffer.from([0, 0, 0, 4]), 'FrameError'],
  ] as const)('is given up where the registry %s', async (_what, reaction, cause) => {
    await epp.serve({ answer: (_command, title) => (title === 'info' ? reaction : undefined) });
    const session = await epp.open();

    await expect(session.send(QUERY, 'one-1')).rejects.toMatchObject(
      cause === undefined ? { name: 'ConnectionLost' } : { name: 'UnreadableResponse', cause: { name: cause } },
    );
    expect(session.usable).toBe(false);
    await expect(session.send(QUERY, 'one-2')).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('returns an unreadable frame to the caller, and keeps it out of logs', async () => {
    await epp.serve({ answer: (_command, title) => (title === 'info' ? `<pw>${SECRET}</pw` : undefined) });
    const session = await epp.open();

    const error: unknown = await session.send(QUERY, 'one-1').catch((reason: unknown) => reason);

    expect(Buffer.from((error as UnreadableResponse).frame()).toString()).toBe(`<pw>${SECRET}</pw`);
    expect(inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)).not.toContain(SECRET);
  });

  it('fails if a response does not arrive in time', async () => {
    await epp.serve({ answer: (_command, title) => (title === 'info' ? SILENCE : undefined) });
    const session = await epp.open();

    await expect(session.send(QUERY, 'one-1', 20)).rejects.toMatchObject({
      name: 'ConnectionLost',
      message: 'no response within 20 ms',
    });
    expect(session.usable).toBe(false);
  });
});
