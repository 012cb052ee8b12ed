import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { SqlAccountReader, SqlApiKeyReader } from '../../src/infrastructure/persistence/access/sql-access-repositories';
import { SqlFactorReader } from '../../src/infrastructure/persistence/access/sql-factors';
import { SqlUsedTokenReader } from '../../src/infrastructure/persistence/access/sql-used-tokens';
import { SqlAuditReader } from '../../src/infrastructure/persistence/access/sql-audit-log';
import { SqlWebhookReader } from '../../src/infrastructure/persistence/webhooks/sql-webhooks';
import { SqlFeedCursorReader } from '../../src/infrastructure/persistence/events/sql-feed-cursors';
import { SqlEventFeed } from '../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlAccountMoveReader } from '../../src/infrastructure/persistence/registration/sql-account-moves';
import { SqlDesiredStateReader } from '../../src/infrastructure/persistence/portfolio/sql-desired-states';
import { SqlBulkJobReader } from '../../src/infrastructure/persistence/portfolio/sql-bulk-jobs';
import { SqlDomainReader } from '../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlDomainQueries } from '../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { SqlLeases } from '../../src/infrastructure/persistence/sql-leases';
import { SqlHealthReader } from '../../src/infrastructure/persistence/health/sql-health';
import { SqlImportReader } from '../../src/infrastructure/persistence/registration/sql-import-repository';
import { SqlReconciliationReader } from '../../src/infrastructure/persistence/registration/sql-reconciliations';
import { SqlOperationReader } from '../../src/infrastructure/persistence/registration/sql-operation-repository';
import { SqlTemplateReader } from '../../src/infrastructure/persistence/templates/sql-templates';
import { SqlTransferReader } from '../../src/infrastructure/persistence/registration/sql-transfer-repository';
import { SqlAliasReader } from '../../src/infrastructure/persistence/dns/aliases/sql-aliases';
import { SqlPublishedZones } from '../../src/infrastructure/persistence/dns/transfers/sql-published-zones';
import { SqlRecordQueries } from '../../src/infrastructure/persistence/dns/sql-record-queries';
import { SqlSecondaryDirectory } from '../../src/infrastructure/persistence/dns/sql-secondary-directory';
import { SqlSessionReader } from '../../src/infrastructure/persistence/access/sql-session-repository';
import { SqlDeadLetterReader } from '../../src/infrastructure/persistence/registration/sql-dead-letters';
import { SqlUnitOfWork } from '../../src/infrastructure/persistence/sql-unit-of-work';
import { SqlDailyUsage } from '../../src/infrastructure/persistence/access/sql-daily-usage';
import { SqlSetupLinkReader, SqlUserReader } from '../../src/infrastructure/persistence/access/sql-user-repository';
import { SqlZoneHistory } from '../../src/infrastructure/persistence/dns/sql-zone-history';
import { SqlCdsScanReader } from '../../src/infrastructure/persistence/dns/dnssec/sql-cds-scan-repository';
import { SqlZoneSigningReader } from '../../src/infrastructure/persistence/dns/dnssec/sql-zone-signing-repository';
import { SqlRecordReader } from '../../src/infrastructure/persistence/dns/sql-zone-reader';
import { AesSecretBox } from '../../src/infrastructure/system/aes-secret-box';
import { RandomIds } from '../../src/infrastructure/system/random/random-ids';
import { InMemoryDailyUsage } from '../support/fakes/in-memory/access/in-memory-daily-usage';
import { InMemoryStorage } from '../support/fakes/in-memory/in-memory-storage';
import { MYSQL_MISSING, startMysql } from '../support/databases/mariadb';
import { MovableClock } from '../support/fakes/movable-clock';
import { SequentialIds } from '../support/fakes/sequential-ids';
import { describeOrSkip } from '../support/describe-or-skip';
import { accessRepositoriesContract } from './access/access-repositories.contract';
import { aliasRepositoryContract } from './dns/alias-repository.contract';
import { auditLogContract } from './access/audit-log.contract';
import { feedReaderContract } from './access/feed-reader.contract';
import { webhooksContract } from './access/webhooks.contract';
import { eventFeedContract } from './access/event-feed.contract';
import { accountMovesContract } from './registration/account-moves.contract';
import { desiredStatesContract } from './registration/desired-states.contract';
import { bulkJobsContract } from './registration/bulk-jobs.contract';
import { usedTokensContract } from './access/used-tokens.contract';
import { domainRepositoryContract } from './registration/domain-repository.contract';
import { domainOverviewContract } from './registration/domain-overview.contract';
import { nameNeighborsContract } from './registration/name-neighbors.contract';
import { domainQueriesContract } from './registration/domain-queries.contract';
import { dailyUsageContract } from './access/daily-usage.contract';
import { keyedRequestRepositoryContract } from './access/idempotency-record-repository.contract';
import { healthRepositoryContract } from './registration/health-repository.contract';
import { importRepositoryContract, reconciliationRepositoryContract } from './registration/import-repository.contract';
import { leasesContract } from './leases.contract';
import { operationRepositoryContract } from './registration/operation-repository.contract';
import { publishedZonesContract } from './dns/published-zones.contract';
import { zonePublicationsContract } from './dns/zone-publications.contract';
import { recordQueriesContract } from './dns/record-queries.contract';
import { secondaryDirectoryContract } from './dns/secondary-directory.contract';
import { sessionRepositoryContract } from './access/session-repository.contract';
import type { StorageUnderTest } from './storage-under-test';
import { deadLettersContract } from './registration/dead-letters.contract';
import { templateRepositoryContract } from './dns/template-repository.contract';
import { transferRepositoryContract } from './registration/transfer-repository.contract';
import { factorRepositoryContract } from './access/factor-repository.contract';
import { keySpendingContract } from './access/key-spending.contract';
import { unitOfWorkContract } from './unit-of-work.contract';
import { userRepositoryContract } from './access/user-repository.contract';
import { cdsScansContract } from './dns/cds-scans.contract';
import { signingRepositoryContract } from './dns/signing-repository.contract';
import { zoneSigningsContract } from './dns/zone-signings.contract';
import { zoneHistoryContract } from './dns/zone-history.contract';
import { zoneRepositoryContract } from './dns/zone-repository.contract';

