import { ContainerModule } from 'inversify';
import { AccountReader, ApiKeyReader } from '../application/ports/access/accounts-and-api-keys';
import { AliasReader } from '../application/ports/dns/alias-repository';
import { ZonePublicationReader, PublishedZones, SecondaryDirectory } from '../application/ports/dns/publishing';
import { TrustRuleReader } from '../application/ports/access/trust-rules';
import { WebhookReader } from '../application/ports/access/webhooks';
import { FeedCursorReader, EventFeed, AuditReader } from '../application/ports/access/audit-and-events';
import {
  BulkJobReader,
  DesiredStateReader,
  SavedViewReader,
  CostQueries,
} from '../application/ports/portfolio/portfolio-repositories';
import { HostedNameReader, LeavingWarnings } from '../application/ports/dns/hosted-names';
import { GlueChanges } from '../application/ports/dns/glue-changes';
import { CdsScanReader } from '../application/ports/dns/other-nameservers';
import { GlueUpdates } from '../application/publishing/glue-updates';
import { RegisteredNames } from '../application/registration/registered-names';
import { MailReader, MailSettingsReader, NoticeReader } from '../application/ports/notices/mails-and-notices';
import { DomainReader, DomainQueries, RenewalPriceStore } from '../application/ports/registration/domain-repository';
import { IdentityReader, SessionReader, SetupLinkReader, UserReader } from '../application/ports/access/users';
import { FactorReader } from '../application/ports/access/authentication';
import {
  AccountMoveReader,
  OperationReader,
  OperationQueries,
  TransferReader,
} from '../application/ports/registration/operations-and-transfers';
import { ProposalReader } from '../application/ports/access/proposals';
import { Rehearsals, UnitOfWork } from '../application/ports/storage/unit-of-work';
import { UsedTokenReader } from '../application/ports/access/idempotency-and-used-tokens';
import { ExpiredRows } from '../application/ports/storage/expired-rows';
import { DailyUsage } from '../application/ports/access/rate-limits-and-usage';
import { Replicas, Leases } from '../application/ports/storage/replicas';
import { HealthReader } from '../application/ports/health/health-repository';
import { ImportReader, ReconciliationReader } from '../application/ports/registration/imports-and-reconciliation';
import { DeadLetterReader } from '../application/ports/registry/registries';
import { Readiness } from '../application/ports/storage/storage-unavailable';
import { RecordQueries, ZoneHistory, RecordReader } from '../application/ports/dns/zone-queries';
import { ZoneReader } from '../application/ports/dns/zone-repository';
import { SigningReader, ZoneSigningReader } from '../application/ports/dns/signing-repository';
import { SignChanges } from '../application/dns/signing/signatures/sign-changes';
import { StoredZoneSigner } from '../application/dns/signing/stored-zone-signer';
import { StoredLeavingWarnings } from '../application/dnssec/stored-leaving-warnings';
import { ZoneSigner } from '../application/dns/signing/zone-signer';
import { noticeOfEvent } from '../application/notices/notice-of-event';
import { NoticeSettings } from '../application/notices/notice-settings';
import { DueWork } from '../application/lifecycle/due-work';
import { ScheduledWork } from '../application/worker/scheduled-work';
import { Log, Clock, LifecycleClock, IdGenerator, SecretBox } from '../application/ports/system';
import {
  ConnectTemplateReader,
  ConnectedServiceReader,
  ZoneDiscoveryReader,
  TemplateReader,
} from '../application/ports/dns/templates-and-domain-connect';
import type { Database } from '../infrastructure/persistence/database/database';
import { SqlDailyUsage } from '../infrastructure/persistence/access/sql-daily-usage';
import { SqlAccountReader, SqlApiKeyReader } from '../infrastructure/persistence/access/sql-access-repositories';
import { SqlAliasReader } from '../infrastructure/persistence/dns/aliases/sql-aliases';
import { SqlIdentityReader } from '../infrastructure/persistence/access/sql-identities';
import { SqlFactorReader } from '../infrastructure/persistence/access/sql-factors';
import { SqlAccountMoveReader } from '../infrastructure/persistence/registration/sql-account-moves';
import { SqlProposalReader } from '../infrastructure/persistence/access/proposals/sql-proposals';
import { RolledBackRehearsals } from '../infrastructure/persistence/rolled-back-rehearsals';
import { SqlUsedTokenReader } from '../infrastructure/persistence/access/sql-used-tokens';
import { SqlAuditReader } from '../infrastructure/persistence/access/sql-audit-log';
import { SqlZonePublicationReader } from '../infrastructure/persistence/dns/sql-zone-publications';
import { SqlTrustRuleReader } from '../infrastructure/persistence/access/proposals/sql-trust-rules';
import { SqlWebhookReader } from '../infrastructure/persistence/webhooks/sql-webhooks';
import { SqlFeedCursorReader } from '../infrastructure/persistence/events/sql-feed-cursors';
import { EventSignal } from '../infrastructure/persistence/events/event-signal';
import { SqlEventFeed } from '../infrastructure/persistence/events/sql-event-feed';
import { SqlMailSettingsReader } from '../infrastructure/persistence/notices/sql-mail-settings';
import { SqlMailReader } from '../infrastructure/persistence/notices/sql-mails';
import { SqlNoticeReader } from '../infrastructure/persistence/notices/sql-notices';
import { SqlBulkJobReader } from '../infrastructure/persistence/portfolio/sql-bulk-jobs';
import { SqlDesiredStateReader } from '../infrastructure/persistence/portfolio/sql-desired-states';
import { SqlSavedViewReader } from '../infrastructure/persistence/portfolio/sql-saved-views';
import { SqlDomainReader } from '../infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlDomainQueries } from '../infrastructure/persistence/registration/domains/sql-domain-queries';
import { SqlReplicas } from '../infrastructure/persistence/sql-replicas';
import { SqlLeases } from '../infrastructure/persistence/sql-leases';
import { SqlHealthReader } from '../infrastructure/persistence/health/sql-health';
import { SqlImportReader } from '../infrastructure/persistence/registration/sql-import-repository';
import { SqlRenewalPrices } from '../infrastructure/persistence/registration/sql-renewal-prices';
import { SqlReconciliationReader } from '../infrastructure/persistence/registration/sql-reconciliations';
import { SqlOperationReader } from '../infrastructure/persistence/registration/sql-operation-repository';
import { SqlTransferReader } from '../infrastructure/persistence/registration/sql-transfer-repository';
import { SqlCostQueries } from '../infrastructure/persistence/registration/sql-cost-queries';
import { SqlOperationQueries } from '../infrastructure/persistence/registration/sql-operation-queries';
import { SqlDeadLetterReader } from '../infrastructure/persistence/registration/sql-dead-letters';
import { SqlExpiredRows } from '../infrastructure/persistence/retention/sql-expired-rows';
import { SqlPublishedZones } from '../infrastructure/persistence/dns/transfers/sql-published-zones';
import { SqlRecordQueries } from '../infrastructure/persistence/dns/sql-record-queries';
import { SqlSigningReader } from '../infrastructure/persistence/dns/dnssec/sql-signing';
import { SqlSessionReader } from '../infrastructure/persistence/access/sql-session-repository';
import { SqlSecondaryDirectory } from '../infrastructure/persistence/dns/sql-secondary-directory';
import { DatabaseReadiness } from '../infrastructure/persistence/database-readiness';
import { SqlZoneDiscovery } from '../infrastructure/persistence/domain-connect/sql-zone-discovery';
import { SqlConnectTemplateReader } from '../infrastructure/persistence/domain-connect/sql-connect-templates';
import { SqlConnectedServiceReader } from '../infrastructure/persistence/domain-connect/sql-connected-services';
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
  const eventSignal = new EventSignal();
  const rehearsals = new RolledBackRehearsals();
  return new ContainerModule(({ bind }) => {
    bind(Readiness)
      .toResolvedValue((clock: Clock, log: Log) => new DatabaseReadiness(database, clock, log), [Clock, Log])
      .inSingletonScope();
    bind(UnitOfWork)
      .toResolvedValue(
        (
          ids: IdGenerator,
          clock: Clock,
          lifecycleClock: LifecycleClock,
          signChanges: SignChanges,
          { delivery }: NoticeSettings,
        ) =>
          new SqlUnitOfWork(
            database,
            ids,
            clock,
            lifecycleClock,
            signal,
            signChanges,
            eventSignal,
            delivery === 'off' ? undefined : (fact) => noticeOfEvent(fact, ids.next('evt')),
            rehearsals,
          ),
        [IdGenerator, Clock, LifecycleClock, SignChanges, NoticeSettings],
      )
      .inSingletonScope();
    bind(AccountReader).toConstantValue(new SqlAccountReader(database));
    bind(AliasReader).toConstantValue(new SqlAliasReader(database));
    bind(ApiKeyReader).toConstantValue(new SqlApiKeyReader(database));
    bind(AuditReader).toConstantValue(new SqlAuditReader(database));
    bind(EventFeed).toConstantValue(new SqlEventFeed(database, eventSignal));
    bind(TrustRuleReader).toConstantValue(new SqlTrustRuleReader(database));
    bind(WebhookReader).toConstantValue(new SqlWebhookReader(database));
    bind(FeedCursorReader).toConstantValue(new SqlFeedCursorReader(database));
    bind(NoticeReader).toConstantValue(new SqlNoticeReader(database));
    bind(MailReader).toConstantValue(new SqlMailReader(database));
    bind(MailSettingsReader).toConstantValue(new SqlMailSettingsReader(database));
    bind(ZonePublicationReader).toConstantValue(new SqlZonePublicationReader(database));
    bind(BulkJobReader).toConstantValue(new SqlBulkJobReader(database));
    bind(DesiredStateReader).toConstantValue(new SqlDesiredStateReader(database));
    bind(SavedViewReader).toConstantValue(new SqlSavedViewReader(database));
    bind(DomainReader).toConstantValue(new SqlDomainReader(database));
    bind(HostedNameReader).to(RegisteredNames);
    bind(GlueChanges).to(GlueUpdates);
    bind(DomainQueries).toConstantValue(new SqlDomainQueries(database));
    bind(CostQueries).toConstantValue(new SqlCostQueries(database));
    bind(OperationQueries).toConstantValue(new SqlOperationQueries(database));
    bind(DeadLetterReader).toConstantValue(new SqlDeadLetterReader(database));
    bind(HealthReader).toConstantValue(new SqlHealthReader(database));
    bind(IdentityReader).toConstantValue(new SqlIdentityReader(database));
    bind(FactorReader).toConstantValue(new SqlFactorReader(database));
    bind(AccountMoveReader).toConstantValue(new SqlAccountMoveReader(database));
    bind(ProposalReader).toConstantValue(new SqlProposalReader(database));
    bind(Rehearsals).toConstantValue(rehearsals);
    bind(UsedTokenReader).toConstantValue(new SqlUsedTokenReader(database));
    bind(ImportReader).toConstantValue(new SqlImportReader(database));
    bind(ReconciliationReader).toConstantValue(new SqlReconciliationReader(database));
    bind(RenewalPriceStore).toConstantValue(new SqlRenewalPrices(database));
    bind(OperationReader).toConstantValue(new SqlOperationReader(database));
    bind(ConnectTemplateReader).toConstantValue(new SqlConnectTemplateReader(database));
    bind(ZoneDiscoveryReader).toConstantValue(new SqlZoneDiscovery(database));
    bind(ConnectedServiceReader).toConstantValue(new SqlConnectedServiceReader(database));
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
