import type Sqlite from 'better-sqlite3';
import { totpPurpose } from '../../../src/application/access/second-factor/totp-enrollment';
import { proposedBodyPurpose } from '../../../src/domain/access/proposals/proposal';
import { webhookSecretPurpose } from '../../../src/application/webhooks/webhook-secrets';
import { SERVICE } from '../../../src/domain/access/actor';
import type { SecretBox } from '../../../src/application/ports/system';
import * as access from '../../../src/infrastructure/persistence/access/access-tables';
import * as factors from '../../../src/infrastructure/persistence/access/factor-tables';
import type { AnyColumn, Columns } from '../../../src/infrastructure/persistence/database/columns';
import type { Table } from '../../../src/infrastructure/persistence/database/table';
import * as connect from '../../../src/infrastructure/persistence/domain-connect/connect-tables';
import * as dns from '../../../src/infrastructure/persistence/dns/dns-tables';
import * as dnssec from '../../../src/infrastructure/persistence/dns/dnssec/dnssec-tables';
import * as events from '../../../src/infrastructure/persistence/events/event-tables';
import * as notices from '../../../src/infrastructure/persistence/notices/notice-tables';
import * as proposals from '../../../src/infrastructure/persistence/access/proposals/proposal-tables';
import * as trust from '../../../src/infrastructure/persistence/access/proposals/trust-tables';
import * as webhooks from '../../../src/infrastructure/persistence/webhooks/webhook-tables';
import * as portfolio from '../../../src/infrastructure/persistence/portfolio/portfolio-tables';
import * as processes from '../../../src/infrastructure/persistence/process-tables';
import * as registrar from '../../../src/infrastructure/persistence/registration/registrar-tables';
import * as registration from '../../../src/infrastructure/persistence/registration/registration-tables';

/** What the rows refer to. */
export interface Referents {
  readonly accountId: string;
  readonly domainId: string;
  /** No one signs in as this user, who therefore can have other factors than the password. */
  readonly userId: string;
  readonly keyId: string;
}

/** Any value of these types makes sense to a reader. */
type Arbitrary<V> = null extends V ? true : string extends V ? true : V extends number | boolean | Date ? true : false;
type ValueOf<C> = C extends AnyColumn<infer _Stored, infer Value> ? Value : never;
type Given<C extends Columns> = { readonly [Name in keyof C]?: ValueOf<C[Name]> } & {
  readonly [Name in keyof C as Arbitrary<ValueOf<C[Name]>> extends true ? never : Name]: ValueOf<C[Name]>;
};

