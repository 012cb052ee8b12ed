// The baseline: bare Express and the raw driver run the service's SQL on the same schema and send the same response. It
// validates nothing, and lacks the service's Express prototype optimization (docs/decisions/0011).
import express from 'express';
import { randomUUID } from 'node:crypto';

const { key, domain, owned, records, addRecord } = await (process.env.DATABASE_URL?.startsWith('sqlite:')
  ? import('./baseline-sqlite.mjs')
  : import('./baseline-mysql.mjs'));

const DAY_MS = 86_400_000;
const iso = (millis) => new Date(millis).toISOString();
const keyIdOf = (req) => req.headers.authorization.slice('Bearer nw_live_'.length).split('.')[0];

function presentRecord({ id, type, name, content, ttl, priority, created_at, updated_at }) {
  return { id, type, name, content, ttl, priority, created_at: iso(created_at), updated_at: iso(updated_at) };
}

function presentDomain({
  id,
  name,
  status,
  expires_at,
  auto_renew,
  transfer_locked,
  nameservers,
  registrant,
  created_at,
  updated_at,
  registrar_renews,
  kept_zone,
  tags,
}) {
  const { firstName, lastName, email, phone, organization, address } = JSON.parse(registrant);
  const contacts = { registrant: { first_name: firstName, last_name: lastName, email, phone, organization, address } };
  const lifecycle = {
    renewable_until: iso(expires_at + 30 * DAY_MS),
    redemption_ends_at: null,
    deletes_at: null,
    transfer_locked_until: null,
    deletion_due_at: null,
  };
  return {
    id,
    name,
    status,
    expires_at: iso(expires_at),
    auto_renew: auto_renew === 1,
    transfer_locked: transfer_locked === 1,
    nameservers: JSON.parse(nameservers),
    contacts,
    tags: tags === null ? [] : JSON.parse(tags),
    created_at: iso(created_at),
    updated_at: iso(updated_at),
    renewed_by: registrar_renews === 1 ? 'registrar' : 'service',
    keep_zone: kept_zone !== null,
    transfer_out: null,
    lifecycle,
  };
}

/** Express 5 handles rejections of async handlers. */
const handlers = {
  readDomain: async (req, res) => {
    const { account_id } = await key(keyIdOf(req));
    res.json(presentDomain(await domain(req.params.id, account_id)));
  },
  listRecords: async (req, res) => {
    const { account_id } = await key(keyIdOf(req));
    await owned(req.params.id, account_id);
    res.json((await records(req.params.id)).map(presentRecord));
  },
  addRecord: async (req, res) => {
    const caller = await key(keyIdOf(req));
    const domainRow = await domain(req.params.id, caller.account_id);
    const now = Date.now();
    const id = `rec_${randomUUID()}`;
    const record = {
      id,
      domain_id: req.params.id,
      ...req.body,
      ttl: 3600,
      priority: null,
      weight: null,
      port: null,
      identity_digest: id,
      created_at: now,
      updated_at: now,
    };
    await addRecord(record, domainRow, caller);
    res.status(201).json(presentRecord(record));
  },
};

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.get('/readyz', (_req, res) => {
  res.json({ status: 'ready' });
});
app.get('/api/domains/:id', handlers.readDomain);
app.get('/api/domains/:id/dns/records', handlers.listRecords);
app.post('/api/domains/:id/dns/records', express.json(), handlers.addRecord);
app.listen(Number(process.env.PORT), '127.0.0.1');
