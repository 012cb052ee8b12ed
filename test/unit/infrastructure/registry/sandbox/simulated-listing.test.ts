import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedRegistry } from '../../../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { freshId, freshName, register, REGISTRANT, years } from '../../../../../src/testing/registry-fixtures';
import { MovableClock } from '../../../../support/fakes/movable-clock';

describe('the list of the simulated registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-listing-'));
  const registry = new SimulatedRegistry({
    store: new SqlRegistryStore({ kind: 'sqlite', file: join(folder, 'registry.db') }),
    clock: new MovableClock(),
    currency: 'USD',
    namesPerPage: 2,
  });

  beforeAll(() => registry.open());
  afterAll(async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has pages by name, and ends with one that has no cursor', async () => {
    const names = [freshName(), freshName('de'), freshName(), freshName('net')];
    for (const name of names) await register(registry, name);
    await registry.sandbox.registerElsewhere(freshName());

    const first = await registry.list();
    const second = await registry.list(first.next);
    const third = await registry.list(second.next);

    const listed = [...first.names, ...second.names, ...third.names].map(({ name }) => name.value);
    expect(listed).toEqual(names.map(({ value }) => value).toSorted());
    expect([first, second, third].map(({ names: page }) => page.length)).toEqual([2, 2, 0]);
    expect(third.next).toBeUndefined();
  });

  it('has a name whose transfer to us is complete, before anything else reads it', async () => {
    const name = freshName();
    const { code } = await registry.sandbox.registerElsewhere(name);
    await registry.requestTransfer({
      name,
      term: years(1),
      registrant: REGISTRANT,
      authCode: code,
      price: await registry.transferPrice(name),
      transactionId: freshId(),
    });
    await registry.sandbox.advance(6);

    const listed: string[] = [];
    for (let page = await registry.list(); ; page = await registry.list(page.next)) {
      listed.push(...page.names.map((each) => each.name.value));
      if (page.next === undefined) break;
    }

    expect(listed).toContain(name.value);
  });
});
