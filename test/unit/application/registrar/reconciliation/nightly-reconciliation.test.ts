import { NightlyReconciliation } from '../../../../../src/application/registrar/reconciliation/nightly-reconciliation';
import { REGISTRY, RegistrarUseCases } from '../../../../support/use-cases/registrar-use-cases';
import { UseCaseContext } from '../../../../support/use-cases/use-case-context';

const HOUR = { ms: 3_600_000 };

function open() {
  const around = new UseCaseContext();
  const registrar = new RegistrarUseCases(around);
  const nightly = () =>
    new NightlyReconciliation(
      { listings: () => [registrar.listing] },
      around.storage.reconciliations,
      registrar.reconcileRegistry,
      around.storage.leases,
      around.clock,
      around.log,
    );
  return { around, nightly };
}

describe('the nightly reconciliation', () => {
  it('compares a registry once a night, after 02:00 UTC, and fixes nothing', async () => {
    const { around, nightly } = open();
    const job = nightly();
    await around.givenDomain({ id: 'dom_1', name: 'moved.com' });
    around.registry.hold('moved.com', { transferLocked: false });
    const runs: number[] = [];
    for (let hour = 0; hour < 48; hour += 1) {
      await job.run();
      const [latest] = await around.storage.reconciliations.latest();
      if (latest && latest.finishedAt.getTime() === around.clock.now().getTime())
        runs.push(around.clock.now().getUTCHours());
      around.clock.advance(HOUR);
    }

    expect(runs).toEqual([2, 2]);
    expect(await around.storage.reconciliations.differences('acc_1', [REGISTRY], 5)).toMatchObject([
      { name: 'moved.com', kind: 'lock' },
    ]);
    expect(around.storage.tables.domains.get('dom_1')).toMatchObject({ transferLocked: true });
  });

  it('runs in one of several processes', async () => {
    const { around, nightly } = open();
    const [one, other] = [nightly(), nightly()];
    around.clock.advance({ ms: 2 * HOUR.ms });

    await Promise.all([one.run(), other.run()]);

    expect(around.registry.callsOf('list')).toHaveLength(1);
  });

  it('repeats a comparison that the registry did not answer, and stores nothing of it', async () => {
    const { around, nightly } = open();
    const job = nightly();
    around.clock.advance({ ms: 2 * HOUR.ms });
    around.registry.next('list').failsWith(new Error('a bug of an adapter'));

    await job.run();
    expect(await around.storage.reconciliations.latest()).toEqual([]);
    await job.run();
    expect(await around.storage.reconciliations.latest()).toMatchObject([{ registry: REGISTRY, differences: 0 }]);
  });
});
