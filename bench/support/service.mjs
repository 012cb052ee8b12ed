// The service under measurement: as it is built, with the settings of a real one but for its limits.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { freePort } from './processes.mjs';

const SECRET_KEY = randomBytes(32).toString('base64');

/** Of every process on that database. */
export function settingsOf(databaseUrl) {
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

/** The operator's commands on that database, which may be in use. */
export function adminOf(databaseUrl, env = {}) {
  return (...args) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], {
      env: { ...process.env, ...settingsOf(databaseUrl), ...env },
      encoding: 'utf8',
    }).trim();
}

/** Migrates the database and opens an account in it. Answers `{ accountId, key }`. */
export function openAccount(databaseUrl) {
  const admin = adminOf(databaseUrl);
  const accountId = admin('account', 'create', '--name', 'Bench');
  return { accountId, key: admin('key', 'create', '--account', accountId, '--name', 'bench', '--scope', 'ADMIN') };
}

/** Invites a person. Answers the path and query of their set-up link. */
export function invitePerson(databaseUrl, accountId) {
  const { pathname, search } = new URL(
    adminOf(databaseUrl)('user', 'create', '--account', accountId, '--email', 'bench@example.com', '--role', 'owner'),
  );
  return `${pathname}${search}`;
}

/** Answers `{ url, pid, stop() }`. */
export async function startService({ start }, databaseUrl, env = {}) {
  return startServer({ start }, ['dist/main.js'], { ...settingsOf(databaseUrl), ...env }, '/readyz');
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

/** The interface as a caller with a key sees it. */
export function caller({ url }, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}
