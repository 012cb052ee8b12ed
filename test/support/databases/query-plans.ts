import type { Database, Queries } from '../../../src/infrastructure/persistence/database/database';

/** SQLite describes a step in a sentence, MySQL in columns. */
export interface PlanRow {
  readonly detail?: string;
  readonly table?: string | null;
  readonly key?: string;
  readonly key_len?: string;
  readonly possible_keys?: string;
  readonly type?: string;
  readonly Extra?: string;
}

/** Of the counts that decide how a list is read. */
const COUNTS_OF_OTHERS = 'SUM(amount) AS amount FROM domain_counts WHERE account_id = ? AND status IN';

/** The plans of the queries that `read` sends, but that one. Each query also runs, because the next may depend on its result. */
export async function queryPlans(
  database: Database,
  read: (queries: Queries) => Promise<unknown>,
): Promise<readonly PlanRow[]> {
  const explain = database.forUpdate === '' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
  const plans: PlanRow[] = [];
  await read({
    query: async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
      if (!sql.includes(COUNTS_OF_OTHERS))
        plans.push(...(await database.query<PlanRow>(`${explain} ${sql}`, parameters)));
      return database.query<T>(sql, parameters);
    },
  });
  return plans;
}
