// A batch compared with single writes, a write in a large zone compared with one in a small zone, and the import and export of
// a large zone file.
import { databaseKinds } from './support/databases.mjs';
import { addRecords, registerDomain } from './support/test-data.mjs';
import { loadAlternately, describeRuns, medianRatio } from './support/load.mjs';
import { watchMemory } from './support/memory.mjs';
import { median } from './support/numbers.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const BATCH = 500;
const BATCH_AIM = 10;
const ROUNDS = 5;
const LARGE = 10_000;
const SMALL = 10;
const WRITE_AIM = 1.3;
const IMPORT_AIM_S = 5;
const MEMORY_AIM_MIB = 128;
let written = 0;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      const databaseUrl = await kind.createDatabase();
      const { key } = openAccount(databaseUrl);
      const service = { ...(await startService(workspace, databaseUrl)), key };
      const bench = { ...kind, service, call: createCaller(service, key) };
      results.push(await batches(bench), ...(await zoneFiles(bench)), await writes(bench));
      await service.stop();
    }
    return results;
  });
}

/** Records per second of one caller: one batch, and as many sequential calls. */
async function batches({ title, call }) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [
      await registerDomain(call, `bench-batch-${round}.com`),
      await registerDomain(call, `bench-single-${round}.com`),
    ];
    const create = Array.from({ length: BATCH }, (_, index) => ({
      type: 'A',
      name: `h${index}`,
      content: '192.0.2.1',
    }));
    const batch = await secondsOf(() => call('POST', `/domains/${one}/dns/records/batch`, { create }));
    const singles = await secondsOf(() => addRecords(call, other, BATCH));
    rounds.push({ batch, singles });
  }
  const perSecond = (field) => BATCH / median(rounds.map((round) => round[field]));
  const ratio = median(rounds.map(({ batch, singles }) => singles / batch));
  printLine(
    `${BATCH} records on ${title}: in a batch ${perSecond('batch').toFixed(0)} records/s | one by one ${perSecond('singles').toFixed(0)} records/s | ratio ${ratio.toFixed(1)}`,
  );
  return atLeast(`batch of ${BATCH} on ${title}, ratio to single calls`, ratio, BATCH_AIM);
}

async function zoneFiles({ title, service, call }) {
  const id = await registerDomain(call, 'bench-file.com');
  const text = `$TTL 3600\n${Array.from({ length: LARGE }, (_, index) => `h${index} A 192.0.2.1\n`).join('')}`;
  const address = `${service.url}/api/domains/${id}/dns/zonefile`;
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'text/dns' };
  const memory = await watchMemory(service.pid);
  const imported = await secondsOf(async () => assertOk(await fetch(address, { method: 'PUT', headers, body: text })));
  const { idle, peak } = memory.stop();
  const outgoing = await watchMemory(service.pid);
  const exported = await secondsOf(async () => assertOk(await fetch(address, { headers })));
  const after = outgoing.stop();
  printLine(
    `zone file of ${LARGE} records on ${title}: in ${imported.toFixed(2)} s (${(peak - idle).toFixed(0)} MiB beyond idle), out ${exported.toFixed(2)} s (${(after.peak - after.idle).toFixed(0)} MiB)`,
  );
  return [
    atMost(`import of ${LARGE} records on ${title}`, imported, IMPORT_AIM_S, ' s'),
    atMost(`import of ${LARGE} records on ${title}, memory beyond idle`, peak - idle, MEMORY_AIM_MIB, ' MiB'),
    atMost(
      `export of ${LARGE} records on ${title}, memory beyond idle`,
      after.peak - after.idle,
      MEMORY_AIM_MIB,
      ' MiB',
    ),
  ];
}

async function assertOk(response) {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
}

/** The measured writes grow both zones equally. */
async function writes({ title, service, call }) {
  const [large, small] = [await registerDomain(call, 'bench-large.com'), await registerDomain(call, 'bench-small.com')];
  for (let at = 0; at < LARGE; at += BATCH)
    await call('POST', `/domains/${large}/dns/records/batch`, {
      create: Array.from({ length: BATCH }, (_, index) => ({
        type: 'A',
        name: `h${at + index}`,
        content: '192.0.2.1',
      })),
    });
  await addRecords(call, small, SMALL);
  const target = (id) => ({
    ...service,
    requests: [{ method: 'POST', path: `/api/domains/${id}/dns/records`, setupRequest: withNewRecord }],
  });
  const rounds = await loadAlternately(target(large), target(small));
  const { ratio, spread } = medianRatio(rounds, 'p50');
  printLine(
    `POST …/dns/records on ${title}: zone of ${LARGE} ${describeRuns(rounds.map(({ first }) => first))} | zone of ${SMALL} ${describeRuns(rounds.map(({ second }) => second))} | ratio of p50 ${ratio.toFixed(2)} (${spread})`,
  );
  return atMost(`write in a zone of ${LARGE} on ${title}, over one in a zone of ${SMALL}`, ratio, WRITE_AIM);
}

function withNewRecord(request) {
  return { ...request, body: JSON.stringify({ type: 'A', name: `w${(written += 1)}`, content: '192.0.2.1' }) };
}

async function secondsOf(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
