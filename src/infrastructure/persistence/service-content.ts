import type { EntitySchema } from 'typeorm';
import * as access from './access/access-tables';
import * as factors from './access/factor-tables';
import type { DatabaseContent } from './database/data-source';
import * as dns from './dns/dns-tables';
import { InitialSchema1764090000000 } from './migrations/1764090000000-initial-schema';
import { RegistrarRenewal1795341900000 } from './migrations/1795341900000-registrar-renewal';
import { Transfers1795342800000 } from './migrations/1795342800000-transfers';
import { TsigKeysOfAccounts1795343000000 } from './migrations/1795343000000-tsig-keys-of-accounts';
import { NamesInDomainLists1795343700000 } from './migrations/1795343700000-names-in-domain-lists';
import { Imports1795344600000 } from './migrations/1795344600000-imports';
import { Reconciliations1795346400000 } from './migrations/1795346400000-reconciliations';
import { TransfersOut1795347000000 } from './migrations/1795347000000-transfers-out';
import { KeySpending1795357200000 } from './migrations/1795357200000-key-spending';
import { ZoneSerials1795360000000 } from './migrations/1795360000000-zone-serials';
import { Signatures1795360100000 } from './migrations/1795360100000-signatures';
import { ZoneSigning1795361000000 } from './migrations/1795361000000-zone-signing';
import { TransferHistory1795362000000 } from './migrations/1795362000000-transfer-history';
import { LongerRecordTypes1795363000000 } from './migrations/1795363000000-longer-record-types';
import { Aliases1795364000000 } from './migrations/1795364000000-aliases';
import { DomainsLeaving1795366000000 } from './migrations/1795366000000-domains-leaving';
import { CdsScans1795372000000 } from './migrations/1795372000000-cds-scans';
import { TagsAndBulkJobs1795373000000 } from './migrations/1795373000000-tags-and-bulk-jobs';
import { SavedViews1795373100000 } from './migrations/1795373100000-saved-views';
import * as portfolio from './portfolio/portfolio-tables';
import { DomainHealth1795374000000 } from './migrations/1795374000000-domain-health';
import * as health from './health/health-table';
import { RenewalPrices1795376000000 } from './migrations/1795376000000-renewal-prices';
import { AuditAddresses1795376100000 } from './migrations/1795376100000-audit-addresses';
import { RecordTemplates1795377000000 } from './migrations/1795377000000-record-templates';
import { CallReservations1795382100000 } from './migrations/1795382100000-call-reservations';
import { Replicas1795382000000 } from './migrations/1795382000000-replicas';
import { PeopleInSeveralAccounts1795381000000 } from './migrations/1795381000000-people-in-several-accounts';
import { OperationTraces1795383000000 } from './migrations/1795383000000-operation-traces';
import { LastBackup1795384000000 } from './migrations/1795384000000-last-backup';
import { Identities1795381100000 } from './migrations/1795381100000-identities';
import { RegistryValues1795385000000 } from './migrations/1795385000000-registry-values';
import { SortableDomainColumns1795400000000 } from './migrations/1795400000000-sortable-domain-columns';
import { AccountLastUsed1795400100000 } from './migrations/1795400100000-account-last-used';
import { MemberTags1795410000000 } from './migrations/1795410000000-member-tags';
import { DomainsByTerm1795480000000 } from './migrations/1795480000000-domains-by-term';
import { CanonicalNames1795811400000 } from './migrations/1795811400000-canonical-names';
import { ExpiryInBackup1795842000000 } from './migrations/1795842000000-expiry-in-backup';
import { LostCommands1795843000000 } from './migrations/1795843000000-lost-commands';
import { TransferredYears1795844000000 } from './migrations/1795844000000-transferred-years';
import { WrittenRdata1795852000000 } from './migrations/1795852000000-written-rdata';
import { FeatureRequirements1795846000000 } from './migrations/1795846000000-feature-requirements';
import { MemberRoles1795375000000 } from './migrations/1795375000000-member-roles';
import { SecondFactors1795375100000 } from './migrations/1795375100000-second-factors';
import { Passkeys1795375200000 } from './migrations/1795375200000-passkeys';
import * as processes from './process-tables';
import * as registrar from './registration/registrar-tables';
import * as registration from './registration/registration-tables';
import * as templates from './templates/template-tables';

export const SERVICE_TABLES: readonly EntitySchema[] = [
  access,
  factors,
  registration,
  registrar,
  dns,
  portfolio,
  templates,
  health,
  processes,
].flatMap((tables) => Object.values<EntitySchema>(tables));
/** The service's own tables, and the migrations that create them: append only, in their order. */
export const SERVICE_CONTENT: DatabaseContent = {
  entities: [...SERVICE_TABLES],
  migrations: [
    InitialSchema1764090000000,
    RegistrarRenewal1795341900000,
    Transfers1795342800000,
    TsigKeysOfAccounts1795343000000,
    NamesInDomainLists1795343700000,
    Imports1795344600000,
    Reconciliations1795346400000,
    TransfersOut1795347000000,
    KeySpending1795357200000,
    ZoneSerials1795360000000,
    Signatures1795360100000,
    ZoneSigning1795361000000,
    TransferHistory1795362000000,
    LongerRecordTypes1795363000000,
    Aliases1795364000000,
    DomainsLeaving1795366000000,
    CdsScans1795372000000,
    TagsAndBulkJobs1795373000000,
    SavedViews1795373100000,
    DomainHealth1795374000000,
    MemberRoles1795375000000,
    SecondFactors1795375100000,
    Passkeys1795375200000,
    RenewalPrices1795376000000,
    AuditAddresses1795376100000,
    RecordTemplates1795377000000,
    PeopleInSeveralAccounts1795381000000,
    Identities1795381100000,
    Replicas1795382000000,
    CallReservations1795382100000,
    OperationTraces1795383000000,
    LastBackup1795384000000,
    RegistryValues1795385000000,
    SortableDomainColumns1795400000000,
    AccountLastUsed1795400100000,
    MemberTags1795410000000,
    DomainsByTerm1795480000000,
    CanonicalNames1795811400000,
    ExpiryInBackup1795842000000,
    LostCommands1795843000000,
    TransferredYears1795844000000,
    FeatureRequirements1795846000000,
    WrittenRdata1795852000000,
  ],
};
