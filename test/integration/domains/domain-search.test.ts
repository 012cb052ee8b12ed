import {
  DOMAIN_ORDERS,
  type DomainOrder,
  type SortedPosition,
  type TermCondition,
} from '../../../src/application/ports/registration/domain-repository';
import type { ListPosition, Page } from '../../../src/application/ports/storage/page';
import { openAccount } from '../../../src/domain/access/account';
import { checkOf, HEALTH_STATES, type HealthState } from '../../../src/domain/health/health-check';
import { reportOf } from '../../../src/domain/health/health-report';
import { termsOf } from '../../../src/domain/portfolio/domain-terms';
import type { DomainState } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { toAsciiName, toUnicodeName } from '../../../src/domain/shared/idna';
import { SEARCH_LIMITS } from '../../../src/infrastructure/persistence/registration/domains/pages/domain-page-sql';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlRenewalPrices } from '../../../src/infrastructure/persistence/registration/sql-renewal-prices';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { SeededRandom } from '../../crash/random';
import { aDomain } from '../../support/data/a-domain';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';
import { SEED } from '../../support/seeded';

const DOMAINS = 60;
const ACCOUNT = 'acc_search';
const PAGE = 7;
/** Few, so that parts of names are shared. */
const CHARACTERS = ['a', 'b', '1', '-', 'ü', 'ß', '日'] as const;

onEachDatabase('a search of domains', (database) => {
  const random = new SeededRandom(SEED);
  const text = (least: number, most: number) =>
    Array.from({ length: random.between(least, most) }, () => random.oneOf(CHARACTERS)).join('');
  let all: DomainState[];

  beforeAll(async () => {
    const ids = new RandomIds();
    const clock = new MovableClock();
    const unitOfWork = new SqlUnitOfWork(database(), ids, clock, clock);
    const names = new Set<string>();
    while (names.size < DOMAINS) {
      const name = toAsciiName(`${text(1, 8)}.${random.oneOf(['com', 'net', 'co.uk'])}`);
      if (name !== undefined && /^[a-z0-9]/.test(name)) names.add(name);
    }
    all = [...names].flatMap((name) => {
      const state = (status: DomainStatus): DomainState =>
        aDomain({
          id: ids.next('dom'),
          accountId: ACCOUNT,
          name,
          status,
          createdAt: new Date(random.between(0, 20)),
          expiresAt: new Date(random.between(0, 20)),
          autoRenew: random.oneOf([true, false]),
          nameservers: random.oneOf([
            ['ns1.example.net', 'ns2.example.net'],
            ['ns2.example.net', 'ns1.example.net'],
            ['a.example', 'b.example'],
          ]),
          tags: ['rare', 'often', 'ünïcode:x'].filter((tag) => random.between(0, tag === 'rare' ? 9 : 1) === 0),
        }).toState();
      const status = random.oneOf<DomainStatus>(['active', 'active', 'expired', 'gone']);
      // A name that the account has had before.
      return random.between(0, 9) === 0 ? [state('transferred_out'), state(status)] : [state(status)];
    });
    await unitOfWork.run(async ({ accounts, domains }) => {
      await accounts.add(openAccount(ACCOUNT, 'An account', clock.now()));
      for (const state of all) await domains.add(aDomain(state));
    });
    const reports = all.flatMap(({ id }) => {
      const state = healthOf(id);
      return state
        ? [{ domainId: id, report: reportOf(clock.now(), [checkOf('spf', { state, summary: '' })], []) }]
        : [];
    });
    await unitOfWork.run(({ health }) => health.save(reports));
    const prices = all.flatMap(({ id }) => {
      const minor = priceOf(id);
      const price = { minor: minor ?? 0, currency: 'EUR' };
      return [{ domainId: id, price: minor === undefined ? null : price, checkedAt: clock.now() }];
    });
    await new SqlRenewalPrices(database()).save(ACCOUNT, prices);
  });

  const matching = (part: string, status: DomainStatus | undefined) =>
    all.filter(
      (domain) =>
        domain.status !== 'gone' &&
        (status === undefined || domain.status === status) &&
        (domain.name.includes(part) || toUnicodeName(domain.name)?.includes(part) === true),
    );
  /** Of one to six characters, most of them of names that exist. */
  function somePart(): string {
    if (random.between(0, 5) === 0) return text(1, 5);
    const { name } = random.oneOf(all as [DomainState]);
    const form = Array.from(random.between(0, 1) === 0 ? name : (toUnicodeName(name) ?? name));
    const start = random.between(0, form.length - 1);
    return form.slice(start, start + random.between(1, 6)).join('');
  }

  it.each([
    ['few names contain the part', SEARCH_LIMITS],
    ['many names contain the part', { fewNames: 1, comparedNames: 1_000 }],
    ['many names contain the part, far down in the list', { fewNames: 3, comparedNames: 5 }],
  ])(
    'finds by part of the name the domains in each order that a comparison with every name finds, if %s',
    async (_which, limits) => {
      const queries = new SqlDomainQueries(database(), limits);
      const reader = new SqlDomainReader(database(), limits);

      for (let round = 0; round < 40; round += 1) {
        const nameContains = somePart();
        const status = random.oneOf<DomainStatus | undefined>([undefined, undefined, 'active', 'expired']);
        const order = random.oneOf(DOMAIN_ORDERS);
        const descending = random.oneOf([true, false]);
        const sorted = matching(nameContains, status).toSorted(
          (left, right) =>
            (compare(VALUES[order](left), VALUES[order](right)) || compare(left.id, right.id)) * (descending ? -1 : 1),
        );
        const oldestFirst = matching(nameContains, status).toSorted(
          (left, right) => compare(left.createdAt.getTime(), right.createdAt.getTime()) || compare(left.id, right.id),
        );

        const list = { nameContains, status, order, descending };
        expect({
          list,
          ids: await idsOf<SortedPosition>((after) => queries.page(ACCOUNT, list, PAGE, after)),
        }).toEqual({ list, ids: sorted.map(({ id }) => id) });
        expect(
          await idsOf<ListPosition>((after) => reader.page(ACCOUNT, { nameContains, status }, PAGE, after)),
        ).toEqual(oldestFirst.map(({ id }) => id));
      }
    },
  );

  const CONDITIONS: readonly [TermCondition, ...TermCondition[]] = [
    { anyOf: ['tag:rare'] },
    { anyOf: ['tag:often'] },
    { anyOf: ['tag:often'], not: true },
    { anyOf: ['tag:rare', 'tag:often'] },
    { anyOf: ['renew:off'] },
    { anyOf: ['renew:off'], not: true },
    { anyOf: ['tld:com', 'tld:net'] },
    { anyOf: ['tld:org'] },
  ];

  it.each([
    ['few domains have a term', SEARCH_LIMITS],
    ['many domains have each term', { fewNames: 1, comparedNames: 1_000 }],
    ['many domains have each term, far down in the list', { fewNames: 3, comparedNames: 5 }],
  ])('finds by terms the domains in each order that a comparison with all finds, if %s', async (_which, limits) => {
    const queries = new SqlDomainQueries(database(), limits);

    for (let round = 0; round < 40; round += 1) {
      const terms = Array.from({ length: random.between(1, 3) }, () => random.oneOf(CONDITIONS));
      const status = random.oneOf<DomainStatus | undefined>([undefined, undefined, 'active', 'expired']);
      const expiresBefore = random.oneOf([undefined, undefined, new Date(random.between(0, 20))]);
      const order = random.oneOf(['name', 'name', ...DOMAIN_ORDERS] as const);
      const descending = random.oneOf([true, false]);
      const sorted = matching('', status)
        .filter((domain) => {
          const has = new Set(termsOf(domain));
          return (
            terms.every(({ anyOf, not = false }) => anyOf.some((term) => has.has(term)) !== not) &&
            (!expiresBefore || domain.expiresAt < expiresBefore)
          );
        })
        .toSorted(
          (left, right) =>
            (compare(VALUES[order](left), VALUES[order](right)) || compare(left.id, right.id)) * (descending ? -1 : 1),
        );

      const list = { terms, status, expiresBefore, order, descending };
      expect({
        list,
        ids: await idsOf<SortedPosition>((after) => queries.page(ACCOUNT, list, PAGE, after)),
      }).toEqual({ list, ids: sorted.map(({ id }) => id) });
      // Undefined if counting would read too many domains.
      expect([sorted.length, undefined]).toContain(await queries.count(ACCOUNT, list, DOMAINS * 2));
    }
  });
});