interface GivenRow {
  readonly table: Table<Columns>;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The compiler asks for the columns with a meaning, such as a status or JSON; all others are filled in. */
function row<C extends Columns>(table: Table<C>, given: Given<C>): GivenRow {
  return { table, given };
}

/** Of tables that a service fills only in days of use, or with another registry. In the order of their references. */
function rowsOfLongerRuns({ userId }: Referents, secrets: SecretBox): readonly GivenRow[] {
  return [
    row(events.ExpiryNoticeTable, {}),
    row(events.FeedCursorTable, { kind: 'webhook' }),
    row(notices.NoticeTable, { kind: 'expiry', data: {} }),
    row(notices.MailTable, { kind: 'expiry', status: 'sent', data: {}, ended_at: new Date(SOME_TIME) }),
    row(notices.MailSettingsTable, { switched_off: ['expiry'] }),
    row(proposals.ProposalTable, {
      id: 'prop_release',
      proposer: SERVICE,
      status: 'open',
      proposed_write: { method: 'PUT', path: '/api/domains/dom_release/autorenew' },
      sealed_body: secrets.seal('{}', proposedBodyPurpose('prop_release')),
      plan: { changes: [], operations: [], warnings: [] },
      decision: null,
      current_plan: null,
      error: null,
    }),
    row(proposals.AccountMoveTable, {
      id: 'move_release',
      zones: ['sub.example.com'],
      effects: { ends: ['Its tags end: shop'], comes: ['1 zone below it'] },
      proposer: SERVICE,
      status: 'open',
      decision: null,
    }),
    row(trust.TrustRuleTable, {
      made_by: { kind: 'user', id: userId },
      issuer: 'https://token.actions.githubusercontent.com',
      claims: { repository_id: ['1'] },
      scope: 'READ',
      limits: null,
    }),
    row(webhooks.WebhookTable, {
      id: 'whk_release',
      url: 'https://hooks.example.com/names',
      types: ['domain.*'],
      domains: null,
      tags: ['shop'],
      status: 'paused',
      reason: null,
      sealed_secret: secrets.seal('whsec_c2VjcmV0', webhookSecretPurpose('whk_release')),
      former_secret: secrets.seal('whsec_c2VjcmV0', webhookSecretPurpose('whk_release')),
    }),
    row(webhooks.DeliveryTable, {
      webhook_id: 'whk_release',
      type: 'domain.renewed',
      status: 'failed',
      result: { status: 500, body: 'out of order', ms: 20 },
    }),
    row(access.DailyUsageTable, { kind: 'history' }),
    row(access.KeySpendingTable, { currency: 'USD' }),
    row(factors.TotpTable, { sealed_secret: secrets.seal('JBSWY3DPEHPK3PXP', totpPurpose(userId)) }),
    row(factors.RecoveryCodeTable, {}),
    row(factors.PasskeyTable, { transports: ['usb', 'nfc'] }),
    row(factors.UsedTokenTable, {}),
    row(factors.IdentityTable, { issuer: 'https://id.example.net' }),
    row(registration.RenewalPriceTable, { price_minor: 1299, currency: 'USD' }),
    row(registrar.ImportTable, {
      id: 'imp_release',
      actor: { kind: 'operator' },
      status: 'finished',
      finished_at: new Date(SOME_TIME),
    }),
    row(registrar.ImportedNameTable, { import_id: 'imp_release', state: 'failed', reason: 'not held' }),
    row(registrar.ReconciliationTable, {}),
    row(registrar.DifferenceTable, { kind: 'status' }),
    row(registrar.RegistryValueTable, {}),
    row(dns.ZonePublicationTable, {}),
    row(dns.ZoneDelegationTable, { state: 'none', nameservers: [] }),
    row(connect.ConnectTemplateTable, { template: '{}' }),
    row(connect.ConnectProviderTable, {}),
    row(connect.ConnectedServiceTable, { group_ids: null, records: [], spf: [], connected_by: { kind: 'operator' } }),
    row(dnssec.CdsScanTable, { outcome: 'refused', reason: 'no signature' }),
    row(dns.AliasTargetTable, { target: 'target.example.net', answers: {}, error: 'not found' }),
    row(portfolio.BulkJobTable, {
      id: 'blk_release',
      actor: { kind: 'operator' },
      action: { kind: 'auto_renewal', autoRenew: true },
      finished_at: new Date(SOME_TIME),
    }),
    row(portfolio.BulkItemTable, {
      job_id: 'blk_release',
      state: 'done',
      undo_action: { kind: 'auto_renewal', autoRenew: false },
    }),
    row(portfolio.DesiredStateTable, { state: { settings: { tags: ['shop'] } }, actor: { kind: 'operator' } }),
    row(portfolio.GoneNameTable, {}),
    row(portfolio.SavedViewTable, { query: 'status=active' }),
    row(processes.ReplicaTable, {}),
    row(processes.CallReservationTable, {}),
    row(processes.LastBackupTable, {}),
  ];
}

/** The simulated registry has no table definitions. */
const REGISTRY_ROWS = [
  "INSERT INTO simreg_notices (id, registrar, noticed_at, kind, name, message) VALUES ('01KAN0000000000000000000N1', 'namewright', 1795305600000, 'renewed', 'kept-release.com', 'Renewed')",
  "INSERT INTO simreg_faults (id, kind, target, remaining, milliseconds) VALUES ('01KAN0000000000000000000F1', 'delay', 'slow-release.com', NULL, 1)",
];

const SOME_TIME = Date.UTC(2026, 10, 22);
const TEXT = 'release';

export function insertRowsOfLongerRuns(
  [service, registry]: readonly [Sqlite.Database, Sqlite.Database],
  referents: Referents,
  secrets: SecretBox,
): void {
  for (const { table, given } of rowsOfLongerRuns(referents, secrets)) {
    if (service.prepare(`SELECT 1 FROM ${table.options.tableName}`).get()) continue;
    const stored = storedRow(table.options.columns as Columns, given, referents);
    const places = Object.keys(stored).map((name) => `@${name}`);
    service
      .prepare(
        `INSERT INTO ${table.options.tableName} (${Object.keys(stored).join(', ')}) VALUES (${places.join(', ')})`,
      )
      .run(stored);
  }
  for (const statement of REGISTRY_ROWS) registry.exec(statement);
}

function storedRow(columns: Columns, given: GivenRow['given'], referents: Referents): Record<string, unknown> {
  const { accountId: account_id, domainId: domain_id, userId, keyId: key_id } = referents;
  const known: Readonly<Record<string, string>> = { account_id, domain_id, key_id, user_id: userId, person_id: userId };
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const value = given[name];
      if (value !== undefined) return [name, column.codec && value !== null ? column.codec.write(value) : value];
      return [name, known[name] ?? (column.nullable ? null : (column.default ?? anyValue(column)))];
    }),
  );
}

function anyValue({ type, codec }: AnyColumn<unknown, unknown>): string | number {
  if (type === 'varchar' || type === 'text') return TEXT;
  return codec?.read(SOME_TIME) instanceof Date ? SOME_TIME : 1;
}
