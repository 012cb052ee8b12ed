import { setTimeout as sleep } from 'node:timers/promises';
import { powerDnsZoneId } from '../../../src/http/compat/powerdns/powerdns-zone-id';
import type { SeededRandom } from '../../crash/random';
import { McpClient } from '../../support/mcp/mcp-client';
import { sendTcp, signRequest } from '../../support/nameservers/primary-client';
import { encodeUpdate } from '../dns/update-messages';
import type { FinalResponse } from '../events/event-replicas';
import type { DomainSnapshot, SeenRecord } from './domain-snapshot';
import type { Proposer, ProposingInstallation } from './proposing-installation';

export interface OwnDomain {
  readonly id: string;
  readonly name: string;
}

/** What became of a write that was sent. */
export type Sent =
  | { readonly kind: 'proposed'; readonly id: string }
  /** On a path that cannot propose. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'wrong'; readonly what: string };

export interface RandomWrite {
  readonly what: string;
  send(): Promise<Sent>;
  /** Members of the domain that it changes. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Operations that its plan does not list, because a job starts them. */
  readonly jobOperations?: number;
}

/** Where a write happens. */
export interface WriteContext {
  readonly at: ProposingInstallation;
  readonly domain: OwnDomain;
  readonly before: DomainSnapshot;
  readonly random: SeededRandom;
  /** Not used before. */
  readonly unique: string;
  /** No more of them than the account may start in a day. */
  readonly mayStartJob: boolean;
}

type Make = (context: WriteContext, proposer: Proposer) => RandomWrite;

/** The rules name what the writer does; the agent may only propose whatever it does. */
export const RULES = [{ changes: ['records'], types: ['TXT'] }, { changes: ['nameservers', 'purchases'] }] as const;
const POWERDNS = '/compat/powerdns/api/v1/servers/localhost/zones';
const REFUSED = 5;
const MAX_YEARS = 9;

const OF_ALL: readonly [Make, ...Make[]] = [
  addRecord,
  addRecord,
  batch,
  batch,
  zoneFile,
  bulkZoneFile,
  desiredState,
  nameservers,
  renew,
  bulkNameservers,
  explicitProposal,
  byMcp,
  byMcp,
  update,
  byPowerDns,
];
const OF_AGENT: typeof OF_ALL = [...OF_ALL, changeRecord, removeRecord, autoRenewal, tags, bulkTags];
const JOBS: ReadonlySet<Make> = new Set([bulkZoneFile, bulkNameservers, bulkTags]);

export function randomWrite(context: WriteContext): RandomWrite {
  const { at, random } = context;
  const proposer = random.between(0, 1) === 0 ? at.agent : at.writer;
  const make = random.oneOf(proposer.kind === 'agent' ? OF_AGENT : OF_ALL);
  const write = (JOBS.has(make) && !context.mayStartJob ? addRecord : make)(context, proposer);
  return { ...write, what: `${write.what} by the ${proposer.kind}` };
}

function newRecord(context: WriteContext, { kind }: Proposer): SeenRecord & { readonly type: 'A' | 'TXT' } {
  const { random, unique } = context;
  const name = random.oneOf(['@', 'www', 'a.b', unique]);
  const type = kind === 'agent' ? random.oneOf(['A', 'TXT'] as const) : 'TXT';
  const content = type === 'A' ? newAddress(context, name) : unique;
  return { id: null, name, type, content, ttl: random.oneOf([60, 300]) };
}

/** A second identical record would be refused. */
function newAddress(context: WriteContext, name: string): string {
  const { random, before } = context;
  const address = `192.0.2.${random.between(1, 254)}`;
  const isTaken = before.records.some((each) => each.name === name && each.content === address);
  return isTaken ? newAddress(context, name) : address;
}

function addRecord(context: WriteContext, proposer: Proposer): RandomWrite {
  return rest(context, proposer, 'POST', 'dns/records', bodyOf(newRecord(context, proposer)));
}

function changeRecord(context: WriteContext, proposer: Proposer): RandomWrite {
  const record = oneRecord(context);
  if (!record) return addRecord(context, proposer);
  return rest(context, proposer, 'PUT', `dns/records/${String(record.id)}`, { ttl: record.ttl === 60 ? 300 : 60 });
}

function removeRecord(context: WriteContext, proposer: Proposer): RandomWrite {
  const record = oneRecord(context);
  if (!record) return addRecord(context, proposer);
  return rest(context, proposer, 'DELETE', `dns/records/${String(record.id)}`);
}

function batch(context: WriteContext, proposer: Proposer): RandomWrite {
  const [first, second] = [
    newRecord(context, proposer),
    { ...newRecord(context, proposer), name: `${context.unique}b` },
  ];
  const record = oneRecord(context, 'TXT');
  return rest(context, proposer, 'POST', 'dns/records/batch', {
    create: [bodyOf(first), bodyOf(second)],
    ...(record && { delete: [record.id] }),
  });
}

