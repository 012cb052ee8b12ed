import { aDomain } from '../../../support/data/a-domain';
import type { DesiredState } from '../../../../src/domain/portfolio/desired-state';
import type { Domain } from '../../../../src/domain/registration/domain';
import { closeScenarios, openScenario, pass } from '../../../support/use-cases/registration-scenario';
import { applyStateOf } from '../../../support/use-cases/state-use-cases';
import { OURS, STRANGER } from '../../../support/use-cases/use-case-context';

const USD = (minor: number) => ({ minor, currency: 'USD' });

describe('a desired state of a name that is not here', () => {
  let opened: ReturnType<typeof openScenario>;

  beforeEach(async () => {
    opened = openScenario();
    await opened.around.givenDomain({ id: 'dom_1', name: 'example.com' });
  });

  afterEach(() => closeScenarios(opened.around, opened.scenario));

  const WANTED: DesiredState = {
    registration: { maxPrice: USD(10_000), years: 1 },
    settings: { contact: 'example.com', tags: ['new'], transferLocked: false },
    records: { owner: 'git', records: [{ type: 'A', name: 'www', content: '192.0.2.1' }] },
  };
  const states = () => applyStateOf(opened.around, opened.scenario);
  const commandOf = (state: DesiredState = WANTED) => ({ ...OURS, name: 'new.com', state });
  const created = () => [...opened.around.storage.tables.domains.values()].find(({ name }) => name === 'new.com');

  it('is a purchase with its price, and planning it orders nothing', async () => {
    const before = opened.around.storage.tables;

    const planned = await states().plan(commandOf());

    expect(planned).toMatchObject({ domainId: undefined, versions: { zone: 0, settings: null } });
    expect(planned.operations.map(({ kind }) => kind)).toEqual(['register', 'set_transfer_lock']);
    expect(planned.cost.minor).toBeGreaterThan(0);
    expect(planned.change.added).toHaveLength(1);
    expect(opened.around.storage.tables).toEqual(before);
    await pass(opened.around, 1_000);
    expect(opened.around.registry.charges).toEqual([]);
  });

  it('is bought once, with its records and settings, and the second apply is empty', async () => {
    const planned = await states().plan(commandOf());

    const applied = await states().execute({ ...commandOf(), expected: planned.versions });
    const second = await states().execute(commandOf());
    await pass(opened.around, 5_000);
    const third = await states().execute(commandOf());

    expect(applied.operations.map(({ kind }) => kind)).toEqual(planned.operations.map(({ kind }) => kind));
    for (const { change, settings, operations } of [second, third])
      expect([change.added, settings, operations]).toEqual([[], [], []]);
    expect(opened.around.registry.charges).toHaveLength(1);
    expect(created()).toMatchObject({ status: 'active', tags: ['new'], transferLocked: false });
    expect(opened.around.storage.tables.zones.get(created()?.id ?? '')?.records).toHaveLength(1);
  });

  it('is not found unless the state says that it may be registered', async () => {
    const { records } = WANTED;

    await expect(states().plan(commandOf({ records }))).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
      details: 'A state with register and max_price registers it',
    });
  });

  it('is not bought above the price of the state', async () => {
    const cheap: DesiredState = { ...WANTED, registration: { maxPrice: USD(1), years: 1 } };

    for (const run of [states().plan(commandOf(cheap)), states().execute(commandOf(cheap))])
      await expect(run).rejects.toMatchObject({ details: expect.stringMatching(/^max_price is 0\.01 USD, and/) });
    await pass(opened.around, 1_000);
    expect(opened.around.registry.charges).toEqual([]);
  });

  it('stores nothing if a record is refused', async () => {
    const before = opened.around.storage.tables;
    const records = { owner: 'git', records: [{ type: 'A', name: 'www', content: 'nonsense' }] };

    await expect(states().execute(commandOf({ ...WANTED, records }))).rejects.toMatchObject({
      details: expect.stringMatching(/^records\[0\]\.content/),
    });

    expect(opened.around.storage.tables).toEqual(before);
  });

  it.each([
    ['deleted', (domain: Domain) => domain.markDeleted(new Date())],
    ['transferred to another registrar', (domain: Domain) => domain.markTransferredOut(new Date())],
    [
      'deleted and its zone is kept',
      (domain: Domain) => {
        domain.setKeepZone(true, new Date());
        domain.markDeleted(new Date());
      },
    ],
  ])('is not bought again after it is %s', async (_what, end) => {
    await states().execute(commandOf());
    await pass(opened.around, 5_000);
    await opened.around.storage.run(async ({ domains }) => {
      const found = await domains.lockAny(created()?.id ?? '');
      if (!found) return;
      end(found);
      await domains.save(found);
    });

    await expect(states().plan(commandOf())).rejects.toMatchObject({
      code: 'DOMAIN_UNAVAILABLE',
      details: expect.stringMatching(/a state does not register it again/),
    });
    expect(opened.around.registry.charges).toHaveLength(1);
  });

  it('is not bought if the account had it before any state', async () => {
    await opened.around.storage.run(async ({ domains }) => {
      const domain = aDomain({ accountId: commandOf().accountId, name: commandOf().name });
      await domains.add(domain);
      domain.markDeleted(new Date());
      await domains.save(domain);
    });

    await expect(states().plan(commandOf())).rejects.toMatchObject({ code: 'DOMAIN_UNAVAILABLE' });
  });

  it('is bought by the same state after the registry has refused it', async () => {
    opened.around.registry.next('register').isRefused('credit');
    await states().execute(commandOf());
    await pass(opened.around, 5_000);
    expect(created()).toMatchObject({ status: 'gone' });

    await states().execute(commandOf());
    await pass(opened.around, 5_000);

    expect(opened.around.registry.charges).toHaveLength(1);
  });

  it('needs a registrant', async () => {
    const { registration } = WANTED;

    await expect(states().plan(commandOf({ registration }))).rejects.toMatchObject({
      details: expect.stringMatching(/^registrant must be given/),
    });
  });

  it('is not bought for a plan of a name that was here, and a plan of a purchase is refused once it is here', async () => {
    const expected = { zone: 7, settings: null };
    const purchase = await states().plan(commandOf());

    await expect(states().execute({ ...commandOf(), expected })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await states().execute(commandOf());

    await expect(
      states().execute({ ...commandOf({ ...WANTED, settings: { tags: ['x'] } }), expected: purchase.versions }),
    ).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  it('does not take a registrant of another account', async () => {
    await expect(states().plan({ ...commandOf(), ...STRANGER })).rejects.toMatchObject({
      details: expect.stringMatching(/^registrant\.contact must be/),
    });
  });
});
