// Memory above idle for the list of all domains of an account, with a fast and a slow reader.
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseKinds } from './support/databases.mjs';
import { insertDomains } from './support/test-data.mjs';
import { watchMemory } from './support/memory.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { openAccount, startService } from './support/service.mjs';

const DOMAINS = 100_000;
const AIM_MIB = 64;
const MARK = '"id":';
const READERS = [
  { title: 'read at once', pause: undefined },
  { title: 'read slowly', pause: 5 },
];

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      const databaseUrl = await kind.createDatabase();
      const { accountId, key } = openAccount(databaseUrl);
      await insertDomains(databaseUrl, accountId, DOMAINS);
      for (const reader of READERS) results.push(await measure(workspace, { ...kind, databaseUrl, key, reader }));
    }
    return results;
  });
}

async function measure(workspace, { title, databaseUrl, key, reader }) {
  const service = await startService(workspace, databaseUrl);
  const memory = await watchMemory(service.pid);
  const startedAt = performance.now();
  const { octets, items } = await readList(`${service.url}/api/domains`, key, reader);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { idle, peak } = memory.stop();
  await service.stop();
  if (items !== DOMAINS) throw new Error(`the list has ${items} domains instead of ${DOMAINS}`);
  printLine(
    `${DOMAINS} domains on ${title}, ${reader.title}: ${(octets / 2 ** 20).toFixed(0)} MiB in ${seconds.toFixed(1)} s, ${idle.toFixed(0)} MiB idle, ${peak.toFixed(0)} MiB at most`,
  );
  return atMost(
    `list of ${DOMAINS} domains on ${title}, ${reader.title}, memory beyond idle`,
    peak - idle,
    AIM_MIB,
    ' MiB',
  );
}

/** Counts items without keeping the response. */
async function readList(url, key, { pause }) {
  const request = get(url, { headers: { authorization: `Bearer ${key}` } });
  const [response] = await once(request, 'response');
  let octets = 0;
  let items = 0;
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    octets += Buffer.byteLength(chunk);
    const pieces = (rest + chunk).split(MARK);
    items += pieces.length - 1;
    rest = (pieces.at(-1) ?? '').slice(1 - MARK.length);
    if (pause) await sleep(pause);
  }
  return { octets, items };
}