/** Replaces the zone, so that each other change of it makes the proposal stale. */
function zoneFile(context: WriteContext, proposer: Proposer): RandomWrite {
  return rest(context, proposer, 'PUT', 'dns/zonefile', zoneText(context, proposer));
}

/** A bulk job, whose file replaces the zone or is added to it. */
function bulkZoneFile(context: WriteContext, proposer: Proposer): RandomWrite {
  const { random, domain } = context;
  const mode = random.oneOf(['replace', 'add'] as const);
  const text = zoneText(context, proposer);
  const body = { action: 'zone_files', mode, zone_files: [{ name: domain.name, text }] };
  return { ...byRest(context, proposer, 'POST', '/api/bulk', body), what: `POST /api/bulk zone_files ${mode}` };
}

function zoneText(context: WriteContext, proposer: Proposer): string {
  const kept = context.before.records.slice(0, context.random.between(0, 6));
  const lines = [...kept, { ...newRecord(context, proposer), name: context.unique }].map(
    ({ name, ttl, type, content }) => `${name} ${ttl} IN ${type} ${type === 'TXT' ? `"${content}"` : content}\n`,
  );
  return lines.join('');
}

function desiredState(context: WriteContext, proposer: Proposer): RandomWrite {
  const records = [...context.before.records.slice(-3), { ...newRecord(context, proposer), name: context.unique }];
  const path = `/api/domains/by-name/${context.domain.name}/state`;
  return byRest(context, proposer, 'PUT', path, { records: records.map(bodyOf) });
}

function nameservers(context: WriteContext, proposer: Proposer): RandomWrite {
  return setting(context, proposer, 'nameservers', { nameservers: hostsOf(context) });
}

function autoRenewal(context: WriteContext, proposer: Proposer): RandomWrite {
  return setting(context, proposer, 'autorenew', { auto_renew: context.before.settings['auto_renew'] !== true });
}

function tags(context: WriteContext, proposer: Proposer): RandomWrite {
  return setting(context, proposer, 'tags', { tags: [context.unique] });
}

/** Ten years are the most that a registry sells. */
function renew(context: WriteContext, proposer: Proposer): RandomWrite {
  const expiry = new Date(String(context.before.settings['expires_at']));
  if (expiry.getUTCFullYear() - new Date().getUTCFullYear() >= MAX_YEARS) return nameservers(context, proposer);
  expiry.setUTCFullYear(expiry.getUTCFullYear() + 1);
  const renewed = { expires_at: expiry.toISOString() };
  return { ...rest(context, proposer, 'POST', 'renew', { years: 1 }), settings: renewed };
}

function bulkNameservers(context: WriteContext, proposer: Proposer): RandomWrite {
  const settings = { nameservers: hostsOf(context) };
  const body = { action: 'nameservers', ...settings, domains: [context.domain.id] };
  return { ...byRest(context, proposer, 'POST', '/api/bulk', body), settings, jobOperations: 1 };
}

function bulkTags(context: WriteContext, proposer: Proposer): RandomWrite {
  const body = { action: 'tags', add_tags: [context.unique], domains: [context.domain.id] };
  const old = context.before.settings['tags'] as readonly string[];
  const settings = { tags: [...old, context.unique].toSorted() };
  return { ...byRest(context, proposer, 'POST', '/api/bulk', body), settings };
}

function explicitProposal(context: WriteContext, proposer: Proposer): RandomWrite {
  const write = {
    method: 'POST',
    path: `/api/domains/${context.domain.id}/dns/records`,
    body: bodyOf(newRecord(context, proposer)),
    reason: 'The campaign',
  };
  return { ...byRest(context, proposer, 'POST', '/api/proposals', write, 201), what: 'POST /api/proposals' };
}

function byMcp(context: WriteContext, proposer: Proposer): RandomWrite {
  const { at, domain } = context;
  const given = { name: domain.name, change: { records: { create: [bodyOf(newRecord(context, proposer))] } } };
  return {
    what: 'MCP',
    settings: {},
    send: () =>
      at.replicas.atAny('MCP', async (address) => {
        const client = new McpClient(`${address}/mcp`, proposer.apiKey);
        const { plan_id: planId } = await client.use('plan_change', given);
        const applied = await client.use('apply_change', { ...given, plan_id: planId });
        return applied['status'] === 'proposed'
          ? { kind: 'proposed', id: String(applied['proposal_id']) }
          : { kind: 'wrong', what: JSON.stringify(applied) };
      }),
  };
}