const CONTRACTS = [
  unitOfWorkContract,
  accessRepositoriesContract,
  userRepositoryContract,
  sessionRepositoryContract,
  auditLogContract,
  eventFeedContract,
  feedReaderContract,
  webhooksContract,
  domainRepositoryContract,
  domainOverviewContract,
  domainQueriesContract,
  nameNeighborsContract,
  bulkJobsContract,
  accountMovesContract,
  desiredStatesContract,
  operationRepositoryContract,
  templateRepositoryContract,
  transferRepositoryContract,
  keyedRequestRepositoryContract,
  zoneRepositoryContract,
  recordQueriesContract,
  zoneHistoryContract,
  cdsScansContract,
  zoneSigningsContract,
  signingRepositoryContract,
  aliasRepositoryContract,
  publishedZonesContract,
  zonePublicationsContract,
  secondaryDirectoryContract,
  leasesContract,
  healthRepositoryContract,
  importRepositoryContract,
  reconciliationRepositoryContract,
  dailyUsageContract,
  keySpendingContract,
  factorRepositoryContract,
  usedTokensContract,
  deadLettersContract,
];

interface OpenStorage extends StorageUnderTest {
  close(): Promise<void>;
}

/** One database after the other goes through all suites; every test has its own account. */
function storageContract(open: () => Promise<OpenStorage>): void {
  let storage: OpenStorage;
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  for (const contract of CONTRACTS) contract(() => storage);
}

async function inMemory(): Promise<OpenStorage> {
  const clock = new MovableClock();
  const storage = new InMemoryStorage(new SequentialIds(), clock);
  const dailyUsage = new InMemoryDailyUsage();
  return Object.assign(storage, { clock, unitOfWork: storage, dailyUsage, close: async () => undefined });
}

async function inDatabase(location: DatabaseLocation, cleanUp: () => Promise<void> | void): Promise<OpenStorage> {
  const database = new Database(location, SERVICE_CONTENT);
  await database.open();
  const clock = new MovableClock();
  return {
    clock,
    unitOfWork: new SqlUnitOfWork(database, new RandomIds(), clock, clock),
    accounts: new SqlAccountReader(database),
    aliases: new SqlAliasReader(database),
    accountMoves: new SqlAccountMoveReader(database),
    bulkJobs: new SqlBulkJobReader(database),
    desiredStates: new SqlDesiredStateReader(database),
    apiKeys: new SqlApiKeyReader(database),
    audit: new SqlAuditReader(database),
    eventFeed: new SqlEventFeed(database),
    feedCursors: new SqlFeedCursorReader(database),
    webhooks: new SqlWebhookReader(database),
    domains: new SqlDomainReader(database),
    domainQueries: new SqlDomainQueries(database),
    dailyUsage: new SqlDailyUsage(database),
    health: new SqlHealthReader(database),
    factors: new SqlFactorReader(database),
    usedTokens: new SqlUsedTokenReader(database),
    imports: new SqlImportReader(database),
    reconciliations: new SqlReconciliationReader(database),
    leases: new SqlLeases(database),
    operations: new SqlOperationReader(database),
    publishedZones: new SqlPublishedZones(database),
    zoneHistory: new SqlZoneHistory(database),
    cdsScans: new SqlCdsScanReader(database),
    zoneSignings: new SqlZoneSigningReader(database),
    records: new SqlRecordReader(database),
    recordQueries: new SqlRecordQueries(database),
    secondaryDirectory: new SqlSecondaryDirectory(
      database,
      new AesSecretBox(createSecretKey(Buffer.alloc(32, 1))),
      clock,
    ),
    sessions: new SqlSessionReader(database),
    deadLetters: new SqlDeadLetterReader(database),
    setupLinks: new SqlSetupLinkReader(database),
    templates: new SqlTemplateReader(database),
    transfers: new SqlTransferReader(database),
    users: new SqlUserReader(database),
    close: async () => {
      await database.close();
      await cleanUp();
    },
  };
}

describe('storage in memory', () => {
  storageContract(inMemory);
});

describe('storage in SQLite', () => {
  storageContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-storage-'));
    return inDatabase({ kind: 'sqlite', file: join(folder, 'service.db') }, () =>
      rmSync(folder, { recursive: true, force: true }),
    );
  });
});

describeOrSkip(MYSQL_MISSING)('storage in MySQL', () => {
  storageContract(async () => {
    const mysql = await startMysql();
    return inDatabase({ kind: 'mysql', url: await mysql.createDatabase() }, () => mysql.stop());
  });
});
