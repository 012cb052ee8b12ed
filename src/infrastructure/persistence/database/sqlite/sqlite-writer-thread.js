// @ts-check
/**
 * Runs in a worker thread and owns the connection that writes to a SQLite file. It knows SQL and parameters only.
 * Plain JavaScript, so that Node can load it from `src` under jest as well as from `dist`.
 */
const { parentPort } = require('node:worker_threads');
const Sqlite = require('better-sqlite3');

const PREPARED_AT_MOST = 500;
const CHANGES_SCHEMA = /^\s*(ALTER|CREATE|DROP)\b/i;

/** @typedef {{ readonly statement: Sqlite.Statement, readonly columns: readonly string[] | undefined }} Prepared */

/** @type {Sqlite.Database} */
let database;
/** @type {Map<string, Prepared>} */
const prepared = new Map();
/** Why the transaction could not begin, or was rolled back by SQLite itself. @type {Error | undefined} */
let refusal;
/** Changes when another connection commits. @type {unknown} */
let dataVersion;

/** @type {Readonly<Record<string, (request: import('./sqlite-connections').WriterRequest) => unknown>>} */
const commands = {
  open({ sql: file, parameters: [timeout, ...pragmas] }) {
    database = new Sqlite(file, { timeout: Number(timeout) });
    for (const pragma of pragmas) database.pragma(String(pragma));
    dataVersion = database.pragma('data_version', { simple: true });
  },
  pragma: ({ sql }) => void database.pragma(sql),
  // Immediate, because a transaction that reads before it writes fails at once while another process writes.
  begin({ parameters: [isSpeculative] }) {
    refusal = undefined;
    attempt(() => {
      database.exec('BEGIN IMMEDIATE');
      const known = dataVersion;
      dataVersion = database.pragma('data_version', { simple: true });
      if (!isSpeculative || dataVersion === known) return;
      database.exec('ROLLBACK');
      throw Object.assign(new Error('another process has changed the database'), { code: 'SQLITE_STALE' });
    });
  },
  run({ sql, parameters }) {
    if (refusal) throw refusal;
    const { statement, columns } = prepare(sql);
    return attempt(() => {
      if (columns) return { columns, rows: statement.all(...parameters) };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { changes, lastInsertRowid };
    });
  },
  commit() {
    if (refusal) throw refusal;
    try {
      database.exec('COMMIT');
    } catch (error) {
      rollBack();
      throw error;
    }
  },
  rollback: rollBack,
  close: () => void database.close(),
};

/**
 * The sender does not wait until a transaction has begun, and SQLite itself ends one when the disk is full: the statements
 * that follow are refused, so that none is committed alone.
 * @template T @param {() => T} work @returns {T}
 */
function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (!database.inTransaction) refusal = /** @type {Error} */ (error);
    throw error;
  }
}

function rollBack() {
  refusal = undefined;
  if (database.inTransaction) database.exec('ROLLBACK');
}

/** @param {string} sql @returns {Prepared} */
function prepare(sql) {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size === PREPARED_AT_MOST || CHANGES_SCHEMA.test(sql)) prepared.clear();
  const statement = database.prepare(sql);
  const entry = {
    statement,
    columns: statement.reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : undefined,
  };
  prepared.set(sql, entry);
  return entry;
}

/** @param {unknown} error */
function described(error) {
  const { message, code } = /** @type {{ message?: unknown, code?: unknown }} */ (error);
  return { message: String(message ?? error), code: typeof code === 'string' ? code : undefined };
}

/** @param {import('./sqlite-connections').WriterRequest} request @returns {import('./sqlite-connections').WriterResponse} */
function respond(request) {
  try {
    return { result: commands[request.command]?.(request) };
  } catch (error) {
    return { error: described(error) };
  }
}

parentPort?.on('message', (/** @type {readonly import('./sqlite-connections').WriterRequest[]} */ requests) => {
  /** @type {import('./sqlite-connections').WriterResponse[]} */
  let responses = [];
  for (const request of requests) {
    responses.push(respond(request));
    // What comes after a commit is another transaction, which may have to wait.
    if (request.command !== 'commit') continue;
    parentPort?.postMessage(responses);
    responses = [];
  }
  if (responses.length > 0) parentPort?.postMessage(responses);
});
