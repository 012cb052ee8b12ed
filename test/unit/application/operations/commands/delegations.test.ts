import { DomainName } from '../../../../../src/domain/shared/domain-name';
import { Operation } from '../../../../../src/domain/registration/operations/operation';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../../support/use-cases/use-case-context';

const EXAMPLE = DomainName.fromState('example.com');
const BEFORE = ['ns1.example.net', 'ns2.example.net'];
const WANTED = ['ns1.new.net', 'ns2.new.net'];
const REJECTED = { code: 'REGISTRY_REJECTED' };

describe('a nameserver change that the registry refuses', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const change = () => scenario.changeNameservers.execute({ ...OURS, domainId: 'dom_1', hosts: WANTED });
  const stored = () => around.storage.tables.domains.get('dom_1')?.nameservers;
  const atRegistry = async () => (await around.registry.info(EXAMPLE))?.nameservers;
  /** The next change removes nameservers, is refused, and leaves these. */
  const leaves = (nameservers: readonly string[]) =>
    around.registry.next('setNameservers').isRefusedAfter(() => around.registry.hold('example.com', { nameservers }));

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ id: 'dom_1', nameservers: BEFORE });
  });
  afterEach(() => closeScenarios(around, scenario));

  it.each([[[]], [['ns1.new.net']]])('puts the known nameservers back if it leaves %j', async (left) => {
    leaves(left);

    await expect(change()).rejects.toMatchObject(REJECTED);

    expect(await atRegistry()).toEqual(BEFORE);
    expect(stored()).toEqual(BEFORE);
  });

  it('adopts the remaining nameservers if they are a delegation, and records it', async () => {
    const left = ['ns1.example.net', 'ns1.new.net'];
    leaves(left);

    await expect(change()).rejects.toMatchObject(REJECTED);

    expect(stored()).toEqual(left);
    expect(around.auditEntries.at(-1)).toMatchObject({
      action: 'domain.synchronized',
      actor: { kind: 'service' },
      before: { nameservers: BEFORE },
      after: { nameservers: left },
    });
  });

  it('shows no nameservers and logs an ERROR if the registry rejects setting them again', async () => {
    leaves([]);
    leaves([]);

    await expect(change()).rejects.toMatchObject(REJECTED);

    expect(stored()).toEqual([]);
    expect(around.log.entries).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('rejects setting them again') }),
    );
  });

  it.each(['info', 'setNameservers'] as const)(
    'is repeated, and the nameservers put back, if the registry does not respond to %s after it',
    async (command) => {
      leaves([]);
      around.registry.next(command).isUnreachable();
      leaves([]);

      const outcome = change().catch((error: unknown) => error);
      await pass(around, 4_000);

      expect(await outcome).toMatchObject(REJECTED);
      expect(await atRegistry()).toEqual(BEFORE);
      expect(stored()).toEqual(BEFORE);
    },
  );

  it('puts the nameservers back if the process was killed after the registry removed them', async () => {
    const now = around.clock.now();
    const operation = Operation.queue(
      {
        id: 'op_1',
        accountId: OURS.accountId,
        domainId: 'dom_1',
        actor: OURS.actor,
        request: { kind: 'set_nameservers', hosts: WANTED },
      },
      now,
    );
    operation.begin('a killed process', now, now);
    await around.storage.run(({ operations }) => operations.add(operation));
    leaves([]);
    around.registry.hold('example.com', { nameservers: [] });

    await pass(around, 2_000);

    expect(around.storage.tables.operations.get('op_1')).toMatchObject({ status: 'failed' });
    expect(await atRegistry()).toEqual(BEFORE);
    expect(stored()).toEqual(BEFORE);
  });
});

it('puts the nameservers back if a refused deletion has removed them', async () => {
  const { around, scenario } = openScenario();
  const now = around.lifecycleClock.now();
  await around.givenDomain({ id: 'dom_1', nameservers: BEFORE, createdAt: now, registeredAt: now });
  around.registry.next('delete').isRefusedAfter(() => around.registry.hold('example.com', { nameservers: [] }));

  await expect(scenario.deleteDomain.execute({ ...OURS, domainId: 'dom_1' })).rejects.toMatchObject(REJECTED);

  expect((await around.registry.info(EXAMPLE))?.nameservers).toEqual(BEFORE);
  expect(around.storage.tables.domains.get('dom_1')?.nameservers).toEqual(BEFORE);
  await closeScenarios(around, scenario);
});
