import { openAccount } from '../../../src/domain/access/account';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { RolledBackRehearsals } from '../../../src/infrastructure/persistence/rolled-back-rehearsals';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

onEachDatabase('a rehearsal', (database) => {
  const clock = new MovableClock();
  const ids = new RandomIds();
  const rehearsals = new RolledBackRehearsals();
  const added = (id: string) => openAccount(id, id, clock.now());
  let unitOfWork: SqlUnitOfWork;
  beforeAll(() => {
    unitOfWork = new SqlUnitOfWork(database(), ids, clock, clock, ...NO_SIGNALS, rehearsals);
  });
  const isStored = async (id: string) =>
    (await database().query('SELECT id FROM accounts WHERE id = ?', [id])).length === 1;
  const readName = () => unitOfWork.run(({ domains }) => domains.lockByName(DomainName.fromState('unknown.com')));

  it('ends at the first write, also at one that it has nothing to tell of, and undoes it', async () => {
    const steps: string[] = [];

    const change = await rehearsals.rehearse(async () => {
      if ((await readName()) === undefined) steps.push('found no such name');
      await unitOfWork.run(({ accounts }) => accounts.add(added('acc_rehearsed')));
      steps.push('woke what acts on the write');
    });

    expect(change).toEqual({ facts: [], operations: [], transfers: [], bulkSteps: [] });
    expect(steps).toEqual(['found no such name']);
    expect(await isStored('acc_rehearsed')).toBe(false);
  });

  it('has no part in what goes on after it', async () => {
    let later: Promise<void> = Promise.resolve();
    const end = new AbortController();
    const isOver = new Promise((resolve) => end.signal.addEventListener('abort', resolve));

    await rehearsals.rehearse(async () => {
      later = isOver.then(() => unitOfWork.run(({ accounts }) => accounts.add(added('acc_later'))));
    });
    end.abort();
    await later;

    expect(await isStored('acc_later')).toBe(true);
  });
});

const NO_SIGNALS = [undefined, undefined, undefined, undefined] as const;
