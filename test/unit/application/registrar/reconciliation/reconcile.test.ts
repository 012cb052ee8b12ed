import { differencesFound } from '../../../../../src/application/audit/registry-events';
import { openAccount } from '../../../../../src/domain/access/account';
import { OPERATOR_FEED } from '../../../../../src/domain/access/events/account-event';
import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Operation } from '../../../../../src/domain/registration/operations/operation';
import { REGISTRY, RegistrarUseCases } from '../../../../support/use-cases/registrar-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const LATER = new Date('2029-01-01T00:00:00.000Z');

async function open() {
  const around = new UseCaseContext();
  await around.storage.run(({ accounts }) => accounts.add(openAccount('acc_1', 'Acme', around.clock.now())));
  const registrar = new RegistrarUseCases(around);
  const reconcile = (options: { fix?: boolean; accountId?: string } = {}) =>
    registrar.reconcileRegistry.execute(registrar.listing, { fix: false, ...options });
  return { around, registrar, reconcile };
}

/** An equal domain, and one with each difference. */
async function givenDifferences(around: UseCaseContext): Promise<void> {
  const { registry } = around;
  for (const [index, name] of ['equal', 'renewed', 'unlocked', 'moved', 'left', 'lost'].entries())
    await around.givenDomain({ id: `dom_${index}`, name: `${name}.com` });
  registry.hold('renewed.com', { expiresAt: LATER });
  registry.hold('unlocked.com', { transferLocked: false });
  registry.hold('moved.com', { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] });
  registry.hold('left.com', { sponsoredByUs: false });
  registry.letGo('lost.com');
  registry.hold('unknown.com');
}

