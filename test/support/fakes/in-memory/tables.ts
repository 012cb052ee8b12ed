import type { ZoneDelegation } from '../../../../src/domain/dns/delegation/delegation';
import type { AccountTemplate } from '../../../../src/domain/dns/templates/record-template';
import type { HealthReport } from '../../../../src/domain/health/health-report';
import type { SavedView, StoredState } from '../../../../src/application/ports/portfolio/portfolio-repositories';
import type { BulkItem, BulkJob } from '../../../../src/domain/portfolio/bulk-job';
import type { StoredSigning } from './dns/in-memory-signing';
import type { Totp } from '../../../../src/application/ports/access/authentication';
import type { KeyOrder } from '../../../../src/application/ports/access/accounts-and-api-keys';
import type { Alias } from '../../../../src/application/ports/dns/alias-repository';
import type { LeaseState } from '../../../../src/application/ports/storage/replicas';
import type { StoredSession } from '../../../../src/application/ports/access/users';
import type {
  ConnectedService,
  StoredConnectTemplate,
} from '../../../../src/application/ports/dns/templates-and-domain-connect';
import type { ProposalState } from '../../../../src/domain/access/proposals/proposal';
import type { Passkey } from '../../../../src/domain/access/factors/passkey';
import type { Identity } from '../../../../src/domain/access/people/identity';
import type { Account } from '../../../../src/domain/access/account';
import type { ApiKeyState } from '../../../../src/domain/access/api-key';
import type { Delivery } from '../../../../src/domain/access/webhooks/delivery';
import type { TrustRule } from '../../../../src/domain/access/trust/trust-rule';
import type { Webhook } from '../../../../src/domain/access/webhooks/webhook';
import type { FeedCursor } from '../../../../src/application/ports/access/audit-and-events';
import type { AccountEvent } from '../../../../src/domain/access/events/account-event';
import type { AuditEntry } from '../../../../src/domain/access/audit-entry';
import type { MailSettings } from '../../../../src/application/ports/notices/mails-and-notices';
import type { StoredNotice } from '../../../../src/domain/access/notices/notice';
import type { QueuedMail } from './access/in-memory-notices';
import type { RecordTouched, ZoneVersion, CatalogChange } from '../../../../src/application/ports/dns/zone-repository';
import type { KnownTsigKey, TsigKeyFacts } from '../../../../src/application/ports/dns/publishing';
import type { DeadLetter } from '../../../../src/application/ports/registry/registries';
import type { SetupLink } from '../../../../src/domain/access/people/setup-link';
import type { UserState } from '../../../../src/domain/access/people/user';
import type { IdempotencyRecordState } from '../../../../src/domain/access/idempotency-record';
import type { AliasTarget } from '../../../../src/domain/dns/alias/alias-target';
import type { Secondary } from '../../../../src/domain/dns/secondaries/secondary';
import type { CdsScanState } from '../../../../src/domain/dns/dnssec/parent/cds-scan';
import type { ZoneSigningState } from '../../../../src/domain/dns/dnssec/zone-signing-state';
import type { DnsRecordState } from '../../../../src/domain/dns/records/dns-record';
import type { AccountMoveState } from '../../../../src/domain/registration/account-move';
import type { DomainState } from '../../../../src/domain/registration/domain';
import type { ImportedName, NameImport } from '../../../../src/domain/registrar/name-import';
import type { Difference, Reconciliation } from '../../../../src/domain/registrar/reconciliation';
import type { OperationState } from '../../../../src/domain/registration/operations/operation';
import type { TransferState } from '../../../../src/domain/registration/transfers/transfer-state';

export interface StoredZone {
  /** Whose records a desired state has. */
  readonly stateOwner?: string;
  readonly version: number;
  readonly serial: number;
  /** Absent: true. */
  readonly connects?: boolean;
  readonly discovery?: string;
  /** The first version that readers of the history see; absent: all. */
  readonly historyFrom?: number;
  /** When this version was committed. */
  readonly changedAt?: Date;
  readonly records: readonly DnsRecordState[];
  /** Oldest first. */
  readonly changes: readonly StoredChange[];
}

export interface StoredAlias extends Alias {
  readonly dueAt: Date | null;
}

type StoredTsigKey = Omit<KnownTsigKey, 'isInUse'> & TsigKeyFacts;

export interface StoredChange extends ZoneVersion {
  readonly serial: number;
  readonly records: readonly RecordTouched[];
}

