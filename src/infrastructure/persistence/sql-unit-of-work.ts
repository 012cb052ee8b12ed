import type { EntityManager } from 'typeorm';
import type { Clock, LifecycleClock, IdGenerator } from '../../application/ports/system';
import type { StoreName, Stores, UnitOfWork } from '../../application/ports/storage/unit-of-work';
import type { Database } from './database/database';
import { SqlAccountRepository, SqlApiKeyRepository } from './access/sql-access-repositories';
import { SqlFactorRepository } from './access/sql-factors';
import { SqlAccountMoveRepository } from './registration/sql-account-moves';
import { SqlProposalRepository } from './access/proposals/sql-proposals';
import type { RolledBackRehearsals } from './rolled-back-rehearsals';
import { SqlTrustRuleRepository } from './access/proposals/sql-trust-rules';
import { SqlUsedTokens } from './access/sql-used-tokens';
import { SqlIdentityRepository } from './access/sql-identities';
import { SqlKeySpending } from './access/sql-key-spending';
import { SqlAuditLog } from './access/sql-audit-log';
import { EventSignal } from './events/event-signal';
import { SqlMailSettingsRepository } from './notices/sql-mail-settings';
import { SqlMailRepository } from './notices/sql-mails';
import { SqlNoticeRepository } from './notices/sql-notices';
import { SqlExpiryNotices } from './events/sql-expiry-notices';
import { SqlFeedCursorRepository } from './events/sql-feed-cursors';
import { SqlEventLog, type NoticeOf } from './events/sql-event-log';
import { SqlDeliveryRepository } from './webhooks/sql-deliveries';
import { SqlWebhookRepository } from './webhooks/sql-webhooks';
import { SqlBulkJobRepository } from './portfolio/sql-bulk-jobs';
import { SettingChanges } from './portfolio/setting-changes';
import { SqlDesiredStateRepository } from './portfolio/sql-desired-states';
import { SqlSavedViewRepository } from './portfolio/sql-saved-views';
import { settleSettingDrift } from '../../application/desired-state/settle-setting-drift';
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
import { SqlZonePublicationRepository } from './dns/sql-zone-publications';
import { SqlZoneDelegationRepository } from './dns/sql-zone-delegations';
import { SqlCdsScanRepository } from './dns/dnssec/sql-cds-scan-repository';
import { SqlZoneSigningRepository } from './dns/dnssec/sql-zone-signing-repository';
import { SqlConnectTemplates } from './domain-connect/sql-connect-templates';
import { SqlConnectedServices } from './domain-connect/sql-connected-services';
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
    private readonly eventSignal = new EventSignal(),
    private readonly noticeOf?: NoticeOf,
    private readonly rehearsals?: RolledBackRehearsals,
  ) {}

  async run<T>(
    work: (stores: Stores) => Promise<T>,
    accountId?: string,
    options?: { readonly isLong?: boolean },
  ): Promise<T> {
    const rehearsal = this.rehearsals?.current();
    let changesPublication = false;
    const onPublicationChange = (): void => {
      changesPublication = true;
    };
    const withEvents = new Set<string>();
    const { forUpdate, skipLocked } = this.database;
    const done = this.database.transaction(
      async (manager) => {
        const settings = new SettingChanges();
        const domains = new SqlDomainRepository(manager, forUpdate, skipLocked, settings);
        const touched = new TouchedZones();
        const stores = this.stores(manager, domains, settings, onPublicationChange, touched, withEvents);
        const done = await (rehearsal ? rehearsal.run(manager, stores, work) : work(stores));
        for (const change of settings.byDomain()) await settleSettingDrift(stores, change, this.clock.now());
        const signed = touched.toSign();
        if (signed.size > 0) await this.signChanges?.execute(new SqlSigningRepository(manager), signed);
        await domains.updateCounts();
        return done;
      },
      accountId,
      options,
    );
    const result = await (rehearsal?.resultOf(done) ?? done);
    if (changesPublication) this.signal.emit();
    this.eventSignal.emit(withEvents);
    return result;
  }

  /** A transaction creates only the repositories that it uses: two or three. */
  private stores(
    manager: EntityManager,
    domains: SqlDomainRepository,
    settings: SettingChanges,
    onPublicationChange: () => void,
    touched: TouchedZones,
    withEvents: Set<string>,
  ): Stores {
    const { ids, clock, lifecycleClock, signChanges, noticeOf } = this;
    const { forUpdate, skipLocked } = this.database;
    return {
      domains,
      hostedNames: registeredNamesIn(domains),
      get accountMoves() {
        return new SqlAccountMoveRepository(manager, forUpdate);
      },
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
        return new SqlAuditLog(manager, ids, lifecycleClock, this.events);
      },
      get events() {
        return new SqlEventLog(
          manager,
          lifecycleClock,
          (fact) => {
            withEvents.add(fact.accountId);
            settings.noteActor(fact);
          },
          (...notices) => this.notices.add(...notices),
          noticeOf,
        );
      },
      get feedCursors() {
        return new SqlFeedCursorRepository(manager, forUpdate);
      },
      get zonePublications() {
        return new SqlZonePublicationRepository(manager, forUpdate);
      },
      get deliveries() {
        return new SqlDeliveryRepository(manager, forUpdate, skipLocked);
      },
      get webhooks() {
        return new SqlWebhookRepository(manager, forUpdate);
      },
      get expiryNotices() {
        return new SqlExpiryNotices(manager, forUpdate);
      },
      get health() {
        return new SqlHealthRepository(manager);
      },
      get cdsScans() {
        return new SqlCdsScanRepository(manager);
      },
      get zoneDelegations() {
        return new SqlZoneDelegationRepository(manager);
      },
      get connectedServices() {
        return new SqlConnectedServices(manager);
      },
      get connectTemplates() {
        return new SqlConnectTemplates(manager);
      },
      get bulkJobs() {
        return new SqlBulkJobRepository(manager, forUpdate);
      },
      get usedTokens() {
        return new SqlUsedTokens(manager);
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
      get trustRules() {
        return new SqlTrustRuleRepository(manager, forUpdate);
      },
      get proposals() {
        return new SqlProposalRepository(manager, forUpdate);
      },
      get reconciliations() {
        return new SqlReconciliationRepository(manager);
      },
      get mails() {
        return new SqlMailRepository(manager, forUpdate, skipLocked, noticeOf !== undefined);
      },
      get mailSettings() {
        return new SqlMailSettingsRepository(manager, forUpdate);
      },
      get notices() {
        return new SqlNoticeRepository(manager, noticeOf !== undefined);
      },
      get operations() {
        return new SqlOperationRepository(manager, lifecycleClock);
      },
      get desiredStates() {
        return new SqlDesiredStateRepository(manager, forUpdate, settings);
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
        return new SqlZoneSigningRepository(manager, forUpdate, skipLocked, settings);
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
