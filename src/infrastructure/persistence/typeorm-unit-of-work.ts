import type { EntityManager } from 'typeorm';
import type { Clock } from '../../application/ports/system/clock';
import type { IdGenerator } from '../../application/ports/system/id-generator';
import type { Stores, UnitOfWork } from '../../application/ports/storage/unit-of-work';
import type { Database } from './database/database';
import { TypeOrmAccountRepository, TypeOrmApiKeyRepository } from './access/typeorm-access-repositories';
import { TypeOrmFactorRepository } from './access/sql-factors';
import { TypeOrmIdentityRepository } from './access/sql-identities';
import { TypeOrmKeySpending } from './access/typeorm-key-spending';
import { TypeOrmAuditLog } from './access/typeorm-audit-log';
import { TypeOrmBulkJobRepository } from './portfolio/typeorm-bulk-jobs';
import { TypeOrmSavedViewRepository } from './portfolio/typeorm-saved-views';
import { TypeOrmDomainRepository } from './registration/domains/typeorm-domain-repository';
import { TypeOrmReconciliationRepository } from './registration/typeorm-reconciliations';
import { TypeOrmHealthRepository } from './health/sql-health';
import { TypeOrmImportRepository } from './registration/typeorm-import-repository';
import { TypeOrmIdempotencyRecordRepository } from './access/typeorm-idempotency-record-repository';
import { TypeOrmDeadLetters } from './registration/typeorm-dead-letters';
import { TypeOrmOperationRepository } from './registration/typeorm-operation-repository';
import { TypeOrmTransferRepository } from './registration/typeorm-transfer-repository';
import { TypeOrmSessionRepository } from './access/typeorm-session-repository';
import { TypeOrmSetupLinkRepository, TypeOrmUserRepository } from './access/typeorm-user-repository';
import { TypeOrmAliasRepository } from './dns/aliases/sql-aliases';
import type { SignChanges } from '../../application/dns/dnssec/signatures/sign-changes';
import { TypeOrmSigningRepository } from './dns/dnssec/sql-signing';
import { TouchedZones } from './dns/touched-zones';
import { ZoneSignal } from './dns/zone-signal';
import { TypeOrmCdsScanRepository } from './dns/dnssec/typeorm-cds-scan-repository';
import { TypeOrmZoneSigningRepository } from './dns/dnssec/typeorm-zone-signing-repository';
import { TypeOrmTemplateRepository } from './templates/typeorm-templates';
import { TypeOrmZoneRepository } from './dns/typeorm-zone-repository';

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly lifecycleClock: Clock,
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
        const domains = new TypeOrmDomainRepository(manager, forUpdate, skipLocked);
        const touched = new TouchedZones();
        const done = await work(this.stores(manager, domains, onPublicationChange, touched));
        const signed = touched.toSign();
        if (signed.size > 0) await this.signChanges?.execute(new TypeOrmSigningRepository(manager), signed);
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
    domains: TypeOrmDomainRepository,
    onPublicationChange: () => void,
    touched: TouchedZones,
  ): Stores {
    const { ids, clock, lifecycleClock, signChanges } = this;
    const { forUpdate, skipLocked } = this.database;
    return {
      domains,
      get accounts() {
        return new TypeOrmAccountRepository(manager);
      },
      get aliases() {
        return new TypeOrmAliasRepository(manager);
      },
      get apiKeys() {
        return new TypeOrmApiKeyRepository(manager, forUpdate);
      },
      get audit() {
        return new TypeOrmAuditLog(manager, ids, lifecycleClock);
      },
      get health() {
        return new TypeOrmHealthRepository(manager);
      },
      get cdsScans() {
        return new TypeOrmCdsScanRepository(manager);
      },
      get bulkJobs() {
        return new TypeOrmBulkJobRepository(manager, forUpdate);
      },
      get factors() {
        return new TypeOrmFactorRepository(manager);
      },
      get identities() {
        return new TypeOrmIdentityRepository(manager);
      },
      get idempotencyRecords() {
        return new TypeOrmIdempotencyRecordRepository(manager, forUpdate);
      },
      get imports() {
        return new TypeOrmImportRepository(manager);
      },
      get keySpending() {
        return new TypeOrmKeySpending(manager);
      },
      get reconciliations() {
        return new TypeOrmReconciliationRepository(manager);
      },
      get operations() {
        return new TypeOrmOperationRepository(manager, lifecycleClock);
      },
      get savedViews() {
        return new TypeOrmSavedViewRepository(manager);
      },
      get sessions() {
        return new TypeOrmSessionRepository(manager);
      },
      get setupLinks() {
        return new TypeOrmSetupLinkRepository(manager, forUpdate);
      },
      get deadLetters() {
        return new TypeOrmDeadLetters(manager);
      },
      get transfers() {
        return new TypeOrmTransferRepository(manager, forUpdate, skipLocked);
      },
      get signing() {
        return new TypeOrmSigningRepository(manager);
      },
      get templates() {
        return new TypeOrmTemplateRepository(manager);
      },
      get users() {
        return new TypeOrmUserRepository(manager, forUpdate);
      },
      get zoneSignings() {
        return new TypeOrmZoneSigningRepository(manager, forUpdate, skipLocked);
      },
      get zones() {
        return new TypeOrmZoneRepository(
          manager,
          clock,
          forUpdate,
          skipLocked,
          onPublicationChange,
          touched,
          signChanges && ((zones, reader) => signChanges.plan(new TypeOrmSigningRepository(manager), zones, reader)),
        );
      },
    };
  }
}
