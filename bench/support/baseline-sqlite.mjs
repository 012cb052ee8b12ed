import Database from 'better-sqlite3';
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

const database = new Database((process.env.DATABASE_URL ?? '').slice('sqlite:'.length));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');

/** @type {import('better-sqlite3').Statement<unknown[], any>[]} */
const [keys, domains, owners, lists, zones, neighbors, insert, raise, keep, audit] = [
  KEY,
  DOMAIN,
  OWNED,
  RECORDS,
  ZONE,
  NEIGHBORS,
  INSERT,
  RAISE,
  KEEP,
  AUDIT,
].map((sql) => database.prepare(sql));

export const key = (id) => keys.get(id);
export const domain = (id, accountId) => domains.get(id, accountId);
export const owned = (id, accountId) => owners.get(id, accountId);
export const records = (domainId) => lists.all(domainId);

const add = database.transaction((record, domainRow, caller) => {
  const { version, record_count } = zones.get(record.domain_id);
  neighbors.all(record.domain_id, record.name);
  insert.run(...insertValues(record));
  raise.run(version + 1, record_count + 1, record.created_at, record.domain_id);
  keep.run(...keepValues(record, version + 1, caller));
  audit.run(...auditValues(record, domainRow, caller));
});
export const addRecord = (record, domainRow, caller) => add.immediate(record, domainRow, caller);
