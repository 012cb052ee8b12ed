import { setImmediate } from 'node:timers/promises';
import { RegistryUnavailable } from '../../../../../src/application/ports/registry/registry-errors';
import { openAccount } from '../../../../../src/domain/access/account';
import { OPERATOR } from '../../../../../src/domain/access/actor';
import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { A_REGISTRANT } from '../../../../support/data/a-domain';
import { REGISTRY, RegistrarUseCases } from '../../../../support/use-cases/registrar-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const EXPIRY = new Date('2027-05-06T07:08:09.000Z');
const HOSTS = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

async function open(...accountIds: readonly string[]) {
  const around = new UseCaseContext();
  await around.storage.run(async ({ accounts }) => {
    for (const id of accountIds) await accounts.add(openAccount(id, 'Acme', around.clock.now()));
  });
  return { around, registrar: new RegistrarUseCases(around) };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function importAll({ registrar }: Opened, names?: readonly string[], requester = OURS) {
  const { id: importId } = await registrar.startImport.execute({ ...requester, registry: REGISTRY, names });
  await registrar.importRunner.run();
  return registrar.findImport.execute({ ...requester, importId });
}

const start = ({ registrar }: Opened, actor = OURS.actor) =>
  registrar.startImport.execute({ accountId: 'acc_1', actor, registry: REGISTRY });

describe('an import of names from a registrar', () => {
  it('reports entries of the list that cannot be used, and imports the others', async () => {
    const opened = await open('acc_1');
    const { registry } = opened.around;
    registry.hold('fine.com', { nameservers: HOSTS, expiresAt: EXPIRY });
    const list = registry.list.bind(registry);
    jest.spyOn(registry, 'list').mockImplementation(async (cursor) => ({
      ...(await list(cursor)),
      skipped: [{ name: 'line 7', reason: 'must be a domain name' }],
    }));

    const { counts, failures } = await importAll(opened);

    expect(counts).toMatchObject({ imported: 1, failed: 1, waiting: 0 });
    expect(failures).toMatchObject([{ name: 'line 7', reason: 'must be a domain name' }]);
  });

  it('shows no entries of other accounts among those that cannot be used', async () => {
    const opened = await open('acc_1', 'acc_2');
    await opened.around.givenDomain({ id: 'dom_2', name: 'theirs.com', accountId: 'acc_2' });
    const reason = 'the registrar tells no expiry of this name';
    const skipped = ['theirs.com', 'free.com'].map((name) => ({ name, reason }));
    jest.spyOn(opened.around.registry, 'list').mockResolvedValue({ names: [], skipped });

    const page = await opened.registrar.listHeldNames.page({ ...OURS, actor: OPERATOR, registry: REGISTRY });

    expect(page.skipped).toEqual([{ name: 'free.com', reason }]);
  });

  it('adopts every name that the registry lists, as the registry has it, and changes nothing there', async () => {
    const opened = await open('acc_1');
    const { registry, storage } = opened.around;
    for (let index = 0; index < 120; index += 1)
      registry.hold(`name${index}.com`, { nameservers: HOSTS, expiresAt: EXPIRY });
    registry.hold('elsewhere.com', { sponsoredByUs: false });

    const { nameImport, counts } = await importAll(opened);

    expect({ status: nameImport.status, ...counts }).toEqual({
      status: 'finished',
      waiting: 0,
      imported: 120,
      present: 0,
      failed: 0,
    });
    const domain = await storage.domains.findByName('acc_1', DomainName.parse('name7.com'));
    expect(domain?.toState()).toMatchObject({
      status: 'active',
      expiresAt: EXPIRY,
      nameservers: HOSTS,
      transferLocked: true,
      registrant: A_REGISTRANT,
    });
    expect(storage.tables.zones.get(domain?.id ?? '')).toMatchObject({ records: [] });
    expect(new Set(registry.calls.map(({ command }) => command))).toEqual(new Set(['list', 'info', 'registrant']));
    expect(opened.around.auditEntries.filter(({ action }) => action === 'domain.imported')).toHaveLength(120);
  });

  it('adopts nothing twice if it is repeated, and asks the registry about no name that the account has', async () => {
    const opened = await open('acc_1');
    opened.around.registry.hold('example.com');
    await importAll(opened);

    const { counts } = await importAll(opened);

    expect(counts).toEqual({ waiting: 0, imported: 0, present: 1, failed: 0 });
    expect(opened.around.storage.tables.domains.size).toBe(1);
    expect(opened.around.registry.callsOf('info')).toHaveLength(1);
  });

  it('neither shows nor adopts a name of another account, and does not reveal that it is here', async () => {
    const opened = await open('acc_1', 'acc_2');
    opened.registrar.openTo.push('acc_1');
    const { around } = opened;
    await around.givenDomain({ accountId: STRANGER.accountId, name: 'theirs.com' });
    around.registry.hold('ours.com');

    const { names } = await opened.registrar.listHeldNames.page({ ...OURS, actor: OPERATOR, registry: REGISTRY });
    const listed = await importAll(opened);
    const named = await importAll(opened, ['theirs.com', 'unregistered.com']);

    expect(names.map(({ name }) => name)).toEqual(['ours.com']);
    expect(listed.counts).toEqual({ waiting: 0, imported: 1, present: 0, failed: 0 });
    expect(named.counts).toMatchObject({ imported: 0, failed: 2 });
    expect(new Set(named.failures.map(({ reason }) => reason)).size).toBe(1);
    expect(around.storage.tables.domains.size).toBe(2);
  });

  it('is for the only account, or for accounts that the registries file names, and for the operator', async () => {
    const alone = await open('acc_1');
    const several = await open('acc_1', 'acc_2');

    await expect(start(alone)).resolves.toMatchObject({ status: 'listing' });
    await expect(start(several)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('is not open to this account'),
    });
    await expect(start(several, OPERATOR)).resolves.toMatchObject({ status: 'listing' });
    several.registrar.openTo.push('acc_1');
    await expect(start(several)).resolves.toMatchObject({ status: 'listing' });
  });

  it('rejects names that are invalid or under TLDs of other registries, before anything is stored', async () => {
    const { registrar, around } = await open('acc_1');

    await expect(
      registrar.startImport.execute({ ...OURS, registry: REGISTRY, names: ['ok.com', 'not a name', 'name.unserved'] }),
    ).rejects.toMatchObject({
      issues: [{ path: 'names[1]' }, { path: 'names[2]', message: 'is not under a TLD of scripted' }],
    });
    expect(around.storage.tables.imports.size).toBe(0);
  });

  it('leaves the registrant unknown if the registry does not show it', async () => {
    const opened = await open('acc_1');
    opened.around.registry.hold('example.com');
    opened.around.registry.next('registrant').isRefused('unsupported');

    await importAll(opened);

    expect([...opened.around.storage.tables.domains.values()]).toMatchObject([{ registrant: null }]);
  });

  it('lets the registrar renew if the registrar does so, and queues no renewal', async () => {
    const opened = await open('acc_1');
    const { around } = opened;
    around.registry.hold('example.com', { registrarRenews: true, expiresAt: around.lifecycleClock.now() });

    await importAll(opened);

    const [domain] = [...around.storage.tables.domains.values()];
    expect(domain).toMatchObject({ autoRenew: true, registrarRenews: true });
    expect(domain && around.plan.stepsDue(domain, around.lifecycleClock.now())).toEqual([]);
  });

  it('continues after a crash in the middle, in another process, without asking for imported names again', async () => {
    const opened = await open('acc_1');
    const { around, registrar } = opened;
    for (let index = 0; index < 40; index += 1) around.registry.hold(`name${index}.com`);
    const { id: importId } = await registrar.startImport.execute({ ...OURS, registry: REGISTRY });
    around.registry.next('info').isUnreachable();
    const running = registrar.importRunner.run();
    await registrar.importRunner.stop();
    await running;
    const before = await registrar.findImport.execute({ ...OURS, importId });

    await new RegistrarUseCases(around).importRunner.run();

    const after = await registrar.findImport.execute({ ...OURS, importId });
    expect(before.nameImport.finishedAt).toBeNull();
    expect(after).toMatchObject({ nameImport: { status: 'finished' }, counts: { imported: 40, failed: 0 } });
    expect(around.storage.tables.domains.size).toBe(40);
  });

  it('stops at once while it waits for a registry that does not respond', async () => {
    const opened = await open('acc_1');
    const { around, registrar } = opened;
    around.registry.hold('name.com');
    const { id: importId } = await start(opened);
    around.registry.next('info').failsWith(new RegistryUnavailable(undefined, 3_600));
    const running = registrar.importRunner.run();
    while ((await around.storage.imports.waiting(importId, 1))[0]?.attempts !== 1) await setImmediate();

    await registrar.importRunner.stop();

    await running;
    expect((await registrar.findImport.execute({ ...OURS, importId })).nameImport.finishedAt).toBeNull();
  });

  it('fails with the reason if the registry does not list names', async () => {
    const opened = await open('acc_1');
    opened.around.registry.next('list').isRefused('unsupported');

    const { nameImport } = await importAll(opened);

    expect(nameImport).toMatchObject({ status: 'failed', error: expect.stringMatching(/Give the names to import$/) });
  });
});
