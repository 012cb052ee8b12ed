// The dashboard: latency of the domains page with 100,000 and 100 domains, of the costs of 10,000, and the size of the first page view.
import { Agent, get } from 'node:http';
import { databaseKinds } from './support/databases.mjs';
import { insertCosts, insertDomains } from './support/test-data.mjs';
import { processorMsOf } from './support/processor-time.mjs';
import { loadAlternately, describeRuns, medianRatio } from './support/load.mjs';
import { percentile } from './support/numbers.mjs';
import { signIn } from './support/sign-in.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { invitePerson, openAccount, startService } from './support/service.mjs';

const MANY = 100_000;
const FEW = 100;
const WITH_COSTS = 10_000;
const RATIO_AIM = 1.5;
const KIB_AIM = 100;
const MAP_AIM_MS = 20;
const COSTS_AIM_MS = 100;
const VIEWS = 200;
const COST_VIEWS = 50;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    for (const kind of await databaseKinds(workspace)) results.push(...(await measure(workspace, kind)));
    return results;
  });
}

async function measure(workspace, kind) {
  const many = await serviceWith(workspace, kind, MANY);
  const few = await serviceWith(workspace, kind, FEW);
  const kib = (await firstViewBytes(many)) / 1_024;
  const mapMs = await domainPageMs(many);
  printLine(`Page of a domain with its map on ${kind.title}: p50 ${mapMs.toFixed(1)} ms`);
  printLine(`First page view after sign-in on ${kind.title}: ${kib.toFixed(1)} KiB`);
  const rounds = await loadAlternately(many, few);
  const { ratio, spread } = medianRatio(rounds, 'p50');
  printLine(
    `Domains page on ${kind.title}: with ${MANY} domains ${describeRuns(rounds.map(({ first }) => first))} | with ${FEW} ${describeRuns(rounds.map(({ second }) => second))} | ratio of p50 ${ratio.toFixed(2)} (${spread})`,
  );
  await Promise.all([many.stop(), few.stop()]);
  const costly = await serviceWith(workspace, kind, WITH_COSTS, insertCosts);
  const processes = [costly.pid, ...kind.processes];
  const used = () => processes.reduce((sum, each) => sum + processorMsOf(each), 0);
  await viewMs(costly, '/costs', 1, 'class="cost-totals"');
  const before = used();
  const costsMs = await viewMs(costly, '/costs', COST_VIEWS, 'class="cost-totals"');
  const processorMs = (used() - before) / COST_VIEWS;
  await costly.stop();
  printLine(
    `Costs of ${WITH_COSTS} domains on ${kind.title}: p50 ${costsMs.toFixed(1)} ms, processor ${processorMs.toFixed(1)} ms with the database`,
  );
  return [
    atMost(`p50 of the domains page on ${kind.title}, ${MANY} domains over ${FEW}`, ratio, RATIO_AIM),
    atMost(`p50 of the page of a domain with its map on ${kind.title}`, mapMs, MAP_AIM_MS, ' ms'),
    atMost(`p50 of the costs of ${WITH_COSTS} domains on ${kind.title}`, costsMs, COSTS_AIM_MS, ' ms'),
    atMost(`first page view after sign-in on ${kind.title}`, kib, KIB_AIM, ' KiB'),
  ];
}

async function serviceWith(workspace, { createDatabase }, count, insertMore) {
  const databaseUrl = await createDatabase();
  const { accountId } = openAccount(databaseUrl);
  const setupLink = invitePerson(databaseUrl, accountId);
  await insertDomains(databaseUrl, accountId, count);
  if (insertMore) await insertMore(databaseUrl);
  const service = await startService(workspace, databaseUrl);
  const cookie = await signIn(service.url, setupLink);
  return {
    ...service,
    cookie,
    requests: [{ method: 'GET', path: '/domains', headers: { cookie, accept: 'text/html' } }],
  };
}

async function domainPageMs(service) {
  const headers = { cookie: service.cookie, accept: 'text/html' };
  const list = await (await fetch(`${service.url}/domains`, { headers })).text();
  return viewMs(service, /\/domains\/dom_\w+/.exec(list)?.[0] ?? '', VIEWS, 'id="delegation-map"');
}

/** The median of views one after another, so that the time is the server's. */
async function viewMs({ url, cookie }, path, views, content) {
  const times = [];
  for (let view = 0; view < views; view += 1) {
    const start = performance.now();
    const page = await (await fetch(`${url}${path}`, { headers: { cookie, accept: 'text/html' } })).text();
    times.push(performance.now() - start);
    if (!page.includes(content)) throw new Error(`${path} has no ${content}`);
  }
  return percentile(times, 50);
}

/** Octets on the wire of the overview and its assets. */
async function firstViewBytes({ url, cookie }) {
  const page = await fetch(`${url}/`, { headers: { cookie, accept: 'text/html' } });
  const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) =>
    path.replaceAll('&amp;', '&'),
  );
  const sizes = await Promise.all(
    ['/', ...new Set(assets)].map((path) =>
      bytesOf(`${url}${path}`, { cookie, accept: 'text/html', 'accept-encoding': 'gzip, br' }),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bytesOf(url, headers) {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: new Agent() }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.socket.bytesRead));
    }).on('error', reject);
  });
}
