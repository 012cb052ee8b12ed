import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import type { AssertChange, RehearsedChange, Rehearsals, Stores } from '../../application/ports/storage/unit-of-work';
import type { BulkItem, BulkJob } from '../../domain/portfolio/bulk-job';
import type { Operation } from '../../domain/registration/operations/operation';
import type { Transfer } from '../../domain/registration/transfers/transfer';

/** Thrown within a transaction, which is rolled back by it. */
class RehearsalEnded extends Error {
  constructor(readonly change: RehearsedChange) {
    super('The rehearsal has ended');
  }
}

class RolledBack extends Error {
  constructor(readonly result: unknown) {
    super('A rehearsal rolls back all of its transactions');
  }
}

class Rehearsal {
  /** What began within it may go on after it, and is no part of it then. */
  isOver = false;

  /** Runs the work of a transaction. @throws RehearsalEnded, RolledBack */
  async run<T>(manager: EntityManager, stores: Stores, work: (stores: Stores) => Promise<T>): Promise<T> {
    const writes = countWrites(manager);
    const change = emptyChange();
    const recording = telling(stores, change, { isStored: false });
    const result = await work(recording);
    // After any write the use case would act on what is stored, which is nothing.
    if (writes() + sizeOf(change) > 0) throw new RehearsalEnded(change);
    throw new RolledBack(result);
  }

  /** What the work of a transaction returned that stored nothing to tell of. */
  async resultOf<T>(transaction: Promise<T>): Promise<T> {
    try {
      return await transaction;
    } catch (error) {
      if (error instanceof RolledBack) return error.result as T;
      throw error;
    }
  }
}

/** Counts the statements of the transaction from now on that are no reads. */
function countWrites({ queryRunner }: EntityManager): () => number {
  let writes = 0;
  if (!queryRunner) return () => writes;
  const query = queryRunner.query.bind(queryRunner) as (sql: string, ...rest: unknown[]) => Promise<unknown>;
  const counting = async (sql: string, ...rest: unknown[]) => {
    if (!READS.test(sql)) writes += 1;
    return query(sql, ...rest);
  };
  Object.defineProperty(queryRunner, 'query', { value: counting, configurable: true });
  return () => writes;
}

const READS = /^\s*(SELECT|WITH)\b/i;

type Change = { -readonly [K in keyof RehearsedChange]: RehearsedChange[K][number][] };

function emptyChange(): Change {
  return { facts: [], operations: [], transfers: [], bulkSteps: [] };
}

function sizeOf({ facts, operations, transfers }: RehearsedChange): number {
  return facts.length + operations.length + transfers.length;
}

/** The stores, which write down what they are to store. */
function telling(stores: Stores, change: Change, { isStored }: { readonly isStored: boolean }): Stores {
  const { audit, operations, transfers, bulkJobs } = stores;
  return Object.create(stores, {
    audit: {
      value: {
        append: async (...facts: RehearsedChange['facts']) => {
          change.facts.push(...facts);
          if (isStored) await audit.append(...facts);
        },
      } satisfies Stores['audit'],
    },
    operations: {
      value: adding(operations, async (added: Operation) => {
        change.operations.push(added.toState());
        if (isStored) await operations.add(added);
      }),
    },
    transfers: {
      value: adding(transfers, async (added: Transfer) => {
        change.transfers.push(added.toState());
        if (isStored) await transfers.add(added);
      }),
    },
    bulkJobs: {
      value: adding(bulkJobs, async (job: BulkJob, items: readonly BulkItem[]) => {
        change.bulkSteps.push(
          ...items.map(({ domainId, name, ownAction }) => ({ domainId, name, step: ownAction ?? job.action })),
        );
        if (isStored) await bulkJobs.add(job, items);
      }),
    },
  }) as Stores;
}

/** The repository with another `add`. */
function adding<R extends { readonly add: (...given: never[]) => Promise<void> }>(repository: R, add: R['add']): R {
  return Object.create(repository, { add: { value: add } }) as R;
}

/** Judges the first transaction that writes. */
class Guard {
  /** Also once a transaction has been judged. */
  isOver = false;
  private hasWritten = false;

  constructor(private readonly assert: AssertChange) {}

  async run<T>(manager: EntityManager, stores: Stores, work: (stores: Stores) => Promise<T>): Promise<T> {
    const writes = countWrites(manager);
    const change = emptyChange();
    const result = await work(telling(stores, change, { isStored: true }));
    this.hasWritten = writes() > 0;
    if (this.hasWritten) await this.assert(change, stores);
    return result;
  }

  /** Only now, because the database may run a transaction again before it is committed. */
  async resultOf<T>(transaction: Promise<T>): Promise<T> {
    const result = await transaction;
    this.isOver ||= this.hasWritten;
    return result;
  }
}

/** Rehearsals in transactions that are rolled back. */
export class RolledBackRehearsals implements Rehearsals {
  private readonly rehearsals = new AsyncLocalStorage<Rehearsal | Guard>();

  /** That of the present asynchronous context. */
  current(): Rehearsal | Guard | undefined {
    const rehearsal = this.rehearsals.getStore();
    return rehearsal?.isOver ? undefined : rehearsal;
  }

  async rehearse(work: () => Promise<unknown>): Promise<RehearsedChange | undefined> {
    const rehearsal = new Rehearsal();
    try {
      await this.rehearsals.run(rehearsal, work);
      return undefined;
    } catch (error) {
      if (error instanceof RehearsalEnded) return error.change;
      throw error;
    } finally {
      rehearsal.isOver = true;
    }
  }

  async guard<T>(work: () => Promise<T>, assert: AssertChange): Promise<T> {
    const guard = new Guard(assert);
    try {
      return await this.rehearsals.run(guard, work);
    } finally {
      guard.isOver = true;
    }
  }
}
