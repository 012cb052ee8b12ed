// The floor: bare Express and the raw driver, doing the same SQL on the same schema for the same answer.
import Database from 'better-sqlite3';
import express from 'express';
import { randomUUID } from 'node:crypto';

const database = new Database(process.env.BENCH_DATABASE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');

const KEY = database.prepare('SELECT key_id, account_id, name, scope, secret_digest, created_at, revoked_at FROM api_keys WHERE key_id = ?');
const DOMAIN = database.prepare("SELECT id, account_id, name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at FROM domains WHERE id = ? AND account_id = ? AND status <> 'gone'");
const RECORDS = database.prepare('SELECT id, name, type, content, ttl, priority, weight, port, created_at, updated_at FROM dns_records WHERE domain_id = ? ORDER BY created_at, id LIMIT 500');
const ZONE = database.prepare('SELECT version, record_count FROM zones WHERE domain_id = ?');
const NEIGHBOURS = database.prepare('SELECT id, name, type, content, ttl, priority, weight, port, created_at, updated_at FROM dns_records WHERE domain_id = ? AND name IN (?) ORDER BY created_at, id');
const INSERT = database.prepare('INSERT INTO dns_records (id, domain_id, name, type, content, ttl, priority, weight, port, identity_digest, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
const AUDIT = database.prepare("INSERT INTO audit_log (id, account_id, happened_at, actor, action, domain_id, domain_name, subject, facts_before, facts_after) VALUES (?, ?, ?, ?, 'records.added', ?, ?, NULL, '{}', ?)");
const RAISE = database.prepare('UPDATE zones SET version = ?, record_count = ? WHERE domain_id = ?');

const iso = (millis) => new Date(millis).toISOString();
const shownRecord = (r) => ({ id: r.id, type: r.type, name: r.name, content: r.content, ttl: r.ttl, priority: r.priority, created_at: iso(r.created_at), updated_at: iso(r.updated_at) });
const callerOf = (req) => KEY.get(req.headers.authorization.slice('Bearer nw_live_'.length).split('.')[0]);

const app = express();
app.get('/api/domains/:id', (req, res) => {
  const d = DOMAIN.get(req.params.id, callerOf(req).account_id);
  const { firstName, lastName, email, phone, organization, address } = JSON.parse(d.registrant);
  const registrant = { first_name: firstName, last_name: lastName, email, phone, organization, address };
  res.json({ id: d.id, name: d.name, status: d.status, expires_at: iso(d.expires_at), auto_renew: d.auto_renew === 1, transfer_locked: d.transfer_locked === 1, nameservers: JSON.parse(d.nameservers), contacts: { registrant }, created_at: iso(d.created_at), updated_at: iso(d.updated_at) });
});
app.get('/api/domains/:id/dns/records', (req, res) => {
  DOMAIN.get(req.params.id, callerOf(req).account_id);
  res.json(RECORDS.all(req.params.id).map(shownRecord));
});
app.post('/api/domains/:id/dns/records', express.json(), (req, res) => {
  const caller = callerOf(req);
  const domain = DOMAIN.get(req.params.id, caller.account_id);
  const id = randomUUID();
  const now = Date.now();
  const { type, name, content } = req.body;
  database.transaction(() => {
    const zone = ZONE.get(req.params.id);
    NEIGHBOURS.all(req.params.id, name);
    INSERT.run(id, req.params.id, name, type, content, 3600, null, null, null, id, now, now);
    RAISE.run(zone.version + 1, zone.record_count + 1, req.params.id);
    AUDIT.run(id, caller.account_id, now, `key:${caller.key_id}`, domain.id, domain.name, JSON.stringify({ records: [`${name} 3600 ${type} ${content}`] }));
  }).immediate();
  res.status(201).json(shownRecord({ id, type, name, content, ttl: 3600, priority: null, created_at: now, updated_at: now }));
});
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('floor ready\n'));
