// Time from a person's consent to a Domain Connect request until Knot serves the records of the service.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseKinds } from './support/databases.mjs';
import { KNOT_MISSING, startKnot } from './support/knot.mjs';
import { percentile } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, invitePerson, openAccount, startService } from './support/service.mjs';
import { signIn } from './support/sign-in.mjs';
import { addRecords, registerDomain } from './support/test-data.mjs';

const ZONES = 30;
const RECORDS = 20;
const CONSENTS = Number(process.env.BENCH_CONSENTS ?? 150);
const AIM_MS = 2_000;
const ASK_EVERY_MS = 1;
/** Signs nothing, so that the part needs no nameserver with its key. */
const TEMPLATE = {
  providerId: 'plain.example',
  providerName: 'Plain Provider',
  serviceId: 'plain',
  serviceName: 'Plain service',
  warnPhishing: true,
  multiInstance: true,
  records: [
    { type: 'A', host: '@', pointsTo: '%ip%', ttl: 600 },
    { type: 'TXT', host: '_plain', data: 'token=%ip%', ttl: 600 },
  ],
};
const APPLY = '/v2/domainTemplates/providers/plain.example/services/plain/apply';

export function run() {
  if (KNOT_MISSING) {
    printLine(`SKIPPED: ${KNOT_MISSING}`);
    return [];
  }
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(await consents(workspace, kind));
    return results;
  });
}

async function consents(workspace, kind) {
  const name = `connect-${kind.title.toLowerCase()}`;
  const databaseUrl = await kind.createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  const setupLink = invitePerson(databaseUrl, accountId);
  const env = {
    DNS_LISTEN: `127.0.0.1:${await freePort()}`,
    DOMAIN_CONNECT: 'on',
    PUBLIC_URL: 'https://names.example.net',
  };
  const admin = createAdmin(databaseUrl, env);
  admin('domain-connect', 'sync', templatesIn(join(workspace.folder, `${name}-templates`)));
  admin('domain-connect', 'provider', TEMPLATE.providerId, 'on');
  const service = await startService(workspace, databaseUrl, env);
  const call = createCaller(service, key);
  const knot = await startKnot(workspace, admin, name);
  const cookie = await signIn(service.url, setupLink);
  for (let zone = 0; zone < ZONES; zone += 1) await addRecords(call, await registerDomain(call, nameOf(zone)), RECORDS);
  for (let zone = 0; zone < ZONES; zone += 1)
    await knot.probe.waitForRecord(`h${RECORDS - 1}.${nameOf(zone)}`, 'A', ASK_EVERY_MS);
  const times = [];
  for (let consent = 0; consent < CONSENTS; consent += 1) {
    const host = `c${consent}`;
    const domain = nameOf(consent % ZONES);
    const accept = await askFor(`${service.url}${APPLY}?domain=${domain}&host=${host}&ip=192.0.2.7`, cookie);
    const began = performance.now();
    await accept();
    await knot.probe.waitForRecord(`${host}.${domain}`, 'A', ASK_EVERY_MS);
    times.push(performance.now() - began);
  }
  await knot.stop();
  await service.stop();
  return atMost(
    `from consent to Knot's answer, a zone of ${RECORDS} records on ${kind.title} (p99)`,
    percentile(times, 99),
    AIM_MS,
    'ms',
  );
}

function templatesIn(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, `${TEMPLATE.providerId}.${TEMPLATE.serviceId}.json`), JSON.stringify(TEMPLATE));
  return folder;
}

/** Opens the consent page. Returns what agrees to the plan that it shows. */
async function askFor(link, cookie) {
  const opened = await fetch(link, { headers: { cookie } });
  const page = await opened.text();
  const cookies = [...opened.headers.getSetCookie().map((set) => set.split(';')[0]), cookie].join('; ');
  const fields = [...page.matchAll(/name="(_\w+|plan)" value="([^"]*)"/g)].map(([, field, value]) => [field, value]);
  const body = new URLSearchParams(Object.fromEntries(fields));
  if (!body.has('plan')) throw new Error(`no plan to agree to: ${page.replaceAll(/<[^>]+>/g, ' ').slice(-500)}`);
  return async () => {
    const response = await fetch(link, { method: 'POST', headers: { cookie: cookies }, body, redirect: 'manual' });
    if (response.status !== 303)
      throw new Error(`the consent was refused: ${(await response.text()).replaceAll(/<[^>]+>/g, ' ').slice(0, 900)}`);
  };
}

function nameOf(zone) {
  return `bench-connect-${zone}.com`;
}