describe('reconciliation with a registry', () => {
  it('reports what is missing here or there, and other expiries, locks and nameservers', async () => {
    const opened = await open();
    await givenDifferences(opened.around);

    const { reconciliation, left } = await opened.reconcile();

    const found = left.map(({ name, kind, ours, theirs }) => [name, kind, ours, theirs]);
    expect(found.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      ['left.com', 'missing there', 'active', 'held by another registrar'],
      ['lost.com', 'missing there', 'active', 'unregistered'],
      ['moved.com', 'nameservers', 'ns1.example.net, ns2.example.net', 'ns1.elsewhere.example, ns2.elsewhere.example'],
      ['renewed.com', 'expiry', '2027-01-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z'],
      ['unknown.com', 'missing here', 'missing', expect.stringMatching(/^held until 20/)],
      ['unlocked.com', 'lock', 'on', 'off'],
    ]);
    expect(reconciliation).toMatchObject({ registry: REGISTRY, compared: 6, listed: true, differences: 6 });
    expect(await opened.around.storage.reconciliations.latest()).toEqual([reconciliation]);
    expect(await opened.around.storage.reconciliations.differences('acc_1', [], 10)).toHaveLength(5);
    expect(await opened.around.storage.reconciliations.differences('acc_1', [REGISTRY], 10)).toHaveLength(6);
    expect(await opened.around.storage.reconciliations.differences('acc_2', [], 10)).toEqual([]);
  });

  it('tells the operator of differences that the comparison before had not, in one event', async () => {
    const opened = await open();
    await givenDifferences(opened.around);

    await opened.reconcile();
    await opened.reconcile();
    opened.around.registry.letGo('equal.com');
    await opened.reconcile();

    const events = opened.around.storage.tables.events.get(OPERATOR_FEED) ?? [];
    expect(events.map(({ type, data }) => [type, data['differences'], data['new_count']])).toEqual([
      ['registry.difference', 6, 6],
      ['registry.difference', 7, 1],
    ]);
    expect(events[1]?.data).toMatchObject({
      registry: REGISTRY,
      compared: 6,
      new: [
        {
          name: 'equal.com',
          kind: 'missing there',
          account: 'acc_1',
          domain_id: 'dom_0',
          ours: 'active',
          theirs: 'unregistered',
        },
      ],
    });
  });

  it('fits 64 kB into one event, however many and long the differences are', () => {
    const difference = {
      name: `${'x'.repeat(240)}.com`,
      kind: 'nameservers',
      accountId: 'acc_1',
      domainId: 'dom_1',
      ours: 'ü'.repeat(4_000),
      theirs: 'ü'.repeat(4_000),
    } as const;
    const reconciliation = { registry: REGISTRY, finishedAt: LATER, compared: 9, listed: true, differences: 1_000 };

    const [event] = differencesFound(
      reconciliation,
      Array.from({ length: 1_000 }, () => difference),
    );

    expect(event?.data).toMatchObject({ new_count: 1_000 });
    expect(Buffer.byteLength(JSON.stringify(event?.data))).toBeLessThan(65_536);
  });

  it('changes nothing here or at the registry without the option to fix', async () => {
    const opened = await open();
    await givenDifferences(opened.around);
    const before = [...opened.around.storage.tables.domains.values()];

    await opened.reconcile();

    expect([...opened.around.storage.tables.domains.values()]).toEqual(before);
    expect(new Set(opened.around.registry.calls.map(({ command }) => command))).toEqual(new Set(['info', 'list']));
  });

  it('adopts the registry’s data and the names that are missing here, and ends domains that the registry does not know', async () => {
    const opened = await open();
    await givenDifferences(opened.around);

    const { left, fixedCount } = await opened.reconcile({ fix: true, accountId: 'acc_1' });

    expect(left).toEqual([]);
    expect(fixedCount).toBe(6);
    const states = new Map([...opened.around.storage.tables.domains.values()].map((state) => [state.name, state]));
    expect(states.get('renewed.com')).toMatchObject({ expiresAt: LATER });
    expect(states.get('unlocked.com')).toMatchObject({ transferLocked: false });
    expect(states.get('moved.com')).toMatchObject({ nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] });
    expect(states.get('left.com')).toMatchObject({ status: 'transferred_out' });
    expect(states.get('unknown.com')).toMatchObject({ accountId: 'acc_1', status: 'active' });
    expect(states.get('lost.com')).toMatchObject({ status: 'gone' });
    expect((await opened.reconcile()).left).toEqual([]);
  });

  it('leaves a domain that the registry lists but returns no data of', async () => {
    const { around, registrar, reconcile } = await open();
    await around.givenDomain({ id: 'dom_1', name: 'odd.com' });
    around.registry.letGo('odd.com');
    jest
      .spyOn(registrar.listing, 'list')
      .mockResolvedValue({ names: [{ name: DomainName.fromState('odd.com'), expiresAt: LATER }] });

    expect((await reconcile({ fix: true })).left).toMatchObject([{ name: 'odd.com', kind: 'missing there' }]);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ status: 'active' });
  });

  it('ends no domain if the registry does not know most of them, as with the credentials of another account', async () => {
    const { around, reconcile } = await open();
    for (let index = 0; index < 20; index += 1)
      await around.givenDomain({ id: `dom_${index}`, name: `name${index}.com` });
    for (let index = 0; index < 11; index += 1) around.registry.letGo(`name${index}.com`);

    expect((await reconcile({ fix: true })).reconciliation.differences).toBe(11);
    expect(around.log.entries).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'the registry does not know too many domains, which are left unchanged: check the credentials',
      }),
    );
    const states = [...around.storage.tables.domains.values()];
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['active']));
  });

  it('adopts no name that is missing here without an account for it', async () => {
    const opened = await open();
    opened.around.registry.hold('unknown.com');

    expect((await opened.reconcile({ fix: true })).left).toMatchObject([{ name: 'unknown.com', kind: 'missing here' }]);
    expect(opened.around.storage.tables.domains.size).toBe(0);
  });

  it('finds no difference in a domain whose operation is in progress', async () => {
    const opened = await open();
    const { around } = opened;
    await around.givenDomain({ id: 'dom_1', name: 'busy.com' });
    around.registry.hold('busy.com', { expiresAt: LATER });
    await around.storage.run(({ operations }) =>
      operations.add(
        Operation.queue(
          { id: 'op_1', ...OURS, domainId: 'dom_1', request: { kind: 'set_transfer_lock', locked: true } },
          around.clock.now(),
        ),
      ),
    );

    expect((await opened.reconcile()).left).toEqual([]);
  });

  it('reports that the registry does not list its names', async () => {
    const opened = await open();
    opened.around.registry.next('list').isRefused('unsupported');

    expect((await opened.reconcile()).reconciliation).toMatchObject({ listed: false, differences: 0 });
  });

  it('needs one call for a domain, and pages of the list', async () => {
    const opened = await open();
    for (let index = 0; index < 50; index += 1)
      await opened.around.givenDomain({ id: `dom_${index}`, name: `name${index}.com` });

    await opened.reconcile();

    expect(opened.around.registry.callsOf('info')).toHaveLength(50);
  });
});
