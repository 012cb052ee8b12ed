import type { DatabaseConfig } from '../config/database-values';
import type { LimitsStore } from '../infrastructure/limits/limits-store';
import { breakerInStore, reserveInStore } from '../infrastructure/limits/stored-registry-calls';
import type { Database } from '../infrastructure/persistence/database/database';
import { reserveInDatabase } from '../infrastructure/persistence/registration/sql-call-reservations';
import type { SharedCalls } from '../infrastructure/registry/routing/registry-guard';
import type { ReserveCalls } from '../infrastructure/registry/routing/shared-call-rate';

/** What processes share about a registry: in the limits store, in MySQL without it or while it is away; nothing with SQLite, which has one process. */
export function sharedCallsOf(
  { kind }: DatabaseConfig,
  database: Database,
  store: LimitsStore | undefined,
): (registry: string) => SharedCalls {
  const inDatabase = kind === 'mysql' ? reserveInDatabase(database) : undefined;
  const inStore = store && reserveInStore(store);
  const reserve = inStore && inDatabase ? either(inStore, inDatabase) : (inStore ?? inDatabase);
  return (registry) => ({
    ...(reserve && { reserve }),
    ...(store && { breaker: breakerInStore(store, registry) }),
  });
}

function either(first: ReserveCalls, second: ReserveCalls): ReserveCalls {
  return (...call) => first(...call).catch(() => second(...call));
}
