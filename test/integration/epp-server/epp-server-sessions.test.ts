import { commandDocument, helloDocument } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { encodeFrame } from '../../../src/infrastructure/registry/epp/codec/frames';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import {
  checkDomains,
  createDomain,
  infoDomain,
  updateDomain,
} from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import { infoHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import {
  login,
  logout,
  pollAcknowledgement,
  pollRequest,
} from '../../../src/infrastructure/registry/epp/mapping/commands/session-commands';
import { freshName } from '../../../src/testing/registry-fixtures';
import { AUTH_CODE, aNewDomain, delegation, EppScenario, transferDomain } from '../../support/epp/epp-scenario';
import { RawEpp } from '../../support/epp/raw-epp';
import { startSandboxRegistry } from '../../support/epp/sandbox-registry';

const create = (name: string) => commandDocument(createDomain(aNewDomain({ name })), 'faulty-1');

let scene: EppScenario;
beforeAll(async () => {
  scene = await EppScenario.open();
});
afterAll(() => scene.close());

describe('sessions at the sandbox EPP server', () => {
  const credentials = { language: 'en', objects: [NAMESPACES.domain], extensions: [] as string[], userAgent: 'test' };

  it('accept hello before and after login, and no other command before it', async () => {
    const client = await RawEpp.connect(scene.registry);

    expect(await client.sendDocument(helloDocument())).toContain('<svcMenu>');
    expect(await scene.code(infoDomain('a.com'), client)).toBe(2002);
    await client.close();
  });

  it('are closed after three wrong passwords', async () => {
    const client = await RawEpp.connect(scene.registry);
    const wrong = login({ ...credentials, clientId: 'first-registrar', password: 'wrong-password' });

    expect([await scene.code(wrong, client), await scene.code(wrong, client), await scene.code(wrong, client)]).toEqual(
      [2200, 2200, 2501],
    );
    expect(await client.next()).toBeUndefined();
  });

  it('accept only the services of the login', async () => {
    const client = await RawEpp.connect(scene.registry);
    const { id: clientId, password } = scene.registry.registrars.first;

    expect(
      await scene.code(
        login({ ...credentials, objects: [NAMESPACES.domain, 'urn:example:unknown'], clientId, password }),
        client,
      ),
    ).toBe(2307);
    expect(await scene.code(login({ ...credentials, clientId, password }), client)).toBe(1000);
    expect(await scene.code(login({ ...credentials, clientId, password }), client)).toBe(2002);
    expect(await scene.code(infoHost('ns1.outside.example'), client)).toBe(2307);
    expect(
      await scene.code(checkDomains(['a.com'], { currency: 'USD', create: 1, renew: 1, restore: true }), client),
    ).toBe(2103);
    expect(await scene.code(logout(), client)).toBe(1500);
    expect(await client.next()).toBeUndefined();
  });

  it.each([
    ['no XML', '<epp', 2001],
    ['a document that is no EPP', '<html/>', 2001],
    ['a DOCTYPE', '<!DOCTYPE epp [<!ENTITY a "b">]><epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>', 2001],
    [
      'an unknown command',
      '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command><buy/><clTRID>buy-1</clTRID></command></epp>',
      2000,
    ],
  ])('continue after %s', async (_, document, result) => {
    scene.registry.exempt((frame) => frame === document);

    expect(await scene.first.sendDocument(document)).toContain(`code="${result}"`);

    expect(await scene.code(pollRequest())).toBeLessThan(2000);
  });

  it('respond to pipelined commands in order', async () => {
    const ids = ['piped-1', 'piped-2', 'piped-3'];

    for (const id of ids) scene.first.write(commandDocument(pollRequest(), id));

    for (const id of ids) expect(await scene.first.next()).toContain(id);
  });
});

describe('connections to the sandbox EPP server', () => {
  it('accept a frame one byte at a time', async () => {
    const client = await RawEpp.loggedIn(scene.registry);

    for (const byte of encodeFrame(commandDocument(pollRequest(), 'byte-1'))) client.writeBytes(Buffer.from([byte]));

    expect(await client.next()).toContain('byte-1');
    await client.close();
  });

  it.each([
    ['above the limit', Buffer.from([0x00, 0x20, 0x00, 0x00])],
    ['of no length', Buffer.from([0x00, 0x00, 0x00, 0x04])],
  ])('are closed after a frame announced %s', async (_, header) => {
    const client = await RawEpp.connect(scene.registry);

    client.writeBytes(header);

    expect(await client.next()).toBeUndefined();
  });

  it('are closed after the idle time', async () => {
    const impatient = await startSandboxRegistry({ idleMs: 20 });

    const client = await RawEpp.connect(impatient);

    expect(await client.next()).toBeUndefined();
    await impatient.stop();
  });

  it('are not read while the client does not read responses', async () => {
    const received: string[] = [];
    const patient = await startSandboxRegistry({
      watch: (direction, document) => direction === 'received' && received.push(document),
    });
    const client = await RawEpp.loggedIn(patient);
    client.stopReading();

    for (let sent = 0; sent < 12_000; sent += 1) client.write(helloDocument());
    for (let before = -1; before !== received.length || received.length < 100;) {
      before = received.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await patient.stop();

    expect(received.length).toBeLessThan(12_000);
    await client.close();
  });
});

describe('shutdown of the sandbox EPP server', () => {
  it('responds to received commands before it closes connections', async () => {
    const received: string[] = [];
    const stopping = await startSandboxRegistry({
      watch: (direction, document) => direction === 'received' && received.push(document),
    });
    const client = await RawEpp.loggedIn(stopping);
    await stopping.server.faults.inject({ kind: 'delay', target: 'check', milliseconds: 100 });

    client.write(commandDocument(checkDomains(['a.com'], undefined), 'last-1'));
    client.write(commandDocument(checkDomains(['b.com'], undefined), 'last-2'));
    while (!received.some((document) => document.includes('last-1')))
      await new Promise((resolve) => setImmediate(resolve));
    await stopping.stop();

    expect(await client.next()).toContain('last-1');
  });
});

describe('a registrar at the sandbox EPP server', () => {
  it('has a limited number of sessions', async () => {
    const small = await startSandboxRegistry({ maxSessions: 1 });
    const one = await RawEpp.loggedIn(small);

    await expect(RawEpp.loggedIn(small)).rejects.toThrow('2502');

    await one.send(logout());
    const another = await RawEpp.loggedIn(small);
    await another.close();
    expect(await small.faults()).toEqual([]);
    await small.stop();
  });
});

describe('a sandbox EPP server with host attributes', () => {
  it('accepts hosts with their domain, with addresses of subordinate hosts', async () => {
    const attributes = await startSandboxRegistry({ hostsAre: 'attributes' });
    const client = await RawEpp.loggedIn(attributes);
    const name = freshName().value;
    const hosts = [
      { host: `ns1.${name}`, addresses: ['192.0.2.1', '2001:db8::1'] },
      { host: 'ns2.outside.example', addresses: [] },
    ];
    const wanted = aNewDomain({ name, hosts, hostMode: 'attribute', registrant: undefined, contacts: [] });

    expect(
      await scene.code(createDomain({ ...wanted, hosts: delegation(`ns1.${name}`, 'ns2.outside.example') }), client),
    ).toBe(2003);
    expect(await scene.code(createDomain({ ...wanted, hostMode: 'object' }), client)).toBe(2306);
    expect(await scene.code(createDomain(wanted), client)).toBe(1000);
    expect(
      await scene.code(
        updateDomain(
          name,
          { add: { hosts: delegation('ns3.outside.example') }, remove: { hosts: delegation('ns2.outside.example') } },
          'attribute',
        ),
        client,
      ),
    ).toBe(1000);

    const { delegation: shown } = domainInfoOf(await client.send(infoDomain(name)));
    expect(shown).toEqual([hosts[0], { host: 'ns3.outside.example', addresses: [] }]);
    await client.close();
    expect(await attributes.faults()).toEqual([]);
    await attributes.stop();
  });
});

describe('faults of the sandbox EPP server', () => {
  let client: RawEpp;
  beforeEach(async () => {
    client = await RawEpp.loggedIn(scene.registry);
  });
  afterEach(() => client.close());

  it.each([
    ['drop_before', 2303],
    ['drop_after', 1000],
  ] as const)(
    '%s closes the connection without an answer, and the name is then answered %i',
    async (kind, afterwards) => {
      const name = freshName().value;
      await scene.registry.server.faults.inject({ kind, target: 'domain:create', times: 1 });

      expect(await client.sendDocument(create(name))).toBeUndefined();

      expect(await scene.code(infoDomain(name))).toBe(afterwards);
    },
  );

  it('failure returns 2400 without executing the command, for a TLD or a name', async () => {
    await scene.registry.server.faults.inject({ kind: 'failure', target: 'net', times: 1 });
    const name = freshName('net').value;

    expect(await scene.code(infoDomain('other.com'))).toBe(2303);
    expect(await scene.code(createDomain(aNewDomain({ name })))).toBe(2400);
    expect(await scene.code(infoDomain(name))).toBe(2303);
  });

  it('session_limit returns 2502 and closes the connection', async () => {
    await scene.registry.server.faults.inject({ kind: 'session_limit', target: 'login', times: 1 });

    await expect(RawEpp.loggedIn(scene.registry)).rejects.toThrow('2502');
  });

  it('malformed breaks the response of an executed command', async () => {
    const name = freshName().value;
    scene.registry.exempt((frame) => frame.includes(name) && !frame.endsWith('</epp>'));
    await scene.registry.server.faults.inject({ kind: 'malformed', target: name, times: 1 });

    const answer = await client.sendDocument(create(name));

    expect(answer).not.toContain('</epp>');
    expect(await scene.code(infoDomain(name))).toBe(1000);
  });

  it('idle_close closes the connection after the response', async () => {
    await scene.registry.server.faults.inject({ kind: 'idle_close', target: 'poll', times: 1 });

    expect(await client.sendDocument(commandDocument(pollRequest(), 'idle-1'))).toContain('result code="1');
    expect(await client.next()).toBeUndefined();
  });

  it('delay delays the response, but not those of other sessions', async () => {
    await scene.registry.server.faults.inject({ kind: 'delay', target: 'delayed.com', times: 1, milliseconds: 100 });

    client.write(commandDocument(infoDomain('delayed.com'), 'delayed-1'));
    expect(await scene.code(infoDomain('other.com'))).toBe(2303);

    expect(await client.next()).toContain('delayed-1');
  });

  it('redeliver delivers an acknowledged message again', async () => {
    await scene.second.send(transferDomain('request', await scene.registered(), AUTH_CODE));
    const { message } = await scene.first.send(pollRequest());
    await scene.registry.server.faults.inject({ kind: 'redeliver', target: 'poll:ack', times: 1 });

    expect(await scene.code(pollAcknowledgement(message?.id ?? ''))).toBe(1000);

    expect((await scene.first.send(pollRequest())).message?.id).toBe(message?.id);
    expect(await scene.code(pollAcknowledgement(message?.id ?? ''))).toBe(1000);
    expect(await scene.code(pollAcknowledgement(message?.id ?? ''))).toBe(2303);
  });
});
