import { ContainerModule } from 'inversify';
import { AccountReader, ApiKeyReader } from '../application/ports/access/accounts-and-api-keys';
import { AliasReader } from '../application/ports/dns/alias-repository';
import { AuditReader } from '../application/ports/access/audit-log';
import { BulkJobReader, SavedViewReader } from '../application/ports/portfolio/portfolio-repositories';
import { HostedNameReader, LeavingWarnings } from '../application/ports/dns/hosted-names';
import { GlueChanges } from '../application/ports/dns/glue-changes';
import { GlueUpdates } from '../application/publishing/glue-updates';
import { RegisteredNames } from '../application/registration/registered-names';
import { DomainReader, DomainQueries, RenewalPriceStore } from '../application/ports/registration/domain-repository';
import { IdentityReader, SessionReader, SetupLinkReader, UserReader } from '../application/ports/access/users';
import { FactorReader } from '../application/ports/access/authentication-factors';
import { ExpiredRows } from '../application/ports/storage/expired-rows';
import { DailyUsage } from '../application/ports/storage/daily-usage';
import { Replicas, Leases } from '../application/ports/storage/replicas';
import { HealthReader } from '../application/ports/health/health-repository';
import { ImportReader, ReconciliationReader } from '../application/ports/registration/registrar-repositories';
import { OperationReader, OperationQueries } from '../application/ports/registration/operation-repository';
import { TransferReader } from '../application/ports/registration/transfer-repository';
import { DeadLetterReader } from '../application/ports/registry/message-queues';
import { PublishedZones } from '../application/ports/dns/published-zones';
import { Readiness } from '../application/ports/storage/storage-unavailable';
import { RecordQueries, ZoneHistory, RecordReader, ZoneReader } from '../application/ports/dns/zone-repository';
import { SigningReader, ZoneSigningReader } from '../application/ports/dns/signing-repository';
import { SignChanges } from '../application/dns/signing/signatures/sign-changes';
import { StoredZoneSigner } from '../application/dns/signing/stored-zone-signer';
import { StoredLeavingWarnings } from '../application/dnssec/stored-leaving-warnings';
import { ZoneSigner } from '../application/dns/signing/zone-signer';
import { DueWork } from '../application/lifecycle/due-work';
import { ScheduledWork } from '../application/worker/scheduled-work';
import { Log, Clock, LifecycleClock, IdGenerator, SecretBox } from '../application/ports/system';
import { SecondaryDirectory } from '../application/ports/dns/secondaries';
import { UnitOfWork } from '../application/ports/storage/unit-of-work';
import { TemplateReader } from '../application/ports/dns/template-repository';
import { CdsScanReader } from '../application/ports/dns/parent-and-child-zones';
import type { Database } from '../infrastructure/persistence/database/database';
import { SqlDailyUsage } from '../infrastructure/persistence/access/sql-daily-usage';
import { SqlAccountReader, SqlApiKeyReader } from '../infrastructure/persistence/access/sql-access-repositories';
import { SqlAliasReader } from '../infrastructure/persistence/dns/aliases/sql-aliases';
import { SqlIdentityReader } from '../infrastructure/persistence/access/sql-identities';
import { SqlFactorReader } from '../infrastructure/persistence/access/sql-factors';
import { SqlAuditReader } from '../infrastructure/persistence/access/sql-audit-log';
import { SqlBulkJobReader } from '../infrastructure/persistence/portfolio/sql-bulk-jobs';
import { SqlSavedViewReader } from '../infrastructure/persistence/portfolio/sql-saved-views';
import { SqlDomainReader } from '../infrastructure/persistence/registration/domains/sql-domain-repository';
import { SqlDomainQueries } from '../infrastructure/persistence/registration/domains/sql-domain-queries';
import { SqlReplicas } from '../infrastructure/persistence/sql-replicas';
import { SqlLeases } from '../infrastructure/persistence/sql-leases';
import { SqlHealthReader } from '../infrastructure/persistence/health/sql-health';
import { SqlImportReader } from '../infrastructure/persistence/registration/sql-import-repository';
import { SqlRenewalPrices } from '../infrastructure/persistence/registration/sql-renewal-prices';
import { SqlReconciliationReader } from '../infrastructure/persistence/registration/sql-reconciliations';
import { SqlOperationReader } from '../infrastructure/persistence/registration/sql-operation-repository';
import { SqlTransferReader } from '../infrastructure/persistence/registration/sql-transfer-repository';
import { SqlOperationQueries } from '../infrastructure/persistence/registration/sql-operation-queries';
import { SqlDeadLetterReader } from '../infrastructure/persistence/registration/sql-dead-letters';
import { SqlExpiredRows } from '../infrastructure/persistence/retention/sql-expired-rows';
import { SqlPublishedZones } from '../infrastructure/persistence/dns/transfers/sql-published-zones';
import { SqlRecordQueries } from '../infrastructure/persistence/dns/sql-record-queries';
import { SqlSigningReader } from '../infrastructure/persistence/dns/dnssec/sql-signing';
import { SqlSessionReader } from '../infrastructure/persistence/access/sql-session-repository';
import { SqlSecondaryDirectory } from '../infrastructure/persistence/dns/sql-secondary-directory';
import { DatabaseReadiness } from '../infrastructure/persistence/database-readiness';
import { SqlTemplateReader } from '../infrastructure/persistence/templates/sql-templates';
import { SqlUnitOfWork } from '../infrastructure/persistence/sql-unit-of-work';
import { SqlCdsScanReader } from '../infrastructure/persistence/dns/dnssec/sql-cds-scan-repository';
import { SqlZoneSigningReader } from '../infrastructure/persistence/dns/dnssec/sql-zone-signing-repository';
import { SqlZoneHistory } from '../infrastructure/persistence/dns/sql-zone-history';
import { SqlSetupLinkReader, SqlUserReader } from '../infrastructure/persistence/access/sql-user-repository';
import { ZoneSignal } from '../infrastructure/persistence/dns/zone-signal';
import { SqlRecordReader, SqlZoneReader } from '../infrastructure/persistence/dns/sql-zone-reader';

