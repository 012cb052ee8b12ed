// Completed registrations per second with a slow registry: its limit, concurrency divided by latency, should be the bound, not
// our database. Measured after the last request was accepted, because availability checks share the registry's concurrency.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const LATENCY_MS = 200;
const CONCURRENCY = 8;
const REGISTRATIONS = 400;
const CLIENTS = 32;
const AIM = 0.9;
const BOUND = CONCURRENCY / (LATENCY_MS / 1_000);
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const { title, createDatabase } of await databaseKinds(workspace))
      results.push(await measure(workspace, title, await createDatabase()));
    return results;
  });
}

async function measure(workspace, title, databaseUrl) {
  const registries = join(workspace.folder, `registries-${title}.json`);
  const slow = {
    adapter: join(import.meta.dirname, 'support/slow-registry.mjs'),
    settings: { milliseconds: LATENCY_MS, file: join(workspace.folder, `registry-${title}.db`) },
    tlds: ['com'],
    concurrency: CONCURRENCY,
    queue: 10 * CONCURRENCY,
  };
  writeFileSync(registries, JSON.stringify({ registries: { slow } }));
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl, {
    REGISTRIES_FILE: registries,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    DNS_LISTEN: 'off',
  });
  const call = createCaller(service, key);

  const began = performance.now();
  const names = Array.from({ length: REGISTRATIONS }, (_each, index) => `bench-${index}.com`);
  await Promise.all(Array.from({ length: CLIENTS }, () => registerAll(call, names)));
  const accepted = performance.now() - began;
  const { length: waiting } = await call('GET', '/domains?status=pending');
  const alone = performance.now();
  while ((await call('GET', '/domains?status=pending&limit=1')).length > 0) await sleep(20);
  const drained = performance.now() - alone;
  const active = (await call('GET', '/domains?status=active')).length;
  await service.stop();
  if (active !== REGISTRATIONS) throw new Error(`${active} of ${REGISTRATIONS} registrations were completed`);
  printLine(
    `${REGISTRATIONS} registrations on ${title}, ${LATENCY_MS} ms each, ${CONCURRENCY} at a time: ${perSecond(REGISTRATIONS, accepted).toFixed(0)} accepted a second, then ${perSecond(waiting, drained).toFixed(1)} completed a second of ${BOUND} possible`,
  );
  return atLeast(
    `completed registrations on ${title}, ratio to the registry's limit`,
    perSecond(waiting, drained) / BOUND,
    AIM,
  );
}

function perSecond(count, milliseconds) {
  return count / (milliseconds / 1_000);
}

async function registerAll(call, names) {
  for (let name = names.pop(); name !== undefined; name = names.pop())
    await call('POST', '/domains', { name, contacts: { registrant: REGISTRANT } });
}
