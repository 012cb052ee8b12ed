import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../../src/application/access/create-account';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import type { RestoreOptions } from '../../../src/container/restore-backup';
import { OPERATOR } from '../../../src/domain/access/actor';

export const KEY = Buffer.alloc(32, 1).toString('base64');
export const PLAIN: RestoreOptions = { replace: false, fix: false };

export const configFor = (url: string, secretKey = KEY) =>
  loadConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, LOG_LEVEL: 'silent' });

export async function addAccount(url: string, name: string): Promise<void> {
  const { container, close } = await createContainer(configFor(url));
  await container.get(CreateAccount).execute({ actor: OPERATOR, name });
  await close();
}

const CLOCK_TICK_MS = 10;

/** Binary logs have whole seconds, of a clock that is behind by up to ten milliseconds. */
export async function nextSecond(): Promise<Date> {
  const time = Math.floor(Date.now() / 1_000) * 1_000 + 1_000;
  while (Date.now() < time + CLOCK_TICK_MS) await sleep(10);
  return new Date(time);
}

const KINDS = ['register', 'renew', 'restore', 'set_nameservers', 'set_registrant', 'set_transfer_lock', 'delete'];

/** Statements that leave an operation of each kind unfinished, and a bulk renewal with an item that has stored one of them. */
export const UNFINISHED = [
  "INSERT INTO domains (id, account_id, name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at, due_at) VALUES ('dom_1', 'acc_1', 'gone.com', 'gone', 0, 0, 0, '[]', '{}', 0, 0, 9999999999999)",
  ...KINDS.map(
    (kind) =>
      `INSERT INTO operations (id, account_id, domain_id, request, status, attempts, transaction_id, next_attempt_at, due_at, created_at, updated_at, retained_from) VALUES ('op_${kind}', 'acc_1', 'dom_1', '{"years":1,"kind":"${kind}"}', 'queued', 1, 'op-1', 0, 0, 0, 0, 0)`,
  ),
  `INSERT INTO bulk_jobs (id, account_id, actor, action, total, created_at, updated_at) VALUES ('job_1', 'acc_1', 'service', '{"kind":"renewal","years":1}', 2, 0, 0)`,
  ...['renew', 'none'].map(
    (id) =>
      `INSERT INTO bulk_items (job_id, domain_id, name, operation_id, undoable, state, attempts) VALUES ('job_1', 'dom_${id}', 'gone.com', 'op_${id}', 0, 'waiting', 0)`,
  ),
];

export const STATES = 'SELECT id, status FROM operations UNION SELECT domain_id, state FROM bulk_items ORDER BY id';

export const STATES_RESTORED = [
  ['dom_none', 'failed'],
  ['dom_renew', 'waiting'],
  ['op_delete', 'failed'],
  ['op_register', 'uncertain'],
  ['op_renew', 'uncertain'],
  ['op_restore', 'uncertain'],
  ['op_set_nameservers', 'failed'],
  ['op_set_registrant', 'failed'],
  ['op_set_transfer_lock', 'failed'],
];
