import type { RegistryMessage } from '../../../src/application/ports/registry/registry-port';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import type { DomainName } from '../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { addYears, sameDay } from '../../../src/domain/shared/time/calendar';
import { sum } from '../../../src/domain/shared/money';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import { infoHost } from '../../../src/infrastructure/registry/epp/mapping/commands/host-commands';
import { hostAddresses } from '../../../src/infrastructure/registry/epp/mapping/host-data';
import { contactIdOf } from '../../../src/infrastructure/registry/epp/mapping/commands/contact-commands';
import { infoDomain, updateDomain } from '../../../src/infrastructure/registry/epp/mapping/commands/domain-commands';
import { domainInfoOf } from '../../../src/infrastructure/registry/epp/mapping/domain-data';
import type { RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import { freshId, freshName, register, REGISTRANT, years, restorePrices } from '../../../src/testing/registry-fixtures';
import { transferDomain } from '../../support/epp/epp-scenario';
import { RawEpp } from '../../support/epp/raw-epp';
import { RecordingLog } from '../../support/fakes/recording-log';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';

const UNAVAILABLE = { code: 'REGISTRY_UNAVAILABLE' };
const GLUE = ['192.0.2.1', '2001:db8::1'];

const HOSTS_OF = (hosts: readonly string[]) => Nameservers.of([...hosts, 'ns9.example.net']);

let sandbox: SandboxRegistry;
let running: RunningRegistry;
let registry: RegistryAdapter;
let log: RecordingLog;

beforeAll(async () => {
  sandbox = await startSandboxRegistry();
  sandbox.exempt((document) => !document.endsWith('</epp>'));
});
beforeEach(async () => {
  log = new RecordingLog();
  running = await startEpp({ ...createRegistryContext({ settings: settings() }), log });
  registry = running.port;
});
afterEach(async () => {
  await sandbox.server.faults.clear();
  await running.close();
});
afterAll(async () => {
  const faults = await sandbox.faults();
  await sandbox.stop();
  expect(faults).toEqual([]);
});

function settings(overrides: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const { id, password } = sandbox.registrars.first;
  return {
    host: sandbox.host,
    port: sandbox.port,
    ca: sandbox.certificate.certificate,
    client_id: id,
    password,
    ...overrides,
  };
}

async function held(): Promise<DomainName> {
  const name = freshName();
  await register(registry, name);
  return name;
}

/** Acknowledges all messages there are, and answers them. */
async function drained(): Promise<readonly RegistryMessage[]> {
  const messages: RegistryMessage[] = [];
  for (let message = await registry.poll(); message; message = await registry.poll()) {
    messages.push(message);
    await registry.acknowledge(message.id);
  }
  return messages;
}

async function taken(name: DomainName, authCode: string): Promise<void> {
  const other = await RawEpp.loggedIn(sandbox, 'second');
  const { code } = await other.send(transferDomain('request', name.value, authCode));
  await other.close();
  if (code !== 1001) throw new Error(`the transfer was refused with ${code}`);
}

async function charges(name: DomainName): Promise<readonly string[]> {
  return (await sandbox.server.charges(sandbox.registrars.first.id))
    .filter((charge) => charge.name === name.value)
    .map(({ kind }) => kind);
}

/** Has the next command of a kind carried out without an answer. */
async function lose(target: string): Promise<void> {
  await sandbox.server.faults.inject({ kind: 'drop_after', target, times: 1 });
}

describe('domain lifecycle over EPP', () => {
  it('deletes a domain at once with a refund in the add grace period', async () => {
    const name = await held();

    expect(await registry.delete(name, freshId())).toBeUndefined();

    expect(await charges(name)).toEqual(['register', 'refund']);
  });

  it('restores a domain from redemption with a request and a report', async () => {
    const name = await held();
    await sandbox.server.advance(6);

    const deleted = await registry.delete(name, freshId());
    const { restore } = await restorePrices(registry, name);
    await expect(registry.restore(name, { ...restore, minor: 1 }, freshId())).rejects.toMatchObject({
      reason: 'price_changed',
    });
    const restored = await registry.restore(name, restore, freshId());

    expect(deleted?.phase).toBe('redemption');
    expect(restored).toMatchObject({ phase: 'registered', sponsoredByUs: true });
    expect(await charges(name)).toEqual(['register', 'restore']);
  });

  it('renews automatically at expiry, restores with a renewal, and releases the name after pending delete', async () => {
    const name = await held();
    const { expiresAt } = (await registry.info(name))!;
    await sandbox.server.advance(366);
    const expired = (await registry.info(name))!;
    await registry.delete(name, freshId());
    const { restore, renewal } = await restorePrices(registry, name);
    const restored = await registry.restore(name, sum([restore, renewal], 'USD'), freshId());

    await registry.delete(name, freshId());
    await sandbox.server.advance(31);
    const dying = await registry.info(name);
    await sandbox.server.advance(6);

    expect(expired.phase).toBe('auto_renew_grace');
    expect(sameDay(expired.expiresAt, addYears(expiresAt, 1))).toBe(true);
    expect(expired.phaseEndsAt?.getTime()).toBeGreaterThan(expiresAt.getTime());
    expect(restored.phase).toBe('registered');
    expect(dying?.phase).toBe('pending_delete');
    expect(await registry.info(name)).toBeUndefined();
  });

  it('transfers an unlocked domain with a valid auth code, and repeats the message until it is acknowledged', async () => {
    const name = await held();
    const { code } = await registry.issueAuthCode(name, freshId());
    await expect(taken(name, code)).rejects.toThrow('2304');
    await registry.setTransferLock(name, false, freshId());
    await drained();

    await taken(name, code);
    expect((await registry.info(name))?.transferPending).toBe(true);
    await expect(
      registry.renew(name, (await registry.info(name))!.expiresAt, years(1), freshId()),
    ).rejects.toMatchObject({ reason: 'status' });
    await sandbox.server.advance(6);
    await sandbox.server.faults.inject({ kind: 'redeliver', target: 'poll:ack', times: 1 });
    const messages = await drained();

    expect((await registry.info(name))?.sponsoredByUs).toBe(false);
    expect(messages.filter((message) => message.name?.value === name.value).map(({ kind }) => kind)).toContain(
      'transferred_out',
    );
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length - 1);
    await expect(registry.setTransferLock(name, true, freshId())).rejects.toMatchObject({ reason: 'not_held' });
  });

  it('rejects a transfer with a withdrawn auth code', async () => {
    const name = await held();
    const { code } = await registry.issueAuthCode(name, freshId());
    await registry.setTransferLock(name, false, freshId());

    await registry.withdrawAuthCode(name, freshId());

    await expect(taken(name, code)).rejects.toThrow('2202');
  });

  it('creates, updates and deletes subordinate hosts with their addresses', async () => {
    const name = await held();
    const host = `ns1.${name.value}`;
    const delegation = Nameservers.of([host, 'ns2.example.net']);
    const raw = await RawEpp.loggedIn(sandbox);

    await expect(registry.setNameservers(name, delegation, [], freshId())).rejects.toMatchObject({
      reason: 'policy',
      details: `${host} is under ${name.value} and needs an A or AAAA record first`,
    });
    const delegated = await registry.setNameservers(name, delegation, [{ host, addresses: GLUE }], freshId());
    const before = hostAddresses(await raw.send(infoHost(host)));
    await registry.setNameservers(name, delegation, [{ host, addresses: ['192.0.2.9'] }], freshId());
    const after = hostAddresses(await raw.send(infoHost(host)));

    expect(delegated.nameservers.toSorted()).toEqual(delegation.hosts.toSorted());
    expect(before.toSorted()).toEqual(GLUE);
    expect(after).toEqual(['192.0.2.9']);
    expect(await registry.delete(name, freshId())).toBeUndefined();
    expect((await raw.send(infoHost(host))).code).toBe(2303);
    await raw.close();
  });

  it('creates and updates hosts under another of our names with their addresses', async () => {
    const other = await held();
    const host = `ns1.${other.value}`;
    const delegation = Nameservers.of([host, 'ns2.example.net']);
    const raw = await RawEpp.loggedIn(sandbox);
    const name = freshName();
    const order = { name, term: years(1), registrant: REGISTRANT, nameservers: delegation, transactionId: freshId() };
    const price = (await registry.check([name]))[0]!.price!.registration;

    const registered = await registry.register({ ...order, price, glue: [{ host, addresses: GLUE }] });
    const before = hostAddresses(await raw.send(infoHost(host)));
    await registry.setNameservers(name, delegation, [{ host, addresses: ['192.0.2.9'] }], freshId());

    expect(registered.nameservers.toSorted()).toEqual(delegation.hosts.toSorted());
    expect(before.toSorted()).toEqual(GLUE);
    expect(hostAddresses(await raw.send(infoHost(host)))).toEqual(['192.0.2.9']);
    await raw.close();
  });

  it('changes the addresses of existing subordinate hosts, also after a lost response', async () => {
    const other = await held();
    const [host, missing] = [`ns1.${other.value}`, `ns2.${other.value}`];
    const raw = await RawEpp.loggedIn(sandbox);
    await registry.setNameservers(await held(), HOSTS_OF([host]), [{ host, addresses: GLUE }], freshId());
    const glue = [host, missing].map((each) => ({ host: each, addresses: ['192.0.2.9'] }));
    await lose('host:update');

    await expect(registry.setGlue!(other, glue, freshId())).rejects.toMatchObject(UNAVAILABLE);
    await registry.setGlue!(other, glue, freshId());

    expect(hostAddresses(await raw.send(infoHost(host)))).toEqual(['192.0.2.9']);
    expect((await raw.send(infoHost(missing))).code).toBe(2303);
    await raw.close();
  });

  it("changes the addresses of the domain's own nameservers at a registry with host attributes", async () => {
    const attributes = await startSandboxRegistry({ hostsAre: 'attributes' });
    const { host, port, certificate, registrars } = attributes;
    const { id, password } = registrars.first;
    const other = await startEpp(
      createRegistryContext({
        settings: { host, port, ca: certificate.certificate, client_id: id, password, hosts: 'attributes' },
      }),
    );
    const name = freshName();
    await register(other.port, name);
    const own = `ns1.${name.value}`;
    await other.port.setNameservers(name, HOSTS_OF([own]), [{ host: own, addresses: GLUE }], freshId());

    await other.port.setGlue!(name, [{ host: own, addresses: ['192.0.2.9'] }], freshId());

    const raw = await RawEpp.loggedIn(attributes);
    expect(domainInfoOf(await raw.send(infoDomain(name.value))).delegation).toContainEqual({
      host: own,
      addresses: ['192.0.2.9'],
    });
    await raw.close();
    await other.close();
    await attributes.stop();
  });

  it('creates contacts for registrants in any script', async () => {
    const name = await held();
    const registrants = ['José', '愛', 'Ada'].map((firstName) => ({ ...REGISTRANT, firstName }));
    const raw = await RawEpp.loggedIn(sandbox);
    const contacts: (string | undefined)[] = [];

    for (const registrant of registrants) {
      await registry.setRegistrant(name, registrant, freshId());
      contacts.push(domainInfoOf(await raw.send(infoDomain(name.value))).registrant);
    }

    expect(contacts).toEqual(registrants.map((registrant) => contactIdOf(registrant, sandbox.registrars.first.id)));
    await raw.close();
    expect(log.entries.filter(({ level }) => level !== 'info')).toEqual([]);
    expect(JSON.stringify([log.entries, sandbox.log.entries])).not.toMatch(/Lovelace|first-password/);
  });
});

