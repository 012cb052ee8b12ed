import type { EntitySchema } from 'typeorm';
import * as access from './access/access-tables';
import * as proposals from './access/proposals/proposal-tables';
import * as trust from './access/proposals/trust-tables';
import * as factors from './access/factor-tables';
import type { DatabaseContent } from './database/data-source';
import { InitialSchema1795853000000 } from './migrations/1795853000000-initial-schema';
import { RecordNotes1795860000000 } from './migrations/1795860000000-record-notes';
import { RecordVersions1795868400000 } from './migrations/1795868400000-record-versions';
import { RecordPtr1795950000000 } from './migrations/1795950000000-record-ptr';
import { Events1796000000000 } from './migrations/1796000000000-events';
import { ParentNotices1796000600000 } from './migrations/1796000600000-parent-notices';
import { TrustedAccounts1796001200000 } from './migrations/1796001200000-trusted-accounts';
import { OperationsOfAccount1796001800000 } from './migrations/1796001800000-operations-of-account';
import { KeptZones1796004000000 } from './migrations/1796004000000-kept-zones';
import { ExpiryNotices1796004600000 } from './migrations/1796004600000-expiry-notices';
import { ZoneDelegations1796005200000 } from './migrations/1796005200000-zone-delegations';
import { Webhooks1796011800000 } from './migrations/1796011800000-webhooks';
import { DesiredStates1796012400000 } from './migrations/1796012400000-desired-states';
import { FeedCursors1796006400000 } from './migrations/1796006400000-feed-cursors';
import { Proposals1796014000000 } from './migrations/1796014000000-proposals';
import { TrustRules1796014600000 } from './migrations/1796014600000-trust-rules';
import { ChargedOperations1796020000000 } from './migrations/1796020000000-charged-operations';
import { ApprovalRules1796020600000 } from './migrations/1796020600000-approval-rules';
import { DomainConnect1796021000000 } from './migrations/1796021000000-domain-connect';
import { DriftedStates1796023200000 } from './migrations/1796023200000-drifted-states';
import { GoneNames1796023800000 } from './migrations/1796023800000-gone-names';
import { DriftedSettings1796024400000 } from './migrations/1796024400000-drifted-settings';
import { UndecidedProposals1796025000000 } from './migrations/1796025000000-undecided-proposals';
import { AskedPublications1796025600000 } from './migrations/1796025600000-asked-publications';
import { DriftOfRecords1796026200000 } from './migrations/1796026200000-drift-of-records';
import { AccountMoves1796022600000 } from './migrations/1796022600000-account-moves';
import { BulkTransfers1796022000000 } from './migrations/1796022000000-bulk-transfers';
import { Mails1796010000000 } from './migrations/1796010000000-mails';
import { AuditRecordTypes1796010600000 } from './migrations/1796010600000-audit-record-types';
import { ZonePublications1796011200000 } from './migrations/1796011200000-zone-publications';
import { SeenNotifications1796013000000 } from './migrations/1796013000000-seen-notifications';
import * as connect from './domain-connect/connect-tables';
import * as dns from './dns/dns-tables';
import * as events from './events/event-tables';
import * as notices from './notices/notice-tables';
import * as portfolio from './portfolio/portfolio-tables';
import * as health from './health/health-table';
import * as processes from './process-tables';
import * as registrar from './registration/registrar-tables';
import * as registration from './registration/registration-tables';
import * as webhooks from './webhooks/webhook-tables';
import * as templates from './templates/template-tables';

export const SERVICE_TABLES: readonly EntitySchema[] = [
  access,
  events,
  notices,
  factors,
  proposals,
  trust,
  registration,
  registrar,
  dns,
  connect,
  portfolio,
  templates,
  webhooks,
  health,
  processes,
].flatMap((tables) => Object.values<EntitySchema>(tables));
/** The service's own tables, and the migrations that create them: append only, in their order. */
export const SERVICE_CONTENT: DatabaseContent = {
  entities: [...SERVICE_TABLES],
  migrations: [
    InitialSchema1795853000000,
    RecordNotes1795860000000,
    RecordVersions1795868400000,
    RecordPtr1795950000000,
    Events1796000000000,
    ParentNotices1796000600000,
    TrustedAccounts1796001200000,
    OperationsOfAccount1796001800000,
    KeptZones1796004000000,
    ExpiryNotices1796004600000,
    ZoneDelegations1796005200000,
    FeedCursors1796006400000,
    Mails1796010000000,
    AuditRecordTypes1796010600000,
    ZonePublications1796011200000,
    Webhooks1796011800000,
    DesiredStates1796012400000,
    SeenNotifications1796013000000,
    Proposals1796014000000,
    TrustRules1796014600000,
    ChargedOperations1796020000000,
    ApprovalRules1796020600000,
    DomainConnect1796021000000,
    BulkTransfers1796022000000,
    AccountMoves1796022600000,
    DriftedStates1796023200000,
    GoneNames1796023800000,
    DriftedSettings1796024400000,
    UndecidedProposals1796025000000,
    AskedPublications1796025600000,
    DriftOfRecords1796026200000,
  ],
};
