import type { RegistryPort } from '../../src/application/ports/registry/registry-port';
import type { LedgerEntry } from '../../src/application/ports/registry/registry-sandbox';
import { DomainName } from '../../src/domain/shared/domain-name';
import type { Queries } from '../../src/infrastructure/persistence/database/database';
import { isRecordChange, OWN_HOST, type SentRequest } from './client';

interface StoredDomain {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly expires_at: number;
  readonly transfer_locked: number;
  readonly nameservers: string;
}

interface StoredOperation {
  readonly id: string;
  readonly domain_id: string;
  readonly kind: string;
  readonly status: string;
}

interface StoredRecord {
  readonly id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** The addresses of hosts at the registry. */
export type RegisteredGlue = ReadonlyMap<string, readonly string[]>;

export interface ConsistencyReport {
  /** Paid names that are missing or differ from the registry, and successful requests without effect. */
  readonly lost: string[];
  /** Commands that the registry ran more than once. */
  readonly double: string[];
  /** Operations that will never finish. */
  readonly left: string[];
  readonly registrations: number;
  readonly renewals: number;
  readonly operations: number;
  /** Updates of the addresses of nameservers among the operations. */
  readonly glueUpdates: number;
}

interface Sides {
  readonly database: Queries;
  readonly registry: RegistryPort;
  /** What the registry has charged. */
  readonly charges: readonly LedgerEntry[];
  readonly requests: readonly SentRequest[];
  /** Absent if the registry's addresses cannot be read. */
  readonly glue?: RegisteredGlue | undefined;
}

/** Compares the service's data, the registry's data and charges, and the responses that the clients got. */
export async function compare({
  database,
  registry,
  charges: ledger,
  requests,
  glue,
}: Sides): Promise<ConsistencyReport> {
  const domains = await database.query<StoredDomain>(
    'SELECT id, name, status, expires_at, transfer_locked, nameservers FROM domains',
  );
  const operations = (
    await database.query<Omit<StoredOperation, 'kind'> & { request: string }>(
      'SELECT id, domain_id, request, status FROM operations',
    )
  ).map(({ request, ...operation }): StoredOperation => ({
    ...operation,
    kind: (JSON.parse(request) as { kind: string }).kind,
  }));
  const auditLog = await database.query<{ domain_id: string; action: string }>(
    "SELECT domain_id, action FROM audit_log WHERE action IN ('domain.registered', 'domain.renewed')",
  );
  const records = await database.query<StoredRecord>('SELECT id, domain_id, name, type, content FROM dns_records');
  const facts = { domains, operations, ledger, requests, auditLog, records };
  return {
    lost: [
      ...(await compareWithRegistry(domains, ledger, registry)),
      ...checkResponses(facts),
      ...checkRecords(facts),
      ...(glue ? checkGlue(facts, glue) : []),
    ],
    double: findDuplicates(facts),
    left: operations
      .filter(({ status }) => status !== 'succeeded' && status !== 'failed')
      .map(({ id, kind, status }) => `${kind} ${id} is ${status}`),
    registrations: ledger.filter(({ kind }) => kind === 'register').length,
    renewals: ledger.filter(({ kind }) => kind === 'renew').length,
    operations: operations.length,
    glueUpdates: operations.filter(({ kind, status }) => kind === 'update_glue' && status === 'succeeded').length,
  };
}

/** Differences between the service and the registry, in both directions. */
async function compareWithRegistry(
  domains: readonly StoredDomain[],
  ledger: readonly LedgerEntry[],
  registry: RegistryPort,
): Promise<string[]> {
  const errors: string[] = [];
  const paid = new Set(ledger.map(({ name }) => name.value));
  for (const name of paid) {
    const held = await registry.info(DomainName.fromState(name));
    const stored = domains.filter((domain) => domain.name === name && domain.status !== 'gone');
    const [domain] = stored;
    if (!held?.sponsoredByUs || !domain || stored.length !== 1)
      errors.push(`${name}: at the registry ${held?.sponsoredByUs ?? false}, stored ${stored.length} times`);
    else if (domain.status !== 'active') errors.push(`${name} is ${domain.status}`);
    else {
      const ours = [
        domain.expires_at,
        domain.transfer_locked === 1,
        (JSON.parse(domain.nameservers) as string[]).toSorted().join(),
      ];
      const theirs = [held.expiresAt.getTime(), held.transferLocked, held.nameservers.toSorted().join()];
      if (ours.join(' ') !== theirs.join(' '))
        errors.push(`${name}: stored ${ours.join(' ')}, at the registry ${theirs.join(' ')}`);
    }
  }
  for (const { name, status } of domains)
    if (status !== 'gone' && !paid.has(name))
      errors.push(`${name} is ${status}, but the registry never charged for it`);
  return errors;
}

interface Facts {
  readonly domains: readonly StoredDomain[];
  readonly operations: readonly StoredOperation[];
  readonly ledger: readonly LedgerEntry[];
  readonly requests: readonly SentRequest[];
  readonly auditLog: readonly { readonly domain_id: string; readonly action: string }[];
  readonly records: readonly StoredRecord[];
}

/** Records that are missing, duplicated, present after their removal, or without their last content. A request without a response may have had its effect. */
function checkRecords({ requests, records }: Facts): string[] {
  const ids = new Set(records.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const { domain_id, name } of records)
    counts.set(`${domain_id} ${name}`, (counts.get(`${domain_id} ${name}`) ?? 0) + 1);
  const removed = new Map(
    requests.flatMap((request) => (request.kind === 'record-removal' ? [[request.recordId, request]] : [])),
  );
  const contents = contentsFor(requests);
  const outdated = records.flatMap(({ id, name, content }) =>
    contents.get(id)?.has(content) === false ? [`${name} (${id}) has an outdated content: ${content}`] : [],
  );
  const others = requests.flatMap((request) => {
    const { kind, name, status, body, domainId, recordId } = request;
    if (kind === 'record-removal')
      return status === 200 && ids.has(recordId ?? '') ? [`a removed record of ${name} is present`] : [];
    if (kind !== 'record') return [];
    const record = (body as { name: string }).name;
    const found = counts.get(`${domainId} ${record}`) ?? 0;
    const least = status === 201 && !removed.has(recordId) ? 1 : 0;
    return found < least || found > 1 ? [`${record}.${name} got ${status} and is present ${found} times`] : [];
  });
  return [...outdated, ...others];
}

/** By record: the last content that was acknowledged, and those of requests without a response, which may have had their effect at any time. */
function contentsFor(requests: readonly SentRequest[]): ReadonlyMap<string, ReadonlySet<string>> {
  const last = new Map<string, string>();
  const unknown = new Map<string, string[]>();
  for (const { kind, recordId, body, status } of requests) {
    if (recordId === undefined || (kind !== 'record' && kind !== 'record-change')) continue;
    const { content } = body as { content: string };
    if (status === undefined) unknown.set(recordId, [...(unknown.get(recordId) ?? []), content]);
    else if (status < 300) last.set(recordId, content);
  }
  return new Map([...last].map(([id, content]) => [id, new Set([content, ...(unknown.get(id) ?? [])])]));
}

/** Nameservers below their own name, whose addresses at the registry differ from those of the zone. */
function checkGlue({ domains, records }: Facts, glue: RegisteredGlue): string[] {
  return domains.flatMap(({ id, name, status, nameservers }) => {
    const host = `${OWN_HOST}.${name}`;
    if (status !== 'active' || !(JSON.parse(nameservers) as string[]).includes(host)) return [];
    const ours = records.filter((record) => record.domain_id === id && record.type === 'A' && record.name === OWN_HOST);
    const addresses = ours.map(({ content }) => content).join();
    const theirs = glue.get(host)?.join();
    return addresses === theirs ? [] : [`${host} has ${addresses}, at the registry ${theirs}`];
  });
}

/** Successful requests without effect, and requests that failed or got no response. */
function checkResponses({ domains, operations, requests }: Facts): string[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const stored = new Map(domains.map((domain) => [domain.id, domain]));
  const errors: string[] = [];
  for (const request of requests) {
    const { kind, name, status, code, operationId, domainId } = request;
    const operation = byId.get(operationId ?? '');
    if (status === undefined) {
      if (request.keyed) errors.push(`${kind} of ${name} got no response`);
    } else if (status >= 300 && !isExpectedRejection(request))
      errors.push(`${kind} of ${name} failed with ${status} ${code}`);
    else if (status < 300 && !isRecordChange(request) && operation?.status !== 'succeeded')
      errors.push(`${kind} of ${name} got ${status}, but ${operationId} is ${operation?.status}`);
    else if (kind === 'register' && stored.get(domainId ?? '')?.status !== 'active')
      errors.push(`${name} got 201, but is ${stored.get(domainId ?? '')?.status}`);
  }
  for (const request of lastSettings(requests))
    if (
      ![request, ...unansweredLike(request, requests)].some((each) => isApplied(each, stored.get(each.domainId ?? '')))
    )
      errors.push(`${request.kind} of ${request.name} was not applied`);
  return errors;
}

/** A renewal beyond ten years is rejected. */
function isExpectedRejection({ kind, status }: SentRequest): boolean {
  return kind === 'renew' && status === 400;
}

/** The last nameserver and lock change of each domain, if it succeeded. */
function lastSettings(requests: readonly SentRequest[]): SentRequest[] {
  const last = new Map<string, SentRequest>();
  for (const request of requests)
    if (request.kind === 'nameservers' || request.kind === 'transfer-lock')
      last.set(`${request.kind} ${request.name}`, request);
  return [...last.values()].filter(({ status }) => status === 200);
}

/** A suspended replica may execute them after a later one was acknowledged by another. */
function unansweredLike({ kind, name }: SentRequest, requests: readonly SentRequest[]): readonly SentRequest[] {
  return requests.filter((each) => each.kind === kind && each.name === name && each.status === undefined);
}

function isApplied({ kind, body }: SentRequest, domain: StoredDomain | undefined): boolean {
  if (kind === 'nameservers')
    return domain?.nameservers === JSON.stringify((body as { nameservers: string[] }).nameservers);
  return domain?.transfer_locked === Number((body as { transfer_locked: boolean }).transfer_locked);
}

/** Charges, audit entries and operations that occur more often than requested. */
function findDuplicates({ domains, operations, ledger, requests, auditLog }: Facts): string[] {
  const errors: string[] = [];
  const succeeded = operations.filter(({ status }) => status === 'succeeded');
  for (const { id, name } of domains.filter(({ status }) => status !== 'gone')) {
    const charged = (kind: string) => ledger.filter((entry) => entry.kind === kind && entry.name.value === name).length;
    const done = (kind: string) =>
      succeeded.filter((operation) => operation.domain_id === id && operation.kind === kind).length;
    const audited = (action: string) =>
      auditLog.filter((entry) => entry.domain_id === id && entry.action === action).length;
    if (charged('register') !== 1 || done('register') !== 1 || audited('domain.registered') !== 1)
      errors.push(
        `${name} was registered ${charged('register')} times, by ${done('register')} operations, and audited ${audited('domain.registered')} times`,
      );
    if (charged('renew') !== done('renew') || audited('domain.renewed') !== done('renew'))
      errors.push(
        `${name} was renewed ${charged('renew')} times, by ${done('renew')} operations, and audited ${audited('domain.renewed')} times`,
      );
  }
  const answered = requests.flatMap(({ operationId, status = 500 }) =>
    operationId !== undefined && status < 300 ? [operationId] : [],
  );
  if (new Set(answered).size !== answered.length) errors.push('two requests share one operation');
  const unanswered = requests.filter((request) => request.status === undefined && !isRecordChange(request)).length;
  const unexplained = succeeded.filter(({ kind }) => kind !== 'update_glue').length - answered.length;
  if (unexplained > unanswered)
    errors.push(
      `${unexplained} operations succeeded without a response, but only ${unanswered} requests got no response`,
    );
  return errors;
}
