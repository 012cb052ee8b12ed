import { once } from 'node:events';
import { openAccount } from '../../../src/domain/access/account';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { DomainUnavailable } from '../../../src/domain/registration/registration-errors';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { aDomain, inStatus } from '../../support/data/a-domain';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';
import { MovableClock } from '../../support/fakes/movable-clock';
import { SequentialIds } from '../../support/fakes/sequential-ids';

const NAME = DomainName.fromState('wanted.com');
const clock = new MovableClock();

describeOrSkip(MYSQL_MISSING)('two transactions that found a name free, on MySQL', () => {
  let mysql: MysqlServer;
  let database: Database;
  let unitOfWork: SqlUnitOfWork;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  beforeEach(async () => {
    database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await database.open();
    unitOfWork = new SqlUnitOfWork(database, new SequentialIds(), clock, clock);
    await unitOfWork.run(async ({ accounts }) => {
      for (const id of ['acc_1', 'acc_2']) await accounts.add(openAccount(id, id, clock.now()));
    });
  });
  afterEach(() => database.close());
  afterAll(() => mysql.stop());

  /** Finds the name free, and adds it when told to. Resolves after the look-up. */
  const findFree = async (id: string, status: DomainStatus, accountId = id === 'dom_1' ? 'acc_1' : 'acc_2') => {
    const start = new AbortController();
    const mayAdd = once(start.signal, 'abort');
    let added: Promise<void> = Promise.resolve();
    await new Promise<void>((found) => {
      added = unitOfWork.run(async ({ domains }) => {
        if (await domains.lockByName(NAME)) throw new DomainUnavailable();
        found();
        await mayAdd;
        await domains.add(aDomain({ id, accountId, name: NAME.value, status }));
      }, accountId);
    });
    return {
      add: async () => {
        start.abort();
        await added;
      },
    };
  };

  const activate = (id: string) =>
    unitOfWork.run(async ({ domains }) => {
      const domain = await domains.lockAny(id);
      if (domain) await domains.save(inStatus(domain, 'active'));
    });

  it('do not both register it, when the first registration has ended by the time that the second is stored', async () => {
    const [first, second] = [await findFree('dom_1', 'pending'), await findFree('dom_2', 'pending')];
    await first.add();
    await activate('dom_1');

    await expect(second.add()).rejects.toThrow(DomainUnavailable);
  });

  it.each<[DomainStatus, DomainStatus]>([
    ['pending', 'active'],
    ['active', 'pending'],
    ['pending', 'hosted'],
  ])('do not store it as %s and as %s', async (one, other) => {
    const [first, second] = [await findFree('dom_1', one), await findFree('dom_2', other)];
    await first.add();

    await expect(second.add()).rejects.toThrow(DomainUnavailable);
  });

  it('do not store a registration and a zone of one account', async () => {
    const [zone, registration] = [
      await findFree('dom_1', 'hosted', 'acc_1'),
      await findFree('dom_2', 'pending', 'acc_1'),
    ];
    await zone.add();

    await expect(registration.add()).rejects.toThrow(DomainUnavailable);
  });

  it('store one of them if they insert it at the same time', async () => {
    const [first, second] = [await findFree('dom_1', 'pending'), await findFree('dom_2', 'active')];

    const outcomes = await Promise.allSettled([first.add(), second.add()]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
