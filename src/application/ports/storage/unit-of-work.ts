import { token } from '../inject';
import type { AccountRepository, ApiKeyRepository, KeySpending } from '../access/accounts-and-api-keys';
import type { AuditLog, EventLog, FeedCursorRepository } from '../access/audit-and-events';
import type { ZonePublicationRepository } from '../dns/publishing';
import type { TrustRuleRepository } from '../access/trust-rules';
import type { DeliveryRepository, WebhookRepository } from '../access/webhooks';
import type {
  BulkJobRepository,
  DesiredStateRepository,
  SavedViewRepository,
} from '../portfolio/portfolio-repositories';
import type { IdentityRepository, SessionRepository, SetupLinkRepository, UserRepository } from '../access/users';
import type { FactorRepository } from '../access/authentication';
import type {
  AccountMoveRepository,
  OperationRepository,
  TransferRepository,
} from '../registration/operations-and-transfers';
import type { ProposalRepository } from '../access/proposals';
import type { UsedTokens, IdempotencyRecordRepository } from '../access/idempotency-and-used-tokens';
import type {
  MailRepository,
  MailSettingsRepository,
  NoticeRepository,
  ExpiryNoticeRepository,
} from '../notices/mails-and-notices';
import type { DomainRepository } from '../registration/domain-repository';
import type { HealthRepository } from '../health/health-repository';
import type { ImportRepository, ReconciliationRepository } from '../registration/imports-and-reconciliation';
import type { DeadLetters } from '../registry/registries';
import type { ZoneSigningRepository, SigningRepository } from '../dns/signing-repository';
import type { CdsScanRepository, ZoneDelegationRepository } from '../dns/other-nameservers';
import type { HostedNameRepository } from '../dns/hosted-names';
import type { AliasRepository } from '../dns/alias-repository';
import type {
  ConnectTemplateRepository,
  ConnectedServiceRepository,
  TemplateRepository,
} from '../dns/templates-and-domain-connect';
import type { ZoneRepository } from '../dns/zone-repository';
import type { AuditFact } from '../../../domain/access/audit-entry';
import type { BulkItem, BulkStep } from '../../../domain/portfolio/bulk-job';
import type { OperationState } from '../../../domain/registration/operations/operation';
import type { TransferState } from '../../../domain/registration/transfers/transfer-state';

/** What can be written within one transaction. A use case, and what it calls, name the repositories that they need. */
export interface Stores {
  readonly accountMoves: AccountMoveRepository;
  readonly accounts: AccountRepository;
  readonly aliases: AliasRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly audit: AuditLog;
  readonly cdsScans: CdsScanRepository;
  readonly bulkJobs: BulkJobRepository;
  readonly connectedServices: ConnectedServiceRepository;
  readonly connectTemplates: ConnectTemplateRepository;
  readonly deliveries: DeliveryRepository;
  readonly desiredStates: DesiredStateRepository;
  readonly domains: DomainRepository;
  readonly events: EventLog;
  readonly feedCursors: FeedCursorRepository;
  readonly zonePublications: ZonePublicationRepository;
  readonly expiryNotices: ExpiryNoticeRepository;
  readonly health: HealthRepository;
  readonly factors: FactorRepository;
  readonly hostedNames: HostedNameRepository;
  readonly identities: IdentityRepository;
  readonly idempotencyRecords: IdempotencyRecordRepository;
  readonly imports: ImportRepository;
  readonly keySpending: KeySpending;
  readonly proposals: ProposalRepository;
  readonly reconciliations: ReconciliationRepository;
  readonly mails: MailRepository;
  readonly mailSettings: MailSettingsRepository;
  readonly notices: NoticeRepository;
  readonly operations: OperationRepository;
  readonly savedViews: SavedViewRepository;
  readonly sessions: SessionRepository;
  readonly setupLinks: SetupLinkRepository;
  readonly deadLetters: DeadLetters;
  readonly templates: TemplateRepository;
  readonly transfers: TransferRepository;
  readonly trustRules: TrustRuleRepository;
  readonly usedTokens: UsedTokens;
  readonly users: UserRepository;
  readonly webhooks: WebhookRepository;
  readonly signing: SigningRepository;
  readonly zones: ZoneRepository;
  readonly zoneDelegations: ZoneDelegationRepository;
  readonly zoneSignings: ZoneSigningRepository;
}

export type StoreName = keyof Stores;

/**
 * All or nothing: what `work` wrote is committed when it returns and undone when it throws. It may be run more than
 * once (a deadlock is retried), so it talks to the stores only: no registry, no reply, no waiting.
 * @throws StorageUnavailable if the database cannot be reached; nothing was committed, or, if the connection
 *   broke during the commit itself, what was committed is whole.
 */
export interface UnitOfWork<Names extends StoreName> {
  /**
   * `accountId` owns the work: if units of work wait for each other, accounts get equal shares of the time. Work that is long,
   * thousands of rows, then shares its time with that of other accounts.
   */
  run<T>(
    work: (stores: Pick<Stores, Names>) => Promise<T>,
    accountId?: string,
    options?: { readonly isLong?: boolean },
  ): Promise<T>;
}
export const UnitOfWork = token<UnitOfWork<StoreName>>('UnitOfWork');

/** What hooks write: the stored response of a request, the item of a bulk job. */
export type HookStore = 'bulkJobs' | 'idempotencyRecords';

/** What a commit of zones writes, and what can be committed with it. */
export type CommitStore =
  | 'apiKeys'
  | 'audit'
  | 'connectedServices'
  | 'desiredStates'
  | 'domains'
  | 'events'
  | 'hostedNames'
  | 'keySpending'
  | 'operations'
  | 'trustRules'
  | 'zoneDelegations'
  | 'usedTokens'
  | 'zones'
  | 'zoneSignings'
  | HookStore;

/**
 * Writes something that is committed with a change or not at all. Runs within the change's unit of work, possibly more than
 * once, and at the same time as the writes of the change. If it throws, the change is undone.
 */
export type TransactionHook<T, Names extends StoreName = HookStore> = (
  stores: Pick<Stores, Names>,
  result: T,
) => Promise<void>;

/** What a change would store. */
export interface RehearsedChange {
  readonly facts: readonly AuditFact[];
  readonly operations: readonly OperationState[];
  readonly transfers: readonly TransferState[];
  /** What a bulk job would do, name after name. */
  readonly bulkSteps: readonly (Pick<BulkItem, 'domainId' | 'name'> & { readonly step: BulkStep })[];
}

/** Runs within the unit of work that stores the change. */
export type AssertChange = (change: RehearsedChange, stores: Pick<Stores, 'domains'>) => Promise<void>;

/** Finds out what a use case would do, with all of its checks. */
export interface Rehearsals {
  /**
   * Runs `work` until the end of its first unit of work that stores something; only audit entries, operations, transfers and
   * bulk jobs are told.
   * Every unit of work in it is undone. Undefined if `work` ends without such a one: it changes nothing. For use cases that change zones, their dry run is meant,
   * because changes of zones share units of work. @throws what `work` throws
   */
  rehearse(work: () => Promise<unknown>): Promise<RehearsedChange | undefined>;
  /** Runs `work`, unless `assert`, which is given what a rehearsal would tell, throws: then that is undone. @throws what both throw */
  guard<T>(work: () => Promise<T>, assert: AssertChange): Promise<T>;
}
export const Rehearsals = token<Rehearsals>('Rehearsals');
