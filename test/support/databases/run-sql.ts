import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';

/** Runs a statement on the database of a service, beside it, and returns its rows. */
export async function runSql<R>(databaseUrl: string, sql: string): Promise<readonly R[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Sqlite(databaseUrl.slice('sqlite:'.length));
    try {
      const statement = database.prepare(sql);
      return statement.reader ? (statement.all() as R[]) : (void statement.run(), []);
    } finally {
      database.close();
    }
  }
  const connection = await createConnection(databaseUrl);
  try {
    const [rows] = await connection.query(sql);
    return rows as R[];
  } finally {
    await connection.end();
  }
}
