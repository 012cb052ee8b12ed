import { codeOf, isConnectionLoss } from '../database-errors';

/** Errors of a server that refuses the connection. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['ER_ACCESS_DENIED_ERROR', 'rejects the user name or the password'],
  ['ER_DBACCESS_DENIED_ERROR', 'denies the user access to the database'],
  ['HANDSHAKE_SSL_ERROR', 'fails the TLS handshake: its certificate does not verify, or no TLS version is shared'],
  ['HANDSHAKE_NO_SSL_SUPPORT', 'does not offer TLS'],
  ['ER_BAD_DB_ERROR', 'has no such database'],
  ['ER_CON_COUNT_ERROR', 'has too many connections'],
  ['ER_TOO_MANY_USER_CONNECTIONS', 'has too many connections of the user'],
]);
const DEFAULT_PORT = '3306';

/** Returns the result of `connection`. Its error names the server for the operator, but neither user nor password. */
export async function connectingTo<T>(url: string, connection: Promise<T>): Promise<T> {
  try {
    return await connection;
  } catch (error) {
    const code = codeOf(error);
    const problem = REFUSALS.get(code) ?? (isConnectionLoss(error) ? 'cannot be reached' : undefined);
    if (problem === undefined) throw error;
    const { hostname, port } = new URL(url);
    throw new Error(
      `MySQL at ${hostname}:${port || DEFAULT_PORT} ${problem}${code && ` (${code})`}: see DATABASE_URL`,
      { cause: error },
    );
  }
}