const VALUES: Readonly<Record<DomainOrder, (domain: DomainState) => string | number>> = {
  name: ({ name }) => name,
  status: ({ status }) => status,
  expiry: ({ expiresAt }) => expiresAt.getTime(),
  auto_renewal: ({ autoRenew }) => Number(autoRenew),
  transfer_lock: ({ transferLocked }) => Number(transferLocked),
  nameservers: ({ nameservers }) => nameservers[0] ?? '',
  tags: ({ tags }) => tags[0] ?? '',
  health: ({ id }) => digest(id, 5),
  price: ({ id }) => priceOf(id) ?? -1,
};

/** Of four in five domains. */
function healthOf(id: string): HealthState | undefined {
  return HEALTH_STATES[digest(id, 5)];
}

function priceOf(id: string): number | undefined {
  return [900, 1_200, 1_200, undefined][digest(id, 4)];
}

function digest(id: string, count: number): number {
  return Array.from(id).reduce((sum, character) => sum + character.charCodeAt(0), 0) % count;
}

function compare(left: string | number, right: string | number): number {
  return left < right ? -1 : Number(left > right);
}

async function idsOf<P>(read: (after?: P) => Promise<Page<{ readonly id: string }, P>>): Promise<string[]> {
  const found: string[] = [];
  let after: P | undefined;
  do {
    const { items, next } = await read(after);
    found.push(...items.map(({ id }) => id));
    after = next;
  } while (after);
  return found;
}
