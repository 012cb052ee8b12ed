// How long a write of one account takes while another account imports zone files.
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { percentile } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';
import { registerDomain } from './support/test-data.mjs';

const IMPORTS = [
  { title: '10,000 records', zones: 1, records: 10_000, rounds: 4, atOnce: 1 },
  { title: '100,000 records over 20 zones', zones: 20, records: 5_000, rounds: 1, atOnce: 4 },
];
const PAUSE_MS = 5;
const WORST_AIM_MS = 250;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      const databaseUrl = await kind.createDatabase();
      const [importer, writer] = [openAccount(databaseUrl), openAccount(databaseUrl)];
      const service = await startService(workspace, databaseUrl);
      const call = createCaller(service, writer.key);
      const zone = await registerDomain(call, 'writes-little.com');
      for (const each of IMPORTS)
        results.push(await worstWrite({ ...each, kind, service, key: importer.key, write: writing(call, zone) }));
      await service.stop();
    }
    return results;
  });
}

let written = 0;
function writing(call, zone) {
  return async () => {
    const began = performance.now();
    await call('POST', `/domains/${zone}/dns/records`, { type: 'A', name: `w${(written += 1)}`, content: '192.0.2.1' });
    return performance.now() - began;
  };
}

async function worstWrite({ title, zones, records, rounds, atOnce, kind, service, key, write }) {
  const call = createCaller(service, key);
  const ids = [];
  for (let zone = 0; zone < zones; zone += 1) ids.push(await registerDomain(call, `imported-${records}-${zone}.com`));
  const queue = Array.from({ length: rounds }, (_, round) => ids.map((id) => ({ id, round }))).flat();
  const times = [];
  const importing = new AbortController();
  const writes = (async () => {
    while (!importing.signal.aborted) {
      times.push(await write());
      await sleep(PAUSE_MS);
    }
  })();
  const imports = [];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      imports.push(await importFile(service, key, next.id, fileOf(records, next.round)));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  importing.abort();
  await writes;
  const worst = Math.max(...times);
  printLine(
    `writes during imports of ${title} on ${kind.title}: p50 ${percentile(times, 50).toFixed(0)} ms | p99 ${percentile(times, 99).toFixed(0)} ms | worst ${worst.toFixed(0)} ms (${times.length}) | import p50 ${percentile(imports, 50).toFixed(0)} ms, longest ${Math.max(...imports).toFixed(0)} ms`,
  );
  return atMost(`write during imports of ${title} on ${kind.title}, worst`, worst, WORST_AIM_MS, ' ms');
}

function fileOf(records, round) {
  return `$TTL 3600\n${Array.from({ length: records }, (_, index) => `h${index} A 192.0.2.${round + 1}\n`).join('')}`;
}

async function importFile({ url }, key, id, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/dns' };
  const began = performance.now();
  const response = await fetch(`${url}/api/domains/${id}/dns/zonefile`, { method: 'PUT', headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
  return performance.now() - began;
}
