import type { DatabaseContent } from './database/data-source';
import { InitialSchema1763600000000 } from './migrations/1763600000000-initial-schema';
import { AuditLog1763605000000 } from './migrations/1763605000000-audit-log';
import { Dashboard1763610000000 } from './migrations/1763610000000-dashboard';
import { OperationsOfAccount1763611000000 } from './migrations/1763611000000-operations-of-account';
import { OperationHandovers1763620000000 } from './migrations/1763620000000-operation-handovers';
import { KeyedRequests1763620000001 } from './migrations/1763620000001-keyed-requests';
import { HiddenPrimary1763630000000 } from './migrations/1763630000000-hidden-primary';
import { ZoneHistory1763640000000 } from './migrations/1763640000000-zone-history';
import { Lifecycle1763650000000 } from './migrations/1763650000000-lifecycle';
import { UnheededMessages1763661000000 } from './migrations/1763661000000-unheeded-messages';
import { RegisteredAt1763662000000 } from './migrations/1763662000000-registered-at';
import { RecordsByType1763663000000 } from './migrations/1763663000000-records-by-type';
import { SecretKeyProof1763664000000 } from './migrations/1763664000000-secret-key-proof';
import { TransferPending1764020000000 } from './migrations/1764020000000-transfer-pending';
import { OperationCharges1764020000001 } from './migrations/1764020000001-operation-charges';
import { UnicodeNames1764030000000 } from './migrations/1764030000000-unicode-names';
import { LinkIssuers1764040000000 } from './migrations/1764040000000-link-issuers';
import { Reauthentication1764040000001 } from './migrations/1764040000001-reauthentication';
import { PeopleByAddress1764040000003 } from './migrations/1764040000003-people-by-address';
import { SandboxControl1764040000002 } from './migrations/1764040000002-sandbox-control';
import { NotifyByHeartbeat1764060000000 } from './migrations/1764060000000-notify-by-heartbeat';
import { WriteChecks1764070000000 } from './migrations/1764070000000-write-checks';
import { Retention1764080000000 } from './migrations/1764080000000-retention';
import { ListIndexes1764080001000 } from './migrations/1764080001000-list-indexes';
import { DomainSearchAndCounts1764100000000 } from './migrations/1764100000000-domain-search-and-counts';
import { AccountSchema, ApiKeySchema } from './access/typeorm-access-repositories';
import { DomainSchema } from './registration/typeorm-domain-repository';
import { KeyedRequestSchema } from './access/typeorm-idempotency-record-repository';
import { OperationSchema } from './registration/typeorm-operation-repository';
import { UserSchema } from './access/typeorm-user-repository';
import { RecordSchema } from './dns/typeorm-zone-repository';

/** Our own tables. */
export const SERVICE_CONTENT: DatabaseContent = {
  entities: [AccountSchema, ApiKeySchema, DomainSchema, KeyedRequestSchema, OperationSchema, RecordSchema, UserSchema],
  migrations: [
    InitialSchema1763600000000,
    AuditLog1763605000000,
    Dashboard1763610000000,
    OperationsOfAccount1763611000000,
    OperationHandovers1763620000000,
    KeyedRequests1763620000001,
    HiddenPrimary1763630000000,
    ZoneHistory1763640000000,
    Lifecycle1763650000000,
    UnheededMessages1763661000000,
    RegisteredAt1763662000000,
    RecordsByType1763663000000,
    SecretKeyProof1763664000000,
    TransferPending1764020000000,
    OperationCharges1764020000001,
    UnicodeNames1764030000000,
    LinkIssuers1764040000000,
    Reauthentication1764040000001,
    SandboxControl1764040000002,
    PeopleByAddress1764040000003,
    NotifyByHeartbeat1764060000000,
    WriteChecks1764070000000,
    Retention1764080000000,
    ListIndexes1764080001000,
    DomainSearchAndCounts1764100000000,
  ],
};