/** UPDATE cannot wait, so it is refused. */
function update(context: WriteContext, proposer: Proposer): RandomWrite {
  const { at, domain, unique } = context;
  const { name, type, content: data, ttl } = newRecord(context, proposer);
  const changes = [{ kind: 'add', name: name === '@' ? unique : name, type, data, ttl } as const];
  const message = encodeUpdate(1, domain.name, { prerequisites: [], changes });
  return {
    what: 'UPDATE',
    settings: {},
    send: () =>
      at.replicas.atAny('UPDATE', async (_address, index) => {
        const endpoint = { address: '127.0.0.1', port: at.dnsPorts[index] ?? 0 };
        const [response] = await sendTcp(endpoint, signRequest(message, proposer.tsig), () => true);
        if (!response) throw new Error('no response');
        const rcode = response.readUInt8(3) & 15;
        return rcode === REFUSED ? { kind: 'refused' } : { kind: 'wrong', what: `RCODE ${rcode}` };
      }),
  };
}

function byPowerDns(context: WriteContext, proposer: Proposer): RandomWrite {
  const { at, domain, unique } = context;
  const records = [{ content: `"${unique}"`, disabled: false }];
  const rrsets = [{ name: `${unique}.${domain.name}.`, type: 'TXT', ttl: 60, changetype: 'REPLACE', records }];
  return {
    what: 'PowerDNS API',
    settings: {},
    send: () =>
      at.replicas.atAny('PowerDNS API', async (address) => {
        const { status } = await fetch(`${address}${POWERDNS}/${powerDnsZoneId(domain.name)}`, {
          method: 'PATCH',
          headers: { 'X-API-Key': proposer.apiKey, 'Content-Type': 'application/json' },
          body: JSON.stringify({ rrsets }),
        });
        if (status >= 500) throw new Error(String(status));
        return status === 403 ? { kind: 'refused' } : { kind: 'wrong', what: String(status) };
      }),
  };
}

function setting(context: WriteContext, proposer: Proposer, what: string, settings: Readonly<Record<string, unknown>>) {
  return { ...rest(context, proposer, 'PUT', what, settings), settings };
}

function rest(context: WriteContext, proposer: Proposer, method: string, what: string, body?: object | string) {
  return byRest(context, proposer, method, `/api/domains/${context.domain.id}/${what}`, body);
}

function byRest(
  { at, unique }: WriteContext,
  { apiKey }: Proposer,
  method: string,
  path: string,
  body?: object | string,
  expected = 202,
): RandomWrite {
  const send = async (): Promise<Sent> => {
    const { status, headers, body: made } = await at.replicas.send(apiKey, method, path, body, unique);
    const { id } = (made ?? {}) as { readonly id?: string };
    return status === expected && id !== undefined && headers.get('location') === `/api/proposals/${id}`
      ? { kind: 'proposed', id }
      : { kind: 'wrong', what: `${status} ${JSON.stringify(made)}` };
  };
  return { what: `${method} ${path.replace(/\/(dom|rec)_\w+/g, '/{id}')}`, settings: {}, send };
}

interface SeenJob {
  readonly id: string;
  readonly status: string;
  readonly failures: readonly { readonly name: string; readonly error: { readonly code: string } }[];
}

/** Waits until the job that an accepted write started has done its part. Returns the codes of what failed, of one name if it is given. */
export async function bulkJobEnded(
  { replicas, admin }: ProposingInstallation,
  jobId: string,
  name?: string,
): Promise<readonly string[]> {
  for (;;) {
    const { body }: FinalResponse = await replicas.send(admin, 'GET', `/api/bulk/${jobId}`);
    const { status, failures } = body as SeenJob;
    const ofName = failures.filter((each) => name === undefined || each.name === name);
    if (status === 'finished') return ofName.map(({ error }) => error.code);
    await sleep(20);
  }
}

/** The same of all jobs that run now. */
export async function runningJobsEnded(at: ProposingInstallation, name: string): Promise<readonly string[]> {
  const { body }: FinalResponse = await at.replicas.send(at.admin, 'GET', '/api/bulk');
  const running = (body as readonly Pick<SeenJob, 'id' | 'status'>[]).filter(({ status }) => status !== 'finished');
  return (await Promise.all(running.map(({ id }) => bulkJobEnded(at, id, name)))).flat();
}

function oneRecord({ before, random }: WriteContext, type?: string): SeenRecord | undefined {
  const records = before.records.filter((each) => type === undefined || each.type === type);
  return records[random.between(0, records.length - 1)];
}

function hostsOf({ unique }: WriteContext): readonly string[] {
  return [`${unique}.example.net`, 'ns2.example.net'];
}

function bodyOf({ name, type, content, ttl }: SeenRecord): object {
  return { name, type, content, ttl };
}
