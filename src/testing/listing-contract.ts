import { describe, expect } from '@jest/globals';
import { sameDay } from '../domain/shared/time/calendar';
import type { ListedName, NamePage } from '../application/ports/registry/registries';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshName } from './registry-fixtures';

const MAX_PAGES = 1_000;

/** The names of our account. */
export function listingContract(scenario: LifecycleScenario): void {
  describe('the list of names', () => {
    scenario.rule([], 'list')('contains each name that we hold once, with its expiry, in a stable order', async () => {
      const [one, two] = [await scenario.aName(), await scenario.aName()];

      const listed = await allNames(scenario.registry);
      const again = await allNames(scenario.registry);

      const values = listed.map(({ name }) => name.value);
      expect(new Set(values).size).toBe(values.length);
      expect(again.map(({ name }) => name.value)).toEqual(values);
      for (const name of [one, two]) {
        const entry = listed.find((each) => each.name.value === name.value);
        expect(sameDay(entry?.expiresAt ?? new Date(0), (await scenario.infoOf(name)).expiresAt)).toBe(true);
      }
      expect(values).not.toContain(freshName(scenario.tld).value);
    });

    scenario.rule(['nameElsewhere'], 'list')('does not contain names of other registrars', async () => {
      const { name } = await scenario.aNameElsewhere();

      expect((await allNames(scenario.registry)).map((each) => each.name.value)).not.toContain(name.value);
    });
  });
}

/** Reads every page, each of them twice: both must be equal. */
async function allNames(registry: RegistryAdapter): Promise<readonly ListedName[]> {
  const names: ListedName[] = [];
  let page: NamePage = await registry.list();
  for (let count = 1; page.next !== undefined; count += 1) {
    if (count > MAX_PAGES) throw new TypeError(`the list has more than ${MAX_PAGES} pages: does a cursor repeat?`);
    names.push(...page.names);
    const { next } = page;
    page = await registry.list(next);
    expect(await registry.list(next)).toEqual(page);
  }
  return [...names, ...page.names];
}
