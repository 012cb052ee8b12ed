import { AliasFollower } from '../../../../../src/application/dns/aliases/alias-follower';
import { LookUpTarget } from '../../../../../src/application/dns/aliases/look-up-target';
import { PublishAddresses } from '../../../../../src/application/dns/aliases/publish-addresses';
import { RefreshTargets } from '../../../../../src/application/dns/aliases/refresh-targets';
import { newTarget } from '../../../../../src/domain/dns/alias/alias-target';
import type { StoreName, UnitOfWork } from '../../../../../src/application/ports/storage/unit-of-work';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { ScriptedResolver } from '../../../../support/fakes/scripted-resolver';
import { UseCaseContext } from '../../../../support/use-cases/use-case-context';

const DAY_MS = 86_400_000;

class Scenario {
  readonly around = new UseCaseContext();
  readonly resolver = new ScriptedResolver();
  /** The zone of this domain cannot be locked. */
  failingDomain: string | undefined;
  /** Of the publisher. */
  transactions = 0;
  private readonly unitOfWork: UnitOfWork<StoreName> = {
    run: (work) => {
      this.transactions += 1;
      return this.around.storage.run((stores) => {
        const lock = async (domainId: string) => {
          if (domainId === this.failingDomain) throw new Error('the zone cannot be locked');
          return stores.zones.lock(domainId);
        };
        return work({ ...stores, zones: Object.assign(Object.create(stores.zones), { lock }) });
      });
    },
  };
  readonly follower = this.createFollower();
  private count = 0;

  /** Another process on the same storage. */
  createFollower(): AliasFollower {
    const { around, resolver } = this;
    const { clock, log, storage } = around;
    return new AliasFollower(
      storage.aliases,
      resolver,
      new RefreshTargets(storage.aliases, new LookUpTarget(storage.aliases, resolver, clock), storage, clock),
      new PublishAddresses(storage.aliases, this.unitOfWork, clock, log),
      storage.leases,
      clock,
      log,
    );
  }

  async givenAlias(domainId: string, content: string, name = '@'): Promise<void> {
    const zoneName = this.around.storage.tables.domains.get(domainId)?.name ?? '';
    const id = `rec_${(this.count += 1)}`;
    const draft = { type: 'ALIAS', name, content };
    await this.around.givenRecords(domainId, [
      DnsRecord.create(draft, zoneName, id, this.around.clock.now(), ALL_TYPES),
    ]);
  }

  async runAfter(ms: number): Promise<void> {
    this.around.clock.advance({ ms });
    await this.follower.run();
  }

  /** What the zone publishes, and its serial. */
  async published(zoneName: string): Promise<{ records: readonly string[]; serial: number | undefined }> {
    return this.around.storage.publishedZones.withSnapshot(zoneName, async (zone) => {
      const records: string[] = [];
      for await (const page of zone?.records() ?? [])
        records.push(...page.map(({ name, ttl, type, content }) => `${name} ${ttl} ${type} ${content}`));
      return { records, serial: zone?.serial };
    });
  }
}

async function openScenario(...names: readonly string[]): Promise<Scenario> {
  const scenario = new Scenario();
  for (const [index, name] of names.entries()) await scenario.around.givenDomain({ id: `dom_${index + 1}`, name });
  return scenario;
}

