import type { RegistryPort } from '../../src/application/ports/registry/registry-port';
import type { LedgerEntry, RegistrySandbox } from '../../src/application/ports/registry/registry-sandbox';
import { DomainName } from '../../src/domain/registration/domain-name';
import type { Queries } from '../../src/infrastructure/persistence/database/database';
import { isOfRecords, type Wish } from './client';

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
}

export interface Comparison {
  /** Names paid for that the account does not have, or has otherwise than the registry; wishes that were granted and are not there. */
  readonly lost: string[];
  /** What the registry did more than once. */
  readonly double: string[];
  /** What nobody will ever finish. */
  readonly left: string[];
  readonly registrations: number;
  readonly renewals: number;
  readonly operations: number;
}

interface Sides {
  readonly database: Queries;
  readonly registry: RegistryPort;
  readonly sandbox: RegistrySandbox;
  readonly wishes: readonly Wish[];
}

/** Holds against each other what the service believes, what the registry holds and charged, and what the clients were told. */
export async function compare({ database, registry, sandbox, wishes }: Sides): Promise<Comparison> {
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
  const told = await database.query<{ domain_id: string; action: string }>(
    "SELECT domain_id, action FROM audit_log WHERE action IN ('domain.registered', 'domain.renewed')",
  );
  const ledger = await sandbox.ledger();
  const records = await database.query<StoredRecord>('SELECT id, domain_id, name FROM dns_records');
  const facts = { domains, operations, ledger, wishes, told, records };
  return {
    lost: [...(await differences(domains, ledger, registry)), ...unkept(facts), ...recordsAmiss(facts)],
    double: doubles(facts),
    left: operations
      .filter(({ status }) => status !== 'succeeded' && status !== 'failed')
      .map(({ id, kind, status }) => `${kind} ${id} is ${status}`),
    registrations: ledger.filter(({ kind }) => kind === 'register').length,
    renewals: ledger.filter(({ kind }) => kind === 'renew').length,
    operations: operations.length,
  };
}

/** Where the account has a name otherwise than the registry, in either direction. */
async function differences(
  domains: readonly StoredDomain[],
  ledger: readonly LedgerEntry[],
  registry: RegistryPort,
): Promise<string[]> {
  const faults: string[] = [];
  const paid = new Set(ledger.map(({ name }) => name.value));
  for (const name of paid) {
    const held = await registry.info(DomainName.fromState(name));
    const stored = domains.filter((domain) => domain.name === name && domain.status !== 'gone');
    const [domain] = stored;
    if (!held?.sponsoredByUs || !domain || stored.length !== 1)
      faults.push(`${name}: held ${held?.sponsoredByUs ?? false}, stored ${stored.length} times`);
    else if (domain.status !== 'active') faults.push(`${name} is ${domain.status}`);
    else {
      const ours = [
        domain.expires_at,
        domain.transfer_locked === 1,
        (JSON.parse(domain.nameservers) as string[]).join(),
      ];
      const theirs = [held.expiresAt.getTime(), held.transferLocked, held.nameservers.join()];
      if (ours.join(' ') !== theirs.join(' '))
        faults.push(`${name}: stored ${ours.join(' ')}, held ${theirs.join(' ')}`);
    }
  }
  for (const { name, status } of domains)
    if (status !== 'gone' && !paid.has(name)) faults.push(`${name} is ${status} and the registry never sold it`);
  return faults;
}

interface Facts {
  readonly domains: readonly StoredDomain[];
  readonly operations: readonly StoredOperation[];
  readonly ledger: readonly LedgerEntry[];
  readonly wishes: readonly Wish[];
  readonly told: readonly { readonly domain_id: string; readonly action: string }[];
  readonly records: readonly StoredRecord[];
}

/** Records that were granted and are not there, are there twice, or were removed and are there still. A wish without an answer may have come true. */
function recordsAmiss({ wishes, records }: Facts): string[] {
  const ids = new Set(records.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const { domain_id, name } of records)
    counts.set(`${domain_id} ${name}`, (counts.get(`${domain_id} ${name}`) ?? 0) + 1);
  const removed = new Map(wishes.flatMap((wish) => (wish.kind === 'record-removal' ? [[wish.recordId, wish]] : [])));
  return wishes.flatMap((wish) => {
    const { kind, name, status, body, domainId, recordId } = wish;
    if (kind === 'record-removal')
      return status === 200 && ids.has(recordId ?? '') ? [`a record of ${name} was removed and is there`] : [];
    if (kind !== 'record') return [];
    const record = (body as { name: string }).name;
    const found = counts.get(`${domainId} ${record}`) ?? 0;
    const least = status === 201 && !removed.has(recordId) ? 1 : 0;
    return found < least || found > 1 ? [`${record}.${name} was answered ${status} and is there ${found} times`] : [];
  });
}

