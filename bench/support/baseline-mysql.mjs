import { createPool } from 'mysql2/promise';
import {
  AUDIT,
  auditValues,
  DOMAIN,
  insertValues,
  INSERT,
  KEEP,
  keepValues,
  KEY,
  NEIGHBORS,
  OWNED,
  RAISE,
  RECORDS,
  ZONE,
} from './baseline-statements.mjs';

const pool = createPool({
  uri: process.env.DATABASE_URL ?? '',
  charset: 'utf8mb4',
  timezone: 'Z',
  connectionLimit: 10,
});

/** @param {Pick<typeof pool, 'query'>} connection */
async function rows(sql, parameters, connection = pool) {
  const [found] = await connection.query(sql, parameters);
  return /** @type {any[]} */ (found);
}

export const key = async (id) => (await rows(KEY, [id]))[0];
export const domain = async (id, accountId) => (await rows(DOMAIN, [id, accountId]))[0];
export const owned = async (id, accountId) => (await rows(OWNED, [id, accountId]))[0];
export const records = (domainId) => rows(RECORDS, [domainId]);

export async function addRecord(record, domainRow, caller) {
  const connection = await pool.getConnection();
  await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await connection.query('START TRANSACTION');
  const [{ version, record_count }] = await rows(`${ZONE} FOR UPDATE`, [record.domain_id], connection);
  await rows(NEIGHBORS, [record.domain_id, record.name], connection);
  await connection.query(INSERT, insertValues(record));
  await connection.query(RAISE, [version + 1, record_count + 1, record.created_at, record.domain_id]);
  await connection.query(KEEP, keepValues(record, version + 1, caller));
  await connection.query(AUDIT, auditValues(record, domainRow, caller));
  await connection.query('COMMIT');
  connection.release();
}