describe('ALIAS records', () => {
  it('are published as the addresses of their target, with one query of each type for all of them', async () => {
    const scenario = await openScenario('one.com', 'two.com');
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1', 'lb.test 20 AAAA 2001:db8::1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.givenAlias('dom_1', 'lb.test', 'www');
    await scenario.givenAlias('dom_2', 'lb.test');

    await scenario.follower.run();

    const records = ['@ 120 A 198.51.100.1', '@ 60 AAAA 2001:db8::1'];
    expect((await scenario.published('one.com')).records).toEqual([
      ...records,
      'www 120 A 198.51.100.1',
      'www 60 AAAA 2001:db8::1',
    ]);
    expect((await scenario.published('two.com')).records).toEqual(records);
    expect(scenario.resolver.queries).toEqual(['lb.test A', 'lb.test AAAA']);
  });

  it('raise the serial and not the version of their zone, and only if addresses change', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    const version = () => scenario.around.storage.tables.zones.get('dom_1')?.version;
    const [before, serials] = [version(), [(await scenario.published('one.com')).serial]];

    for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2']) {
      scenario.resolver.records = [`lb.test 120 A ${address}`];
      await scenario.runAfter(120_000);
      serials.push((await scenario.published('one.com')).serial);
    }

    const first = serials[0] ?? 0;
    expect(serials).toEqual([first, first + 1, first + 1, first + 2]);
    expect(version()).toBe(before);
  });

  it('follow a lower TTL of their target, with one new serial', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['lb.test 300 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.follower.run();
    const before = await scenario.published('one.com');

    scenario.resolver.records = ['lb.test 60 A 198.51.100.1'];
    for (let lookUps = 0; lookUps < 6; lookUps += 1) await scenario.runAfter(300_000);
    const after = await scenario.published('one.com');

    expect([before.records, after.records]).toEqual([['@ 300 A 198.51.100.1'], ['@ 60 A 198.51.100.1']]);
    expect((after.serial ?? 0) - (before.serial ?? 0)).toBe(1);
  });

  it('are all published if more of them have one target than are read at once', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    for (let index = 0; index < 600; index += 1) await scenario.givenAlias('dom_1', 'lb.test', `n${index}`);
    await scenario.follower.run();

    scenario.resolver.records = ['lb.test 120 A 198.51.100.2'];
    await scenario.runAfter(120_000);

    const { records } = await scenario.published('one.com');
    expect(records.filter((record) => record.endsWith(' 120 A 198.51.100.2'))).toHaveLength(600);
    expect(scenario.resolver.queries).toHaveLength(4);
  });

  it('keep the last good answer for 24 hours while the resolver fails, and then have no addresses', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.follower.run();

    scenario.resolver.failure = 'the resolver did not respond';
    await scenario.runAfter(DAY_MS - 1);
    const kept = await scenario.published('one.com');
    const [status] = await scenario.around.storage.aliases.failing('dom_1', 10);
    await scenario.runAfter(DAY_MS);

    expect(kept.records).toEqual(['@ 120 A 198.51.100.1']);
    expect(status?.state).toMatchObject({ error: 'the resolver did not respond' });
    expect((await scenario.published('one.com')).records).toEqual([]);
  });

  it('are reported as a loop if they lead to each other, and not looked up', async () => {
    const scenario = await openScenario('one.com', 'two.com');
    await scenario.givenAlias('dom_1', 'www.two.com');
    await scenario.givenAlias('dom_2', 'one.com', 'www');

    await scenario.follower.run();

    const statuses = await scenario.around.storage.aliases.statuses('dom_1');
    expect(statuses.map(({ state }) => state?.error)).toEqual([
      'the names form a loop: www.two.com -> one.com -> www.two.com',
    ]);
    expect(scenario.resolver.queries).toEqual([]);
  });

  it('are reported as a loop if their target leads back to them through a wildcard', async () => {
    const scenario = await openScenario('one.com', 'two.com');
    await scenario.givenAlias('dom_1', 'www.two.com');
    await scenario.givenAlias('dom_2', 'one.com', '*');
    await scenario.givenAlias('dom_2', 'x.two.com', 'a');

    await scenario.follower.run();

    const errors = async (domainId: string) =>
      (await scenario.around.storage.aliases.statuses(domainId)).map(({ state }) => state?.error);
    expect(await errors('dom_1')).toEqual(['the names form a loop: www.two.com -> one.com -> www.two.com']);
    expect(await errors('dom_2')).toEqual([
      'the names form a loop: one.com -> www.two.com -> one.com',
      'the names form a loop: one.com -> www.two.com -> one.com',
    ]);
    expect(scenario.resolver.queries).toEqual([]);
  });

  it('are reported as a loop if their target leads back to them by a CNAME, and do not keep their addresses alive', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['www.one.com 60 CNAME one.com', 'one.com 60 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'www.one.com');

    await scenario.follower.run();

    const [status] = await scenario.around.storage.aliases.failing('dom_1', 10);
    expect(status?.state?.error).toBe('the names form a loop: www.one.com -> one.com -> www.one.com');
    expect((await scenario.published('one.com')).records).toEqual([]);
  });

  it('do not publish addresses that are not public, and report them', async () => {
    const scenario = await openScenario('one.com');
    scenario.resolver.records = ['lb.test 60 A 10.0.0.1', 'lb.test 60 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');

    await scenario.follower.run();

    expect((await scenario.published('one.com')).records).toEqual(['@ 60 A 198.51.100.1']);
    const [status] = await scenario.around.storage.aliases.failing('dom_1', 10);
    expect(status?.state?.error).toBe('A: 10.0.0.1 is not a public address');
  });

  it('are published in few transactions if they are in many zones', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `zone-${index}.com`);
    const scenario = await openScenario(...names);
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    for (let index = 1; index <= names.length; index += 1) await scenario.givenAlias(`dom_${index}`, 'lb.test');

    await scenario.follower.run();

    const published = await Promise.all(names.map((name) => scenario.published(name)));
    expect(new Set(published.map(({ records }) => records.join()))).toEqual(new Set(['@ 120 A 198.51.100.1']));
    expect(scenario.transactions).toBeLessThan(10);
  });

  it('do not hold up others if their zone cannot be written, and are retried', async () => {
    const scenario = await openScenario('one.com', 'two.com');
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.givenAlias('dom_2', 'lb.test');
    scenario.failingDomain = 'dom_1';
    await scenario.follower.run();
    const failing = await Promise.all(['one.com', 'two.com'].map((name) => scenario.published(name)));

    scenario.failingDomain = undefined;
    for (let minute = 0; minute < 4; minute += 1) await scenario.runAfter(60_000);

    expect(failing.map(({ records }) => records)).toEqual([[], ['@ 120 A 198.51.100.1']]);
    expect((await scenario.published('one.com')).records).toEqual(['@ 120 A 198.51.100.1']);
  });

  it('are looked up by one process at a time', async () => {
    const scenario = await openScenario('one.com');
    await scenario.givenAlias('dom_1', 'lb.test');
    const other = scenario.createFollower();
    const others: Promise<void>[] = [];
    scenario.resolver.during = () => void others.push(other.run());

    await scenario.follower.run();
    await Promise.all(others);

    expect(scenario.resolver.queries).toEqual(['lb.test A', 'lb.test AAAA']);
  });

  it.each([
    ['new', {}],
    ['failing', { failures: 3, failingSince: new Date(0), checkedAt: new Date(0) }],
  ])('are refreshed while many %s targets of others do not respond', async (_kind, state) => {
    const scenario = await openScenario('one.com', 'two.com');
    const { clock, storage } = scenario.around;
    scenario.resolver.records = ['lb.test 120 A 198.51.100.1'];
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.follower.run();
    const dead = Array.from({ length: 300 }, (_, index) => `dead-${index}.test`);
    for (const target of dead) await scenario.givenAlias('dom_2', target, target);
    const dueAt = clock.now();
    await storage.run(({ aliases }) =>
      aliases.addTargets(dead.map((target) => ({ ...newTarget(target, dueAt), ...state }))),
    );
    scenario.resolver.records = ['lb.test 120 A 198.51.100.2'];
    const timeouts: (() => void)[] = [];
    const noResponse = new Promise<void>((resolve) => void timeouts.push(resolve));
    const isAsked = new Promise<void>((resolve) => {
      scenario.resolver.during = (name) => (name === 'lb.test' ? resolve() : noResponse);
    });

    const running = scenario.runAfter(120_000);
    await isAsked;
    while (storage.tables.aliasTargets.get('lb.test')?.answers.A?.addresses[0] !== '198.51.100.2')
      await new Promise(setImmediate);

    expect(scenario.resolver.queries.filter((query) => query.startsWith('dead-')).length).toBeLessThan(2 * dead.length);
    for (const timeOut of timeouts) timeOut();
    await running;
    expect((await scenario.published('one.com')).records).toEqual(['@ 120 A 198.51.100.2']);
  });

  it('are not looked up any more once they are removed', async () => {
    const scenario = await openScenario('one.com');
    await scenario.givenAlias('dom_1', 'lb.test');
    await scenario.follower.run();
    const { storage } = scenario.around;
    await storage.run(async ({ zones }) => {
      const zone = await zones.lock('dom_1');
      const removed = await zones.findRecords('dom_1', ['rec_1']);
      const by = { actor: { kind: 'key' as const, id: 'k1' }, at: scenario.around.clock.now() };
      if (zone) await zones.apply([{ zone, change: { added: [], changed: [], removed }, by }]);
    });

    await scenario.runAfter(DAY_MS);

    expect(scenario.resolver.queries).toHaveLength(2);
    expect(storage.tables.aliasTargets.size).toBe(0);
  });
});
