// The service's SQL statements for the measured operations.
const RECORD = 'id, name, type, content, ttl, priority, weight, port, created_at, updated_at';

export const KEY =
  'SELECT key_id, account_id, name, scope, secret_digest, created_at, revoked_at, expires_at, last_used_at FROM api_keys WHERE key_id = ?';
export const DOMAIN =
  "SELECT id, account_id, name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, phase_ends_at, renewal_tried_at, auth_code_until, due_at, transfer_pending, transfer_requested_at, transfer_ends_at, registrar_renews, registered_at, tags, created_at, updated_at FROM domains WHERE id = ? AND account_id = ? AND status <> 'gone'";
export const OWNED =
  "SELECT z.version FROM zones z JOIN domains d ON d.id = z.domain_id WHERE z.domain_id = ? AND d.account_id = ? AND d.status <> 'gone'";
export const RECORDS = `SELECT ${RECORD} FROM dns_records WHERE domain_id = ? ORDER BY created_at, id LIMIT 500`;
export const ZONE = 'SELECT version, record_count FROM zones WHERE domain_id = ?';
export const NEIGHBORS = `SELECT ${RECORD} FROM dns_records WHERE domain_id = ? AND name IN (?)`;
export const INSERT =
  'INSERT INTO dns_records (id, domain_id, name, type, content, ttl, priority, weight, port, identity_digest, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const RAISE = 'UPDATE zones SET version = ?, record_count = ?, changed_at = ? WHERE domain_id = ?';
export const KEEP =
  'INSERT INTO zone_changes (domain_id, version, part, happened_at, actor, added, changed, removed, records) VALUES (?, ?, 0, ?, ?, 1, 0, 0, ?)';
export const AUDIT =
  "INSERT INTO audit_log (id, account_id, happened_at, actor, action, domain_id, domain_name, subject, facts_before, facts_after, retained_from) VALUES (?, ?, ?, ?, 'records.added', ?, ?, NULL, '{}', ?, 0)";

export function insertValues({
  id,
  domain_id,
  name,
  type,
  content,
  ttl,
  priority,
  weight,
  port,
  identity_digest,
  created_at,
  updated_at,
}) {
  return [id, domain_id, name, type, content, ttl, priority, weight, port, identity_digest, created_at, updated_at];
}

/** The zone history row for a new record. */
export function keepValues(record, version, caller) {
  return [record.domain_id, version, record.created_at, `key:${caller.key_id}`, JSON.stringify([[null, record]])];
}

export function auditValues(record, domain, caller) {
  return [
    record.id,
    caller.account_id,
    record.created_at,
    `key:${caller.key_id}`,
    domain.id,
    domain.name,
    JSON.stringify({ records: [`${record.name} ${record.ttl} ${record.type} ${record.content}`] }),
  ];
}
