import { HealthMonitor, HealthStores } from '../../../../src/application/health/health-monitor';
import { aDomain } from '../../../support/data/a-domain';
import { inspectDomain } from '../../../support/use-cases/health-use-cases';
import { ScriptedProbe } from '../../../support/fakes/scripted-probe';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const HOUR_MS = 3_600_000;

class Scenario {
  readonly around = new UseCaseContext();
  readonly probe = new ScriptedProbe();
  readonly monitor = this.createMonitor();

  /** Another process on the same storage. */
  createMonitor(): HealthMonitor {
    const { storage, clock, log } = this.around;
    const stores = new HealthStores(storage.health, storage.domains, storage, storage.leases);
    const settings = { checksPerMinute: 60_000_000, intervalMs: 24 * HOUR_MS };
    return new HealthMonitor(stores, inspectDomain(this.around, this.probe), settings, clock, log);
  }

  get checkedAt(): Readonly<Record<string, Date>> {
    return Object.fromEntries([...this.around.storage.tables.health].map(([id, report]) => [id, report.checkedAt]));
  }
}

describe('the checks of all domains in the background', () => {
  it('check every domain that is not deleted or transferred, and store the results', async () => {
    const { around, monitor, ...scenario } = new Scenario();
    await around.storage.run(async ({ domains }) => {
      for (let index = 0; index < 205; index += 1)
        await domains.add(aDomain({ id: `dom_${1_000 + index}`, name: `name-${index}.com`, accountId: 'acc_1' }));
    });
    await around.givenDomain({ id: 'dom_gone', name: 'gone.com', status: 'gone' });

    await monitor.run();

    expect(around.storage.tables.health.size).toBe(205);
    expect(around.storage.tables.health.has('dom_gone')).toBe(false);
    expect(around.storage.tables.health.get('dom_1000')?.checks).toHaveLength(11);
    expect(around.registry.calls).toEqual([]);
    expect(scenario.probe.questions.filter((question) => question === 'ns1.example.net A').length).toBeLessThan(10);
  });

  it('check a domain again when its result is too old', async () => {
    const scenario = new Scenario();
    const { around, monitor } = scenario;
    await around.givenDomain({ id: 'dom_old' });
    await monitor.run();
    const first = scenario.checkedAt;

    around.clock.advance({ ms: 23 * HOUR_MS });
    await around.givenDomain({ id: 'dom_new', name: 'new.com' });
    await monitor.run();
    expect(scenario.checkedAt).toMatchObject(first);
    expect(scenario.checkedAt['dom_new']).toEqual(around.clock.now());

    around.clock.advance({ ms: HOUR_MS });
    await monitor.run();
    expect(scenario.checkedAt['dom_old']).toEqual(around.clock.now());
  });

  it('run in one process at a time', async () => {
    const scenario = new Scenario();
    const { around, probe, monitor } = scenario;
    await around.givenDomain({ id: 'dom_1' });
    let other: Promise<void> | undefined;
    probe.during = async () => {
      other ??= scenario.createMonitor().run();
      await other;
    };

    await monitor.run();

    expect(probe.questions.filter((question) => question === 'example.com SOA')).toHaveLength(1);
  });

  it('go on with the other domains if one cannot be checked', async () => {
    const { around, probe, monitor } = new Scenario();
    await around.givenDomain({ id: 'dom_1', name: 'first.com' });
    await around.givenDomain({ id: 'dom_2', name: 'second.com' });
    probe.resolve = async ({ name }) => {
      if (name === 'first.com') throw new Error('a defect');
      return { kind: 'no_data', via: [] };
    };

    await monitor.run();

    expect([...around.storage.tables.health.keys()]).toEqual(['dom_2']);
    expect(around.log.entries).toContainEqual(expect.objectContaining({ level: 'error' }));

    const { length } = probe.questions;
    await monitor.run();
    expect(probe.questions).toHaveLength(length);
  });
});
