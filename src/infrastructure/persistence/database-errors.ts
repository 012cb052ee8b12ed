import { QueryFailedError } from 'typeorm';

const DUPLICATES: ReadonlySet<string> = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
/** Nothing was committed, and trying again is likely to work. */
const DEADLOCKS: ReadonlySet<string> = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT']);
const CONNECTION_LOSSES: ReadonlySet<string> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_CON_COUNT_ERROR',
  'POOL_CLOSED',
]);

export function isDuplicate(error: unknown): boolean {
  return DUPLICATES.has(codeOf(error));
}

export function isDeadlock(error: unknown): boolean {
  return DEADLOCKS.has(codeOf(error));
}

export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOSSES.has(codeOf(error));
}

/** By its shape: a driver's error class may come from another realm than ours, where `instanceof Error` is false. */
function codeOf(error: unknown): string {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof source === 'object' && source !== null && 'code' in source && typeof source.code === 'string' ? source.code : '';
}
