// Lookups and registrations per second through the EPP adapter with 1, 4 and 16 sessions. The baseline sends the same
// prepared frames over raw TLS to the same sandbox registry. A registration is three commands: create, update, info. The aim
// is for one session: with more, client and server compete for the machine.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DomainName } from '#dist/domain/shared/domain-name.js';
import { Nameservers } from '#dist/domain/registration/nameservers.js';
import { RegistrationTerm } from '#dist/domain/registration/registration-term.js';
import { encodeFrame } from '#dist/infrastructure/registry/epp/codec/frames.js';
import { NAMESPACES } from '#dist/infrastructure/registry/epp/codec/namespaces.js';
import { startEpp } from '#dist/infrastructure/registry/epp/start-epp.js';
import { commandDocument } from '#dist/infrastructure/registry/epp/mapping/commands/command.js';
import { contactIdOf } from '#dist/infrastructure/registry/epp/mapping/commands/contact-commands.js';
import {
  createDomain,
  infoDomain,
  updateDomain,
} from '#dist/infrastructure/registry/epp/mapping/commands/domain-commands.js';
import { login } from '#dist/infrastructure/registry/epp/mapping/commands/session-commands.js';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { RawEpp } from './support/raw-epp.mjs';
import { atLeast, printLine } from './support/results.mjs';

const SESSIONS = [1, 4, 16];
const ROUNDS = 9;
const LOOKUPS = 800;
const REGISTRATIONS = 80;
const AIM = 0.8;
const CLIENT = 'bench';
const HOSTS = ['ns1.example.net', 'ns2.example.net'];
const YEAR = RegistrationTerm.ofYears(1);
const PRICE = { minor: 10_44, currency: 'USD' };
const REGISTRANT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
const CONTACT = contactIdOf(REGISTRANT, CLIENT);
const { domain, host, contact, rgp, secDNS, fee } = NAMESPACES;
let serial = 0;

export function run() {
  return withWorkspace(async (workspace) => {
    const registry = await startRegistry(workspace);
    const results = [];
    for (const sessions of SESSIONS) results.push(...(await measure(registry, sessions)));
    return results;
  });
}

async function startRegistry({ folder, start }) {
  const at = ['dist/registry.js', '--folder', join(folder, 'registry')];
  const password = execFileSync(process.execPath, [...at, 'registrar', 'set', CLIENT], { encoding: 'utf8' }).trim();
  const port = await freePort();
  await start({ args: [...at, 'serve', '--port', String(port), '--max-sessions', '64'], isReady: () => answers(port) });
  const ca = join(folder, 'registry', 'certificate.pem');
  return { host: '127.0.0.1', port, password, ca: existsSync(ca) ? readFileSync(ca, 'utf8') : '' };
}

async function measure(registry, sessions) {
  const adapter = await adapterOn(registry, sessions);
  const raws = await Promise.all(Array.from({ length: sessions }, () => rawOn(registry)));
  const known = nextName();
  await adapter.port.register(registration(known));
  await inParallel(
    sessions,
    Array.from({ length: 4 * sessions }, () => known),
    (name) => adapter.port.info(name),
  );
  /** @type {Record<string, any[]>} */
  const rounds = { lookup: [], registration: [] };
  const lookups = {
    baseline: () => perSecond(raws, LOOKUPS, () => [infoDomain(known.value)]),
    adapter: () =>
      rate(
        sessions,
        Array.from({ length: LOOKUPS }, () => known),
        (name) => adapter.port.info(name),
      ),
  };
  const registrations = {
    baseline: () => perSecond(raws, REGISTRATIONS, commandsOf),
    adapter: () =>
      rate(sessions, Array.from({ length: REGISTRATIONS }, nextName), (name) =>
        adapter.port.register(registration(name)),
      ),
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.lookup.push(await measureAlternately(round, lookups));
    rounds.registration.push(await measureAlternately(round, registrations));
  }
  await adapter.close();
  for (const raw of raws) raw.close();
  return Object.entries(rounds).flatMap(([what, pairs]) => report(what, sessions, pairs));
}

/** Measures both; the order alternates between rounds. */
async function measureAlternately(round, { baseline, adapter }) {
  if (round % 2 === 0) return { baseline: await baseline(), adapter: await adapter() };
  const first = await adapter();
  return { baseline: await baseline(), adapter: first };
}

function report(what, sessions, pairs) {
  const ratio = median(pairs.map(({ adapter, baseline }) => adapter / baseline));
  printLine(
    `EPP, ${sessions} sessions, ${what}: adapter ${median(pairs.map(({ adapter }) => adapter)).toFixed(0)}/s, baseline ${median(pairs.map(({ baseline }) => baseline)).toFixed(0)}/s | ratio ${ratio.toFixed(2)}`,
  );
  return sessions === 1 ? [atLeast(`${what} over EPP on one session, ratio to raw frames`, ratio, AIM)] : [];
}

async function adapterOn({ host: address, port, password, ca }, sessions) {
  const settings = { host: address, port, ca, client_id: CLIENT, password, sessions };
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return startEpp({
    name: 'bench',
    settings,
    tlds: [{ suffix: 'com' }],
    clock: { now: () => new Date() },
    log: silent,
    currency: 'USD',
    mainDatabase: { kind: 'sqlite', file: '' },
  });
}

async function rawOn(registry) {
  const raw = await RawEpp.connect(registry);
  await raw.exchange(
    frameOf(
      login({
        clientId: CLIENT,
        password: registry.password,
        userAgent: 'bench',
        language: 'en',
        objects: [domain, host, contact],
        extensions: [rgp, secDNS, fee],
      }),
    ),
  );
  return raw;
}

function registration(name) {
  return {
    name,
    term: YEAR,
    registrant: REGISTRANT,
    nameservers: Nameservers.fromState(HOSTS),
    price: PRICE,
    transactionId: nextId(),
  };
}

/** The commands that the adapter sends for a registration. */
function commandsOf() {
  const name = nextName().value;
  const hosts = HOSTS.map((each) => ({ host: each, addresses: [] }));
  const contacts = ['admin', 'tech', 'billing'].map((type) => ({ type, id: CONTACT }));
  const create = createDomain({
    name,
    years: 1,
    hosts,
    hostMode: 'object',
    registrant: CONTACT,
    contacts,
    authCode: 'Ab2-Ab2-Ab2-Ab2-Ab2-Ab2-A',
    price: PRICE,
  });
  return [create, updateDomain(name, { add: { statuses: ['clientTransferProhibited'] } }, 'object'), infoDomain(name)];
}

async function perSecond(raws, count, commandsOfOne) {
  const frames = Array.from({ length: count }, () => commandsOfOne().map(frameOf));
  const began = performance.now();
  await Promise.all(
    raws.map(async (raw) => {
      for (let each = frames.pop(); each; each = frames.pop()) for (const frame of each) await raw.exchange(frame);
    }),
  );
  return count / ((performance.now() - began) / 1_000);
}

async function rate(lanes, items, work) {
  const count = items.length;
  const began = performance.now();
  await inParallel(lanes, items, work);
  return count / ((performance.now() - began) / 1_000);
}

async function inParallel(lanes, items, work) {
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let item = items.pop(); item; item = items.pop()) await work(item);
    }),
  );
}

function frameOf(command) {
  return encodeFrame(commandDocument(command, nextId()));
}

function nextName() {
  return DomainName.fromState(`bench-${process.pid}-${(serial += 1)}.com`);
}

function nextId() {
  return `bench-${process.pid}-${(serial += 1)}`;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
