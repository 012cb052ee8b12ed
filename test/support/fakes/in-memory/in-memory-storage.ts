import { SERVICE } from '../../../../src/domain/access/actor';
import type { Clock, IdGenerator } from '../../../../src/application/ports/system';
import { StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import type { StoreName, Stores, UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { Mutex } from '../../../../src/infrastructure/registry/sandbox/epp-server/mutex';
import {
  InMemoryAccountReader,
  InMemoryAccountRepository,
  InMemoryApiKeyReader,
  InMemoryApiKeyRepository,
} from './access/in-memory-access-repositories';
import {
  settleSettingDrift,
  type ChangedSettings,
} from '../../../../src/application/desired-state/settle-setting-drift';
import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import { settingsChangedBy } from '../../../../src/domain/portfolio/desired-state';
import { ListDomains } from '../../../../src/application/registration/list-domains';
import { RegisteredNames, registeredNamesIn } from '../../../../src/application/registration/registered-names';
import { VisibleDomains } from '../../../../src/application/registration/visible-domains';
import { InMemoryAliasReader, InMemoryAliasRepository } from './dns/in-memory-aliases';
import { InMemoryAuditLog, InMemoryAuditReader } from './access/in-memory-audit-log';
import { InMemoryEventFeed, InMemoryEventLog } from './access/in-memory-events';
import { InMemoryZonePublications } from './dns/in-memory-zone-publications';
import { InMemoryFeedCursorReader, InMemoryFeedCursorRepository } from './access/in-memory-feed-cursors';
import {
  InMemoryMailReader,
  InMemoryMailRepository,
  InMemoryMailSettings,
  InMemoryNoticeReader,
  InMemoryNoticeRepository,
} from './access/in-memory-notices';
import { InMemoryTrustRuleReader, InMemoryTrustRules } from './access/in-memory-trust-rules';
import { InMemoryDeliveries, InMemoryWebhookReader, InMemoryWebhooks } from './access/in-memory-webhooks';
import { InMemoryBulkJobReader, InMemoryBulkJobRepository } from './registration/in-memory-bulk-jobs';
import { InMemoryDesiredStates } from './registration/in-memory-desired-states';
import { InMemorySavedViews } from './registration/in-memory-saved-views';
import { InMemoryExpiryNotices } from './registration/in-memory-expiry-notices';
import { InMemoryDomainReader, InMemoryDomainRepository } from './registration/in-memory-domain-repository';
import { InMemoryDomainQueries } from './registration/in-memory-domain-queries';
import { InMemoryIdentityReader, InMemoryIdentityRepository } from './access/in-memory-identities';
import { InMemoryFactorReader, InMemoryFactorRepository } from './access/in-memory-factors';
import {
  InMemoryConnectedServices,
  InMemoryConnectTemplates,
  InMemoryZoneDiscovery,
} from './dns/in-memory-domain-connect';
import { InMemoryAccountMoves } from './registration/in-memory-account-moves';
import { InMemoryProposalReader, InMemoryProposals } from './access/in-memory-proposals';
import { InMemoryUsedTokenReader, InMemoryUsedTokens } from './access/in-memory-used-tokens';
import { InMemoryIdempotencyRecordRepository } from './access/in-memory-idempotency-record-repository';
import { InMemoryHealthReader, InMemoryHealthRepository } from './registration/in-memory-health';
import { InMemoryImportReader, InMemoryImportRepository } from './registration/in-memory-import-repository';
import { InMemoryKeySpending } from './access/in-memory-key-spending';
import {
  InMemoryReconciliationReader,
  InMemoryReconciliationRepository,
} from './registration/in-memory-reconciliations';
import { InMemoryLeases } from './in-memory-leases';
import { InMemoryOperationReader, InMemoryOperationRepository } from './registration/in-memory-operation-repository';
import { InMemoryTransferReader, InMemoryTransferRepository } from './registration/in-memory-transfer-repository';
import { InMemoryPublishedZones } from './dns/in-memory-published-zones';
import { InMemoryRecordQueries } from './dns/in-memory-record-queries';
import { InMemorySecondaryDirectory } from './dns/in-memory-secondary-directory';
import {
  InMemorySessionReader,
  InMemorySessionRepository,
  InMemorySetupLinkReader,
  InMemorySetupLinkRepository,
  InMemoryUserReader,
  InMemoryUserRepository,
} from './access/in-memory-user-repository';
import { InMemorySigning } from './dns/in-memory-signing';
import {
  InMemoryRecordReader,
  InMemoryZoneHistory,
  InMemoryZoneReader,
  InMemoryZoneRepository,
} from './dns/in-memory-zone-repository';
import { InMemoryCdsScanReader, InMemoryCdsScanRepository } from './dns/in-memory-cds-scans';
import { InMemoryZoneSigningReader, InMemoryZoneSigningRepository } from './dns/in-memory-zone-signings';
import { InMemoryDeadLetterReader, InMemoryDeadLetters } from './registration/in-memory-dead-letters';
import { InMemoryTemplateReader, InMemoryTemplateRepository } from './dns/in-memory-templates';
import { copyOf, emptyTables, type Tables, type Transaction } from './tables';

/** A database of maps: units of work one after another, each on a copy that takes the place of the original when it is committed. */
export class InMemoryStorage implements UnitOfWork<StoreName> {
  private committed: Tables = emptyTables();
  private reachable = true;
  private repeating = false;
  private readonly oneAtATime = new Mutex();

  readonly accounts = new InMemoryAccountReader(() => this.tables);
  readonly aliases = new InMemoryAliasReader(() => this.tables);
  readonly apiKeys = new InMemoryApiKeyReader(() => this.tables);
  readonly audit = new InMemoryAuditReader(() => this.tables);
  readonly eventFeed = new InMemoryEventFeed(() => this.tables);
  readonly feedCursors = new InMemoryFeedCursorReader(() => this.tables);
  readonly notices = new InMemoryNoticeReader(() => this.tables);
  readonly mails = new InMemoryMailReader(() => this.tables);
  readonly mailSettings = new InMemoryMailSettings(() => this.tables);
  readonly trustRules = new InMemoryTrustRuleReader(() => this.tables);
  readonly webhooks = new InMemoryWebhookReader(() => this.tables);
  readonly desiredStates = new InMemoryDesiredStates(() => this.tables);
  readonly connectedServices = new InMemoryConnectedServices(() => this.tables);
  readonly zoneDiscovery = new InMemoryZoneDiscovery(() => this.tables);
  readonly connectTemplates = new InMemoryConnectTemplates(() => this.tables);
  readonly bulkJobs = new InMemoryBulkJobReader(() => this.tables);
  readonly domains = new InMemoryDomainReader(() => this.tables);
  readonly domainQueries = new InMemoryDomainQueries(() => this.tables);
  readonly hostedNames = new RegisteredNames(
    this.domains,
    new ListDomains(this.domains, new VisibleDomains(this.domainQueries)),
  );
  readonly health = new InMemoryHealthReader(() => this.tables);
  readonly identities = new InMemoryIdentityReader(() => this.tables);
  readonly factors = new InMemoryFactorReader(() => this.tables);
  readonly accountMoves = new InMemoryAccountMoves(() => this.tables);
  readonly proposals = new InMemoryProposalReader(() => this.tables);
  readonly usedTokens = new InMemoryUsedTokenReader(() => this.tables);
  readonly imports = new InMemoryImportReader(() => this.tables);
  readonly reconciliations = new InMemoryReconciliationReader(() => this.tables);
  readonly operations = new InMemoryOperationReader(() => this.tables);
  readonly transfers = new InMemoryTransferReader(() => this.tables);
  readonly publishedZones = new InMemoryPublishedZones(() => this.tables);
  readonly recordQueries = new InMemoryRecordQueries(() => this.tables);
  readonly records = new InMemoryRecordReader(() => this.tables);
  readonly zones = new InMemoryZoneReader(() => this.tables);
  readonly cdsScans = new InMemoryCdsScanReader(() => this.tables);
  readonly zoneSignings = new InMemoryZoneSigningReader(() => this.tables);
  readonly zoneHistory = new InMemoryZoneHistory(() => this.tables);
  readonly sessions = new InMemorySessionReader(() => this.tables);
  readonly deadLetters = new InMemoryDeadLetterReader(() => this.tables);
  readonly setupLinks = new InMemorySetupLinkReader(() => this.tables);
  readonly templates = new InMemoryTemplateReader(() => this.tables);
  readonly signing = new InMemorySigning(() => this.tables);
  readonly users = new InMemoryUserReader(() => this.tables);
  readonly leases = new InMemoryLeases((change) => this.transact(change));
  readonly secondaryDirectory = new InMemorySecondaryDirectory(
    () => this.tables,
    (change) => this.transact(change),
  );

  constructor(
    private readonly ids: IdGenerator,
    readonly clock: Clock,
  ) {}

  /** What is committed, for tests to look at. @throws StorageUnavailable */
  get tables(): Tables {
    if (!this.reachable) throw new StorageUnavailable();
    return this.committed;
  }

  /** From now on nothing can be read or written. */
  goDown(): void {
    this.reachable = false;
  }

  comeUp(): void {
    this.reachable = true;
  }

  /** From now on every unit of work is run twice, as after a deadlock: what it did the first time is undone. */
  repeatEveryUnit(): void {
    this.repeating = true;
  }

  run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.transact(async (tables) => {
      const stores = this.storesOn(tables);
      const result = await work(stores);
      for (const change of changedSettings(this.tables, tables))
        await settleSettingDrift(stores, change, this.clock.now());
      return result;
    });
  }

  private transact<T>(change: Transaction<T>): Promise<T> {
    return this.oneAtATime.run(async () => {
      if (this.repeating) await change(copyOf(this.tables));
      const draft = copyOf(this.tables);
      const result = await change(draft);
      this.commit(draft);
      return result;
    });
  }

  private commit(draft: Tables): void {
    if (!this.reachable) throw new StorageUnavailable();
    for (const [id, zone] of draft.zones)
      if (zone.version !== this.committed.zones.get(id)?.version)
        draft.zones.set(id, { ...zone, changedAt: this.clock.now() });
    this.committed = draft;
  }

  private storesOn(tables: Tables): Stores {
    const domains = new InMemoryDomainRepository(tables);
    return {
      accountMoves: new InMemoryAccountMoves(() => tables),
      accounts: new InMemoryAccountRepository(tables),
      aliases: new InMemoryAliasRepository(tables),
      apiKeys: new InMemoryApiKeyRepository(tables),
      audit: new InMemoryAuditLog(tables, this.ids),
      connectedServices: new InMemoryConnectedServices(() => tables),
      connectTemplates: new InMemoryConnectTemplates(() => tables),
      bulkJobs: new InMemoryBulkJobRepository(tables),
      domains,
      hostedNames: registeredNamesIn(domains),
      events: new InMemoryEventLog(tables),
      feedCursors: new InMemoryFeedCursorRepository(tables),
      zonePublications: new InMemoryZonePublications(tables),
      trustRules: new InMemoryTrustRules(tables),
      webhooks: new InMemoryWebhooks(tables),
      deliveries: new InMemoryDeliveries(tables),
      expiryNotices: new InMemoryExpiryNotices(tables),
      health: new InMemoryHealthRepository(tables),
      factors: new InMemoryFactorRepository(tables),
      usedTokens: new InMemoryUsedTokens(tables),
      proposals: new InMemoryProposals(tables),
      identities: new InMemoryIdentityRepository(tables),
      idempotencyRecords: new InMemoryIdempotencyRecordRepository(tables),
      imports: new InMemoryImportRepository(tables),
      keySpending: new InMemoryKeySpending(tables),
      reconciliations: new InMemoryReconciliationRepository(tables),
      mails: new InMemoryMailRepository(tables),
      mailSettings: new InMemoryMailSettings(() => tables),
      notices: new InMemoryNoticeRepository(tables),
      operations: new InMemoryOperationRepository(tables),
      desiredStates: new InMemoryDesiredStates(() => tables),
      savedViews: new InMemorySavedViews(() => tables),
      sessions: new InMemorySessionRepository(tables),
      setupLinks: new InMemorySetupLinkRepository(tables),
      deadLetters: new InMemoryDeadLetters(tables),
      transfers: new InMemoryTransferRepository(tables),
      templates: new InMemoryTemplateRepository(tables),
      users: new InMemoryUserRepository(tables),
      signing: new InMemorySigning(() => tables),
      zones: new InMemoryZoneRepository(tables),
      cdsScans: new InMemoryCdsScanRepository(tables),
      zoneDelegations: {
        find: async (domainId) => tables.zoneDelegations.get(domainId),
        save: async (delegation) => void tables.zoneDelegations.set(delegation.domainId, delegation),
        forget: async (domainId) => void tables.zoneDelegations.delete(domainId),
      },
      zoneSignings: new InMemoryZoneSigningRepository(tables),
    };
  }
}

/** The settings that differ, by domain. */
function changedSettings(before: Tables, after: Tables): readonly ChangedSettings[] {
  return [...after.domains.values()].flatMap((domain): ChangedSettings[] => {
    const { id, accountId } = domain;
    const former = before.domains.get(id);
    const names = [
      ...(former ? settingsChangedBy(former, domain) : []),
      ...(isSigned(before, id) === isSigned(after, id) ? [] : (['dnssec'] as const)),
    ];
    const appended = after.events.get(accountId)?.slice(before.events.get(accountId)?.length ?? 0);
    const { actor = SERVICE } = appended?.findLast((event) => event.domain?.id === id) ?? {};
    const isSettled = after.recordDrift.get(id) === 0 && before.recordDrift.get(id) !== 0;
    return names.length > 0 || isSettled ? [{ domainId: id, names, actor }] : [];
  });
}

function isSigned({ zoneSignings }: Tables, domainId: string): boolean {
  const state = zoneSignings.get(domainId);
  return state !== undefined && ZoneSigning.fromState(state).isWanted;
}