/** Everything stored, by id or name; zones by the id of their domain. States never change in place, so a copy of the maps is a copy of all. */
export interface Tables {
  readonly accounts: Map<string, Account>;
  readonly apiKeys: Map<string, ApiKeyState>;
  readonly audit: Map<string, AuditEntry>;
  /** Those of each account, in order. */
  readonly events: Map<string, readonly AccountEvent[]>;
  /** By kind and reader. */
  readonly feedCursors: Map<string, FeedCursor>;
  /** Serials by domain id. */
  readonly zonePublications: Map<string, number>;
  readonly trustRules: Map<string, TrustRule>;
  readonly webhooks: Map<string, Webhook>;
  readonly deliveries: Map<string, Delivery>;
  /** By account and name. */
  /** By domain id. */
  readonly connectTemplates: Map<string, StoredConnectTemplate>;
  readonly connectProviders: Map<string, boolean>;
  readonly accountMoves: Map<string, AccountMoveState>;
  readonly connectedServices: Map<string, ConnectedService>;
  readonly desiredStates: Map<string, StoredState>;
  /** Those of which only settings drifted. */
  readonly driftedSettings: Map<string, true>;
  /** Sums of `driftSum`; undefined if unknown. */
  readonly recordDrift: Map<string, number | undefined>;
  /** Each an account and a name: `goneKey`. */
  readonly goneNames: Map<string, true>;
  readonly savedViews: Map<string, SavedView & { readonly accountId: string }>;
  readonly bulkJobs: Map<string, BulkJob>;
  /** By job and domain. */
  readonly bulkItems: Map<string, ReadonlyMap<string, BulkItem>>;
  readonly domains: Map<string, DomainState>;
  /** By account and key. */
  readonly idempotencyRecords: Map<string, IdempotencyRecordState>;
  readonly imports: Map<string, NameImport>;
  /** By import and name. */
  readonly importNames: Map<string, ReadonlyMap<string, ImportedName>>;
  /** By the order's id. */
  readonly keySpending: Map<string, KeyOrder>;
  /** The latest of each registry. */
  readonly reconciliations: Map<
    string,
    { readonly reconciliation: Reconciliation; readonly differences: readonly Difference[] }
  >;
  /** By sequence. */
  readonly notices: Map<number, StoredNotice>;
  readonly mails: Map<string, QueuedMail>;
  /** By person. */
  readonly mailSettings: Map<string, MailSettings>;
  readonly operations: Map<string, OperationState>;
  readonly transfers: Map<string, TransferState>;
  readonly users: Map<string, UserState>;
  /** By credential id. */
  readonly passkeys: Map<string, Passkey>;
  /** By `identityId`. */
  readonly identities: Map<string, Identity>;
  /** When they expire, by digest. */
  readonly usedTokens: Map<string, Date>;
  readonly proposals: Map<string, ProposalState>;
  /** By the id of their user. */
  readonly totps: Map<string, Totp>;
  /** The id of the user, by the digest of the code. */
  readonly recoveryCodes: Map<string, string>;
  /** By the id of their user. */
  readonly setupLinks: Map<string, SetupLink>;
  /** By the digest of their secret id. */
  readonly sessions: Map<string, StoredSession>;
  readonly templates: Map<string, AccountTemplate>;
  readonly zones: Map<string, StoredZone>;
  /** By the id of the domain. */
  readonly signings: Map<string, StoredSigning>;
  /** By the id of their domain; those whose signing is on. */
  readonly cdsScans: Map<string, CdsScanState>;
  readonly zoneDelegations: Map<string, ZoneDelegation>;
  readonly zoneSignings: Map<string, ZoneSigningState>;
  /** By domain and name. */
  readonly aliases: Map<string, StoredAlias>;
  /** By the id of the domain. */
  readonly health: Map<string, HealthReport>;
  /** When a check failed, by domain. */
  readonly postponedHealth: Map<string, Date>;
  /** When a session last came to the account, by user. */
  readonly enteredAt: Map<string, Date>;
  readonly aliasTargets: Map<string, AliasTarget>;
  readonly tsigKeys: Map<string, StoredTsigKey>;
  readonly secondaries: Map<string, Secondary>;
  /** By the name of the secondary. */
  readonly caughtUp: Map<string, Date>;
  readonly leases: Map<string, LeaseState>;
  /** By registry and id. */
  readonly deadLetters: Map<string, DeadLetter>;
  noticedUntil?: Date;
  /** Raised where a domain begins or ceases to be served. */
  catalogVersion: number;
  /** The change that led to each version of the catalog, oldest first. */
  catalogChanges: readonly (CatalogChange & { readonly version: number })[];
}

/** Changes the tables that it is given; what it throws undoes it. */
export type Transaction<T> = (tables: Tables) => Promise<T>;
export type Transact = <T>(change: Transaction<T>) => Promise<T>;

