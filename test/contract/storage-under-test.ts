import type { AccountReader, ApiKeyReader } from '../../src/application/ports/access/accounts-and-api-keys';
import type { AuditReader, EventFeed, FeedCursorReader } from '../../src/application/ports/access/audit-and-events';
import type { WebhookReader } from '../../src/application/ports/access/webhooks';
import type {
  AccountMoveReader,
  OperationReader,
  TransferReader,
} from '../../src/application/ports/registration/operations-and-transfers';
import type { BulkJobReader, DesiredStateReader } from '../../src/application/ports/portfolio/portfolio-repositories';
import type { DomainReader, DomainQueries } from '../../src/application/ports/registration/domain-repository';
import type { DailyUsage } from '../../src/application/ports/access/rate-limits-and-usage';
import type { Leases } from '../../src/application/ports/storage/replicas';
import type { HealthReader } from '../../src/application/ports/health/health-repository';
import type {
  ImportReader,
  ReconciliationReader,
} from '../../src/application/ports/registration/imports-and-reconciliation';
import type { AliasReader } from '../../src/application/ports/dns/alias-repository';
import type { PublishedZones, SecondaryDirectory } from '../../src/application/ports/dns/publishing';
import type { RecordQueries, ZoneHistory, RecordReader } from '../../src/application/ports/dns/zone-queries';
import type { ZoneWrite } from '../../src/application/ports/dns/zone-repository';
import type { FactorReader } from '../../src/application/ports/access/authentication';
import type { UsedTokenReader } from '../../src/application/ports/access/idempotency-and-used-tokens';
import type { SessionReader, SetupLinkReader, UserReader } from '../../src/application/ports/access/users';
import type { DeadLetterReader } from '../../src/application/ports/registry/registries';
import type { StoreName, UnitOfWork } from '../../src/application/ports/storage/unit-of-work';
import type { CdsScanReader } from '../../src/application/ports/dns/other-nameservers';
import type { ZoneSigningReader } from '../../src/application/ports/dns/signing-repository';
import type { TemplateReader } from '../../src/application/ports/dns/templates-and-domain-connect';
import type { Domain, DomainState } from '../../src/domain/registration/domain';
import { openAccount } from '../../src/domain/access/account';
import { aDomain } from '../support/data/a-domain';
import type { MovableClock } from '../support/fakes/movable-clock';

/** Everything that one database offers, readers and writers. */
export interface StorageUnderTest {
  /** Tells when zones are changed. */
  readonly clock: MovableClock;
  readonly unitOfWork: UnitOfWork<StoreName>;
  readonly accounts: AccountReader;
  readonly aliases: AliasReader;
  readonly accountMoves: AccountMoveReader;
  readonly bulkJobs: BulkJobReader;
  readonly desiredStates: DesiredStateReader;
  readonly apiKeys: ApiKeyReader;
  readonly audit: AuditReader;
  readonly eventFeed: EventFeed;
  readonly feedCursors: FeedCursorReader;
  readonly domains: DomainReader;
  readonly domainQueries: DomainQueries;
  readonly dailyUsage: DailyUsage;
  readonly health: HealthReader;
  readonly factors: FactorReader;
  readonly imports: ImportReader;
  readonly reconciliations: ReconciliationReader;
  readonly leases: Leases;
  readonly operations: OperationReader;
  readonly publishedZones: PublishedZones;
  readonly records: RecordReader;
  readonly recordQueries: RecordQueries;
  readonly secondaryDirectory: SecondaryDirectory;
  readonly sessions: SessionReader;
  readonly deadLetters: DeadLetterReader;
  readonly setupLinks: SetupLinkReader;
  readonly templates: TemplateReader;
  readonly transfers: TransferReader;
  readonly usedTokens: UsedTokenReader;
  readonly users: UserReader;
  readonly webhooks: WebhookReader;
  readonly zoneHistory: ZoneHistory;
  readonly cdsScans: CdsScanReader;
  readonly zoneSignings: ZoneSigningReader;
}

export const BY: ZoneWrite['by'] = { actor: { kind: 'key', id: 'k1' }, at: new Date('2026-01-01T00:00:00.000Z') };
export const T0 = new Date('2026-01-01T00:00:00.000Z');
export const after = (ms: number) => new Date(T0.getTime() + ms);

let serial = 0;
/** An id or name that no other test uses; later ones sort after earlier ones. */
export const fresh = (prefix: string) => `${prefix}${String((serial += 1)).padStart(6, '0')}`;

/** Reads a short list page by page. @throws if it does not end, for example because it starts again */
export async function allOf<T>(read: (last: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
    items.push(...page);
    if (items.length > 100) throw new Error('the list does not end');
  }
  return items;
}

/** A new account's id. */
export async function anAccount({ unitOfWork }: StorageUnderTest): Promise<string> {
  const id = fresh('acc_');
  await unitOfWork.run(({ accounts }) => accounts.add(openAccount(id, 'An account', T0)));
  return id;
}

/** A new account with these domains. Returns its id. */
export async function anAccountWith(
  storage: StorageUnderTest,
  ...domains: readonly Partial<DomainState>[]
): Promise<string> {
  const accountId = await anAccount(storage);
  await storage.unitOfWork.run(async (stores) => {
    for (const overrides of domains) await stores.domains.add(freshDomain(accountId, overrides));
  });
  return accountId;
}

export function freshDomain(accountId: string, overrides: Partial<DomainState> = {}): Domain {
  return aDomain({ id: fresh('dom_'), name: `${fresh('name-')}.com`, accountId, ...overrides });
}

/** A domain that is stored already. */
export async function storedDomain(
  storage: StorageUnderTest,
  accountId: string,
  overrides: Partial<DomainState> = {},
): Promise<Domain> {
  const domain = freshDomain(accountId, overrides);
  await storage.unitOfWork.run(({ domains }) => domains.add(domain));
  return domain;
}
