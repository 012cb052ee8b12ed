import type { EntityManager } from 'typeorm';
import type { Clock, LifecycleClock, IdGenerator } from '../../application/ports/system';
import type { StoreName, Stores, UnitOfWork } from '../../application/ports/storage/unit-of-work';
import type { Database } from './database/database';
import { SqlAccountRepository, SqlApiKeyRepository } from './access/sql-access-repositories';
import { SqlFactorRepository } from './access/sql-factors';
import { SqlIdentityRepository } from './access/sql-identities';
import { SqlKeySpending } from './access/sql-key-spending';
import { SqlAuditLog } from './access/sql-audit-log';
import { SqlBulkJobRepository } from './portfolio/sql-bulk-jobs';
import { SqlSavedViewRepository } from './portfolio/sql-saved-views';
import { registeredNamesIn } from '../../application/registration/registered-names';
import { SqlDomainRepository } from './registration/domains/sql-domain-repository';
import { SqlReconciliationRepository } from './registration/sql-reconciliations';
import { SqlHealthRepository } from './health/sql-health';
import { SqlImportRepository } from './registration/sql-import-repository';
import { SqlIdempotencyRecordRepository } from './access/sql-idempotency-record-repository';
import { SqlDeadLetters } from './registration/sql-dead-letters';
import { SqlOperationRepository } from './registration/sql-operation-repository';
import { SqlTransferRepository } from './registration/sql-transfer-repository';
import { SqlSessionRepository } from './access/sql-session-repository';
import { SqlSetupLinkRepository, SqlUserRepository } from './access/sql-user-repository';
import { SqlAliasRepository } from './dns/aliases/sql-aliases';
import type { SignChanges } from '../../application/dns/signing/signatures/sign-changes';
import { SqlSigningRepository } from './dns/dnssec/sql-signing';
import { TouchedZones } from './dns/touched-zones';
import { ZoneSignal } from './dns/zone-signal';
import { SqlCdsScanRepository } from './dns/dnssec/sql-cds-scan-repository';
import { SqlZoneSigningRepository } from './dns/dnssec/sql-zone-signing-repository';
import { SqlTemplateRepository } from './templates/sql-templates';
import { SqlZoneRepository } from './dns/sql-zone-repository';

export class SqlUnitOfWork implements UnitOfWork<StoreName> {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly lifecycleClock: LifecycleClock,
    private readonly signal = new ZoneSignal(),
    private readonly signChanges?: Pick<SignChanges, 'execute' | 'plan'>,
  ) {}

  async run<T>(
    work: (stores: Stores) => Promise<T>,
    accountId?: string,
    options?: { readonly isLong?: boolean },
  ): Promise<T> {
    let changesPublication = false;
    const onPublicationChange = (): void => {
      changesPublication = true;
    };
    const { forUpdate, skipLocked } = this.database;
    const result = await this.database.transaction(
      async (manager) => {
        const domains = new SqlDomainRepository(manager, forUpdate, skipLocked);
        const touched = new TouchedZones();
        const done = await work(this.stores(manager, domains, onPublicationChange, touched));
        const signed = touched.toSign();
        if (signed.size > 0) await this.signChanges?.execute(new SqlSigningRepository(manager), signed);
        await domains.updateCounts();
        return done;
      },
      accountId,
      options,
    );
    if (changesPublication) this.signal.emit();
    return result;
  }

  /** A transaction creates only the repositories that it uses: two or three. */
  private stores(
    manager: EntityManager,
    domains: SqlDomainRepository,
    onPublicationChange: () => void,
    touched: TouchedZones,
  ): Stores {
    const { ids, clock, lifecycleClock, signChanges } = this;
    const { forUpdate, skipLocked } = this.database;
    return {
      domains,
      hostedNames: registeredNamesIn(domains),
      get accounts() {
        return new SqlAccountRepository(manager);
      },
      get aliases() {
        return new SqlAliasRepository(manager);
      },
      get apiKeys() {
        return new SqlApiKeyRepository(manager, forUpdate);
      },
      get audit() {
        return new SqlAuditLog(manager, ids, lifecycleClock);
      },
      get health() {
        return new SqlHealthRepository(manager);
      },
      get cdsScans() {
        return new SqlCdsScanRepository(manager);
      },
      get bulkJobs() {
        return new SqlBulkJobRepository(manager, forUpdate);
      },
      get factors() {
        return new SqlFactorRepository(manager);
      },
      get identities() {
        return new SqlIdentityRepository(manager);
      },
      get idempotencyRecords() {
        return new SqlIdempotencyRecordRepository(manager, forUpdate);
      },
      get imports() {
        return new SqlImportRepository(manager);
      },
      get keySpending() {
        return new SqlKeySpending(manager);
      },
      get reconciliations() {
        return new SqlReconciliationRepository(manager);
      },
      get operations() {
        return new SqlOperationRepository(manager, lifecycleClock);
      },
      get savedViews() {
        return new SqlSavedViewRepository(manager);
      },
      get sessions() {
        return new SqlSessionRepository(manager);
      },
      get setupLinks() {
        return new SqlSetupLinkRepository(manager, forUpdate);
      },
      get deadLetters() {
        return new SqlDeadLetters(manager);
      },
      get transfers() {
        return new SqlTransferRepository(manager, forUpdate, skipLocked);
      },
      get signing() {
        return new SqlSigningRepository(manager);
      },
      get templates() {
        return new SqlTemplateRepository(manager);
      },
      get users() {
        return new SqlUserRepository(manager, forUpdate);
      },
      get zoneSignings() {
        return new SqlZoneSigningRepository(manager, forUpdate, skipLocked);
      },
      get zones() {
        return new SqlZoneRepository(
          manager,
          clock,
          forUpdate,
          skipLocked,
          onPublicationChange,
          touched,
          signChanges && ((zones, reader) => signChanges.plan(new SqlSigningRepository(manager), zones, reader)),
        );
      },
    };
  }
}