export function emptyTables(): Tables {
  return {
    accounts: new Map(),
    apiKeys: new Map(),
    audit: new Map(),
    events: new Map(),
    feedCursors: new Map(),
    zonePublications: new Map(),
    trustRules: new Map(),
    webhooks: new Map(),
    deliveries: new Map(),
    connectTemplates: new Map(),
    connectProviders: new Map(),
    accountMoves: new Map(),
    connectedServices: new Map(),
    desiredStates: new Map(),
    driftedSettings: new Map(),
    recordDrift: new Map(),
    goneNames: new Map(),
    savedViews: new Map(),
    bulkJobs: new Map(),
    bulkItems: new Map(),
    domains: new Map(),
    idempotencyRecords: new Map(),
    imports: new Map(),
    importNames: new Map(),
    keySpending: new Map(),
    reconciliations: new Map(),
    notices: new Map(),
    mails: new Map(),
    mailSettings: new Map(),
    operations: new Map(),
    transfers: new Map(),
    users: new Map(),
    totps: new Map(),
    passkeys: new Map(),
    identities: new Map(),
    usedTokens: new Map(),
    proposals: new Map(),
    recoveryCodes: new Map(),
    setupLinks: new Map(),
    sessions: new Map(),
    templates: new Map(),
    zones: new Map(),
    signings: new Map(),
    cdsScans: new Map(),
    zoneDelegations: new Map(),
    zoneSignings: new Map(),
    aliases: new Map(),
    health: new Map(),
    postponedHealth: new Map(),
    enteredAt: new Map(),
    aliasTargets: new Map(),
    tsigKeys: new Map(),
    secondaries: new Map(),
    caughtUp: new Map(),
    leases: new Map(),
    deadLetters: new Map(),
    catalogVersion: 1,
    catalogChanges: [],
  };
}

export function copyOf(tables: Tables): Tables {
  return {
    accounts: new Map(tables.accounts),
    apiKeys: new Map(tables.apiKeys),
    audit: new Map(tables.audit),
    events: new Map(tables.events),
    feedCursors: new Map(tables.feedCursors),
    zonePublications: new Map(tables.zonePublications),
    trustRules: new Map(tables.trustRules),
    webhooks: new Map(tables.webhooks),
    deliveries: new Map(tables.deliveries),
    connectTemplates: new Map(tables.connectTemplates),
    connectProviders: new Map(tables.connectProviders),
    accountMoves: new Map(tables.accountMoves),
    connectedServices: new Map(tables.connectedServices),
    desiredStates: new Map(tables.desiredStates),
    driftedSettings: new Map(tables.driftedSettings),
    recordDrift: new Map(tables.recordDrift),
    goneNames: new Map(tables.goneNames),
    savedViews: new Map(tables.savedViews),
    bulkJobs: new Map(tables.bulkJobs),
    bulkItems: new Map(tables.bulkItems),
    domains: new Map(tables.domains),
    idempotencyRecords: new Map(tables.idempotencyRecords),
    imports: new Map(tables.imports),
    importNames: new Map(tables.importNames),
    keySpending: new Map(tables.keySpending),
    reconciliations: new Map(tables.reconciliations),
    notices: new Map(tables.notices),
    mails: new Map(tables.mails),
    mailSettings: new Map(tables.mailSettings),
    operations: new Map(tables.operations),
    transfers: new Map(tables.transfers),
    users: new Map(tables.users),
    totps: new Map(tables.totps),
    passkeys: new Map(tables.passkeys),
    identities: new Map(tables.identities),
    usedTokens: new Map(tables.usedTokens),
    proposals: new Map(tables.proposals),
    recoveryCodes: new Map(tables.recoveryCodes),
    setupLinks: new Map(tables.setupLinks),
    sessions: new Map(tables.sessions),
    templates: new Map(tables.templates),
    zones: new Map(tables.zones),
    signings: new Map(tables.signings),
    cdsScans: new Map(tables.cdsScans),
    zoneDelegations: new Map(tables.zoneDelegations),
    zoneSignings: new Map(tables.zoneSignings),
    aliases: new Map(tables.aliases),
    health: new Map(tables.health),
    postponedHealth: new Map(tables.postponedHealth),
    enteredAt: new Map(tables.enteredAt),
    aliasTargets: new Map(tables.aliasTargets),
    tsigKeys: new Map(tables.tsigKeys),
    secondaries: new Map(tables.secondaries),
    caughtUp: new Map(tables.caughtUp),
    leases: new Map(tables.leases),
    deadLetters: new Map(tables.deadLetters),
    ...(tables.noticedUntil && { noticedUntil: tables.noticedUntil }),
    catalogVersion: tables.catalogVersion,
    catalogChanges: tables.catalogChanges,
  };
}
