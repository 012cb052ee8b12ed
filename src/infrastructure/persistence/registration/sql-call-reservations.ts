import type { ReserveCalls } from '../../registry/routing/shared-call-rate';
import type { Database } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { CallReservationTable } from '../process-tables';

/** On the clock of the database server, which all processes share; in microseconds. */
const RESERVED = `SELECT registry, free_at, CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED) AS now_at
  FROM call_reservations WHERE registry = ? FOR UPDATE`;
const NOW = 'SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED) AS now_at';
const SECOND_MICROS = 1_000_000;
const MICROS_PER_MS = 1_000;
/** Nothing is reserved further ahead, unless the clock was set back. */
const MAX_AHEAD_MICROS = 60 * SECOND_MICROS;

/** Reserves calls to registries in a MySQL database, where several processes may call the same registry. @throws StorageUnavailable */
export function reserveInDatabase(database: Database): ReserveCalls {
  const reserve: ReserveCalls = (registry, perSecond, count) =>
    database.transaction(async (manager) => {
      const micros = Math.ceil((SECOND_MICROS / perSecond) * count);
      const [row] = await manager.query<{ free_at: number; now_at: number }[]>(RESERVED, [registry]);
      if (row) {
        const isClockSetBack = row.free_at > row.now_at + MAX_AHEAD_MICROS;
        const due = isClockSetBack ? row.now_at : Math.max(row.now_at, row.free_at);
        await manager.update(CallReservationTable, { registry }, { free_at: due + micros });
        return Math.ceil((due - row.now_at) / MICROS_PER_MS);
      }
      const [clock] = await manager.query<{ now_at: number }[]>(NOW);
      await manager.insert(CallReservationTable, { registry, free_at: (clock?.now_at ?? 0) + micros });
      return 0;
    });
  // Another process may insert the row first.
  return (...call) =>
    reserve(...call).catch((error: unknown) => (isDuplicate(error) ? reserve(...call) : Promise.reject(error)));
}