/** Wishes that were granted, and did not come true. */
function unkept({ domains, operations, wishes }: Facts): string[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const stored = new Map(domains.map((domain) => [domain.id, domain]));
  const faults: string[] = [];
  for (const wish of wishes) {
    const { kind, name, status, operationId, domainId } = wish;
    const operation = byId.get(operationId ?? '');
    if (status === undefined) {
      if (wish.keyed) faults.push(`${kind} of ${name} was never answered`);
    } else if (status >= 300 && !isRefusedByRule(wish)) faults.push(`${kind} of ${name} was refused with ${status}`);
    else if (status < 300 && !isOfRecords(wish) && operation?.status !== 'succeeded')
      faults.push(`${kind} of ${name} was granted, and ${operationId} is ${operation?.status}`);
    else if (kind === 'register' && stored.get(domainId ?? '')?.status !== 'active')
      faults.push(`${name} was answered 201 and is ${stored.get(domainId ?? '')?.status}`);
  }
  for (const wish of lastOfEach(wishes))
    if (!cameTrue(wish, stored.get(wish.domainId ?? '')))
      faults.push(`${wish.kind} of ${wish.name} is not what was asked for last`);
  return faults;
}

/** No expiry may lie more than ten years ahead. */
function isRefusedByRule({ kind, status }: Wish): boolean {
  return kind === 'renew' && status === 400;
}

/** The last wish of each kind on each domain, where it was granted and none without an answer is among them. */
function lastOfEach(wishes: readonly Wish[]): Wish[] {
  const last = new Map<string, Wish>();
  for (const wish of wishes)
    if (wish.kind === 'nameservers' || wish.kind === 'transfer-lock') last.set(`${wish.kind} ${wish.name}`, wish);
  return [...last.values()].filter(({ status }) => status === 200);
}

function cameTrue({ kind, body }: Wish, domain: StoredDomain | undefined): boolean {
  if (kind === 'nameservers')
    return domain?.nameservers === JSON.stringify((body as { nameservers: string[] }).nameservers);
  return domain?.transfer_locked === Number((body as { transfer_locked: boolean }).transfer_locked);
}

/** What was charged, told or begun more often than it was wished for. */
function doubles({ domains, operations, ledger, wishes, told }: Facts): string[] {
  const faults: string[] = [];
  const succeeded = operations.filter(({ status }) => status === 'succeeded');
  for (const { id, name } of domains.filter(({ status }) => status !== 'gone')) {
    const charged = (kind: string) => ledger.filter((entry) => entry.kind === kind && entry.name.value === name).length;
    const done = (kind: string) =>
      succeeded.filter((operation) => operation.domain_id === id && operation.kind === kind).length;
    const audited = (action: string) =>
      told.filter((entry) => entry.domain_id === id && entry.action === action).length;
    if (charged('register') !== 1 || done('register') !== 1 || audited('domain.registered') !== 1)
      faults.push(
        `${name} was registered ${charged('register')} times, by ${done('register')} operations, and told ${audited('domain.registered')} times`,
      );
    if (charged('renew') !== done('renew') || audited('domain.renewed') !== done('renew'))
      faults.push(
        `${name} was renewed ${charged('renew')} times, by ${done('renew')} operations, and told ${audited('domain.renewed')} times`,
      );
  }
  const answered = wishes.flatMap(({ operationId, status = 500 }) =>
    operationId !== undefined && status < 300 ? [operationId] : [],
  );
  if (new Set(answered).size !== answered.length) faults.push('one operation was the answer to two wishes');
  const unanswered = wishes.filter((wish) => wish.status === undefined && !isOfRecords(wish)).length;
  const unasked = succeeded.length - answered.length;
  if (unasked > unanswered)
    faults.push(
      `${unasked} operations succeeded that no answer told of, and ${unanswered} wishes went without an answer`,
    );
  return faults;
}