describe('a lost EPP response', () => {
  it('leaves a domain that we sponsor and cannot register again if it was to a registration', async () => {
    const name = freshName();
    const intent = Date.now();
    await lose('domain:create');

    await expect(register(registry, name)).rejects.toMatchObject(UNAVAILABLE);

    const found = await registry.info(name);
    expect(found).toMatchObject({ sponsoredByUs: true, createdByUs: true });
    expect(found!.createdAt.getTime()).toBeGreaterThanOrEqual(intent);
    await expect(register(registry, name)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await charges(name)).toEqual(['register']);
  });

  it('is found by the expiry if it was to a renewal, which is charged once', async () => {
    const name = await held();
    const { expiresAt } = (await registry.info(name))!;
    await lose('domain:renew');

    await expect(registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject(UNAVAILABLE);

    await expect(registry.renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({
      reason: 'expiry_differs',
    });
    expect(await charges(name)).toEqual(['register', 'renew']);
  });

  it('allows a repetition of an update', async () => {
    const name = await held();
    await lose('domain:update');
    await expect(registry.setTransferLock(name, false, freshId())).rejects.toMatchObject(UNAVAILABLE);

    expect(await registry.setTransferLock(name, false, freshId())).toMatchObject({ transferLocked: false });
    await lose('domain:update');
    await expect(
      registry.setNameservers(name, Nameservers.of(['ns3.example.net', 'ns4.example.net']), [], freshId()),
    ).rejects.toMatchObject(UNAVAILABLE);

    expect(
      (await registry.setNameservers(name, Nameservers.of(['ns3.example.net', 'ns4.example.net']), [], freshId()))
        .nameservers,
    ).toEqual(['ns3.example.net', 'ns4.example.net']);
  });

  it('leaves an unregistered name if it was to a deletion', async () => {
    const name = await held();
    await lose('domain:delete');

    await expect(registry.delete(name, freshId())).rejects.toMatchObject(UNAVAILABLE);

    expect(await registry.info(name)).toBeUndefined();
    await expect(registry.delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
  });

  it('is continued with the report if it was to a restore request, which is charged once', async () => {
    const name = await held();
    await sandbox.server.advance(6);
    await registry.delete(name, freshId());
    const { restore } = await restorePrices(registry, name);
    await lose('domain:update');

    await expect(registry.restore(name, restore, freshId())).rejects.toMatchObject(UNAVAILABLE);

    expect((await registry.info(name))?.phase).toBe('pending_restore');
    expect((await registry.restore(name, restore, freshId())).phase).toBe('registered');
    expect(await charges(name)).toEqual(['register', 'restore']);
  });
});

describe('EPP registry failures', () => {
  it.each(['drop_before', 'failure', 'malformed', 'idle_close'] as const)(
    'make the adapter ask again if the server answers one question by %s',
    async (kind) => {
      const name = await held();
      await sandbox.server.faults.inject({ kind, target: 'domain:info', times: 1 });

      expect(await registry.info(name)).toMatchObject({ sponsoredByUs: true });
      expect(await registry.info(name)).toMatchObject({ sponsoredByUs: true });
    },
  );

  it('uses the open sessions after the session limit is exceeded', async () => {
    await running.close();
    running = await startEpp({ ...createRegistryContext({ settings: settings({ sessions: 4 }) }), log });
    const name = freshName();
    await running.port.info(name);
    await sandbox.server.faults.inject({ kind: 'session_limit', target: 'login' });

    const answers = await Promise.all(Array.from({ length: 12 }, () => running.port.info(name)));

    expect(answers).toEqual(Array.from({ length: 12 }, () => undefined));
    expect(log.entries.filter(({ message }) => message.includes('allows no more EPP sessions'))).toHaveLength(1);
  });

  it('attempts a login with a wrong password once', async () => {
    await running.close();
    const before = sandbox.frames();
    running = await startEpp({ ...createRegistryContext({ settings: settings({ password: 'another-one' }) }), log });

    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(running.port.info(freshName())).rejects.toMatchObject({
        ...UNAVAILABLE,
        details: 'The registry refuses our login',
      });

    expect(sandbox.frames() - before).toBe(3);
    expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(JSON.stringify(log.entries)).not.toContain('another-one');
  });

  it('shows serverTransferProhibited as locked, and keeps it', async () => {
    const name = await held();
    const raw = await RawEpp.loggedIn(sandbox);
    await raw.send(updateDomain(name.value, { add: { statuses: ['clientUpdateProhibited'] } }, 'object'));

    await expect(registry.setTransferLock(name, false, freshId())).rejects.toMatchObject({ reason: 'status' });

    expect(await registry.info(name)).toMatchObject({ transferLocked: true });
    await raw.close();
  });
});
