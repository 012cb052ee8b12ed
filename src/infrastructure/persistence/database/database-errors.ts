import { QueryFailedError } from 'typeorm';

const DUPLICATES: ReadonlySet<string> = new Set([
  'ER_DUP_ENTRY',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);
/** Nothing was committed, and trying again is likely to work. */
const DEADLOCKS: ReadonlySet<string> = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);
const UNANSWERED = 'PROTOCOL_SEQUENCE_TIMEOUT';
const CONNECTION_LOSSES: ReadonlySet<string> = new Set([
  UNANSWERED,
  'SQLITE_THREAD_LOST',
  'PROTOCOL_CONNECTION_LOST',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  // A fail-over in progress: the server that we talk to takes no writes, or none any longer.
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  // A Galera node without the majority of its cluster ("WSREP has not yet prepared node for application use").
  'ER_UNKNOWN_COM_ERROR',
]);

/** The disk is full or fails, or the server refuses a statement of that size; the transaction is rolled back. */
const DISK_FAILURES: ReadonlySet<string> = new Set([
  'ER_NET_PACKET_TOO_LARGE',
  'ER_DISK_FULL',
  'ER_ERROR_DURING_COMMIT',
  'ER_ERROR_ON_WRITE',
  'ER_GET_ERRNO',
  'ER_RECORD_FILE_FULL',
  'ER_TEMP_FILE_WRITE_FAILURE',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
]);

export function isDuplicate(error: unknown): boolean {
  return DUPLICATES.has(codeOf(error));
}

/** Returns whether `insert` wrote a row; false if its key exists. */
export async function wasNew(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

export function isDeadlock(error: unknown): boolean {
  return DEADLOCKS.has(codeOf(error));
}

export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOSSES.has(codeOf(error)) || isFatal(error);
}

export function isDiskFailure(error: unknown): boolean {
  const code = codeOf(error);
  return DISK_FAILURES.has(code) || code.startsWith('SQLITE_IOERR');
}

/** The statement has been sent, and its result may still arrive. */
export function isUnanswered(error: unknown): boolean {
  return codeOf(error) === UNANSWERED;
}

/** The message of mysql2 for every lost connection; statements on a closed connection fail with it and without a code. */
function isFatal(error: unknown): boolean {
  const source = sourceOf(error);
  return typeof source === 'object' && source !== null && 'fatal' in source && source.fatal === true;
}

/** Checks the shape, because `instanceof Error` is false for driver errors of another realm. */
export function codeOf(error: unknown): string {
  const source = sourceOf(error);
  return typeof source === 'object' && source !== null && 'code' in source && typeof source.code === 'string'
    ? source.code
    : '';
}

function sourceOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}
