// The measured service: the production build with raised limits.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { freePort } from './processes.mjs';

const SECRET_KEY = randomBytes(32).toString('base64');

/** The settings of every process on that database. */
export function settingsFor(databaseUrl) {
  return {
    DATABASE_URL: databaseUrl,
    NODE_ENV: 'production',
    REGISTRY: 'simulated',
    SECRET_KEY,
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '10000000',
    MAX_RECORDS_PER_ZONE: '1000000',
  };
}

/** Runs operator's commands on that database, which may be in use. */
export function createAdmin(databaseUrl, env = {}) {
  return (...args) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], {
      env: { ...process.env, ...settingsFor(databaseUrl), ...env },
      encoding: 'utf8',
    }).trim();
}

/** Migrates the database and creates an account. Returns `{ accountId, key }`. */
export function openAccount(databaseUrl) {
  const admin = createAdmin(databaseUrl);
  const accountId = admin('account', 'create', '--name', 'Bench');
  return { accountId, key: admin('key', 'create', '--account', accountId, '--name', 'bench', '--scope', 'ADMIN') };
}

/** Invites a person. Returns the path and query of the set-up link. */
export function invitePerson(databaseUrl, accountId) {
  const { pathname, search } = new URL(
    createAdmin(databaseUrl)(
      'user',
      'create',
      '--account',
      accountId,
      '--email',
      'bench@example.com',
      '--role',
      'owner',
    ),
  );
  return `${pathname}${search}`;
}

/** Starts the service. Returns `{ url, pid, stop() }`. */
export async function startService({ start }, databaseUrl, env = {}) {
  return startServer({ start }, ['dist/main.js'], { ...settingsFor(databaseUrl), ...env }, '/readyz');
}

export async function startServer({ start }, args, env, readyPath) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}${readyPath}`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { url, ...(await start({ args, env: { ...env, PORT: String(port) }, isReady })) };
}

/** An API client with one key. */
export function createCaller({ url }, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const response = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