export function persistenceModule(database: Database): ContainerModule {
  const signal = new ZoneSignal();
  return new ContainerModule(({ bind }) => {
    bind(Readiness)
      .toResolvedValue((clock: Clock, log: Log) => new DatabaseReadiness(database, clock, log), [Clock, Log])
      .inSingletonScope();
    bind(UnitOfWork)
      .toResolvedValue(
        (ids: IdGenerator, clock: Clock, lifecycleClock: LifecycleClock, signChanges: SignChanges) =>
          new SqlUnitOfWork(database, ids, clock, lifecycleClock, signal, signChanges),
        [IdGenerator, Clock, LifecycleClock, SignChanges],
      )
      .inSingletonScope();
    bind(AccountReader).toConstantValue(new SqlAccountReader(database));
    bind(AliasReader).toConstantValue(new SqlAliasReader(database));
    bind(ApiKeyReader).toConstantValue(new SqlApiKeyReader(database));
    bind(AuditReader).toConstantValue(new SqlAuditReader(database));
    bind(BulkJobReader).toConstantValue(new SqlBulkJobReader(database));
    bind(SavedViewReader).toConstantValue(new SqlSavedViewReader(database));
    bind(DomainReader).toConstantValue(new SqlDomainReader(database));
    bind(HostedNameReader).to(RegisteredNames);
    bind(GlueChanges).to(GlueUpdates);
    bind(DomainQueries).toConstantValue(new SqlDomainQueries(database));
    bind(OperationQueries).toConstantValue(new SqlOperationQueries(database));
    bind(DeadLetterReader).toConstantValue(new SqlDeadLetterReader(database));
    bind(HealthReader).toConstantValue(new SqlHealthReader(database));
    bind(IdentityReader).toConstantValue(new SqlIdentityReader(database));
    bind(FactorReader).toConstantValue(new SqlFactorReader(database));
    bind(ImportReader).toConstantValue(new SqlImportReader(database));
    bind(ReconciliationReader).toConstantValue(new SqlReconciliationReader(database));
    bind(RenewalPriceStore).toConstantValue(new SqlRenewalPrices(database));
    bind(OperationReader).toConstantValue(new SqlOperationReader(database));
    bind(TemplateReader).toConstantValue(new SqlTemplateReader(database));
    bind(TransferReader).toConstantValue(new SqlTransferReader(database));
    bind(ExpiredRows).toConstantValue(new SqlExpiredRows(database));
    bind(DailyUsage).toConstantValue(new SqlDailyUsage(database));
    bind(Leases).toConstantValue(new SqlLeases(database));
    bind(Replicas).toConstantValue(new SqlReplicas(database));
    bind(PublishedZones).toConstantValue(new SqlPublishedZones(database, signal));
    bind(SessionReader).toConstantValue(new SqlSessionReader(database));
    bind(SigningReader).toConstantValue(new SqlSigningReader(database));
    bind(ZoneSigner).to(StoredZoneSigner).inSingletonScope();
    bind(LeavingWarnings).to(StoredLeavingWarnings).inSingletonScope();
    bind(DueWork).toService(ScheduledWork);
    bind(SetupLinkReader).toConstantValue(new SqlSetupLinkReader(database));
    bind(UserReader).toConstantValue(new SqlUserReader(database));
    bind(SecondaryDirectory)
      .toResolvedValue(
        (secrets: SecretBox, clock: Clock) => new SqlSecondaryDirectory(database, secrets, clock),
        [SecretBox, Clock],
      )
      .inSingletonScope();
    bind(RecordQueries).toConstantValue(new SqlRecordQueries(database));
    bind(RecordReader).toConstantValue(new SqlRecordReader(database));
    bind(ZoneReader).toConstantValue(new SqlZoneReader(database));
    bind(CdsScanReader).toConstantValue(new SqlCdsScanReader(database));
    bind(ZoneSigningReader).toConstantValue(new SqlZoneSigningReader(database));
    bind(ZoneHistory).toConstantValue(new SqlZoneHistory(database));
  });
}
