import { waitForNextSlice } from '../../application/shared/run-cooperatively';
import { DAY_MS } from '../../domain/shared/time/calendar';
import type { DomainStatus } from '../../domain/registration/domain-status';
import type { Queries } from '../persistence/database/database';

/** Unfinished operations of one kind and state, with the times of the oldest, in milliseconds since 1970. */
interface OpenOperations {
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
  readonly oldest: number;
  readonly uncertainSince: number | undefined;
}

interface DomainFigures {
  readonly byStatus: ReadonlyMap<DomainStatus, number>;
  /** Active domains by the days until they expire, -1 for those that have expired, and by auto-renewal. */
  readonly expiring: readonly { readonly days: number; readonly autoRenew: boolean; readonly amount: number }[];
  /** Active domains that expire within a week although the service renews them. */
  readonly notRenewed: number;
}

/** Dead letters of a registry. */
/** Found by an index that begins with their webhooks. */
const DELIVERIES = 'webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id';

interface DeadLetterFigures {
  readonly amount: number;
  /** When the newest was received, in milliseconds since 1970. */
  readonly newest: number;
}

interface CountRow {
  readonly account_id: string;
  readonly status: DomainStatus;
  readonly expires_on: number | string;
  readonly auto_renew: number;
  readonly amount: number | string;
}

const PAGE = 2_000;
const HOUR_MS = 3_600_000;
/** RRsets that were to be renewed at once have no order among themselves. */
const SIGNED_RRSETS = 200;
/** RFC 4034, section 3.1: type, algorithm, labels and original TTL precede it. */
const EXPIRATION_OFFSET = 8;
/** The service renews long before. */
const NOT_RENEWED_DAYS = 7;
/** A measurement of the clock is off by up to half of this. */
const MAX_CLOCK_WAIT_MS = 1_000;

/** Reads what no process counts by itself. Every statement reads an index, or a table of few rows, or one page of the counters. */
export class StoredFigures {
  constructor(
    private readonly database: Queries,
    private readonly kind: 'sqlite' | 'mysql',
    /** TLDs whose registry renews names by itself. */
    private readonly selfRenewing: readonly string[],
  ) {}

  async openOperations(): Promise<readonly OpenOperations[]> {
    const rows = await this.database.query<Record<string, string | number | null>>(
      `SELECT json_extract(request, '$.kind') AS kind, status, COUNT(*) AS amount, MIN(created_at) AS oldest, MIN(uncertain_since) AS uncertain_since FROM operations WHERE due_at > 0 GROUP BY json_extract(request, '$.kind'), status`,
    );
    return rows.map((row) => ({
      // MySQL leaves the quotes of the JSON text.
      kind: String(row['kind']).replaceAll('"', ''),
      status: String(row['status']),
      amount: Number(row['amount']),
      oldest: Number(row['oldest']),
      uncertainSince: row['uncertain_since'] === null ? undefined : Number(row['uncertain_since']),
    }));
  }

  async deadLetters(): Promise<ReadonlyMap<string, DeadLetterFigures>> {
    const rows = await this.database.query<{ registry: string; amount: number | string; newest: number | string }>(
      'SELECT registry, COUNT(*) AS amount, MAX(received_at) AS newest FROM dead_letters GROUP BY registry',
    );
    return new Map(
      rows.map(({ registry, amount, newest }) => [registry, { amount: Number(amount), newest: Number(newest) }]),
    );
  }

  /** Unfinished jobs. */
  async jobs(): Promise<ReadonlyMap<'import' | 'bulk' | 'transfer' | 'delivery' | 'mail', number>> {
    const count = async (table: string, condition: string) => {
      const [row] = await this.database.query<{ amount: number | string }>(
        `SELECT COUNT(*) AS amount FROM ${table} WHERE ${condition}`,
      );
      return Number(row?.amount ?? 0);
    };
    return new Map([
      ['import', await count('imports', 'finished_at IS NULL')],
      ['bulk', await count('bulk_jobs', 'finished_at IS NULL')],
      ['transfer', await count('transfers', 'due_at > 0')],
      ['delivery', await count(DELIVERIES, "w.status = 'active' AND d.due_at > 0")],
      ['mail', await count('mails', "status = 'waiting'")],
    ] as const);
  }

  /** Page by page from the counters of the overview, so that no statement takes long. */
  async domains(now: Date): Promise<DomainFigures> {
    const byStatus = new Map<DomainStatus, number>();
    const expiring = new Map<string, { days: number; autoRenew: boolean; amount: number }>();
    const accounts = new Set<string>();
    for (let from: CountRow | undefined; ;) {
      const rows = await this.countersAfter(from);
      for (const { account_id: account, status, expires_on: expiresOn, auto_renew: autoRenew, amount } of rows) {
        byStatus.set(status, (byStatus.get(status) ?? 0) + Number(amount));
        if (status !== 'active') continue;
        const days = Math.max(-1, Math.floor((Number(expiresOn) - now.getTime()) / DAY_MS) + 1);
        if (days <= NOT_RENEWED_DAYS && autoRenew === 1) accounts.add(account);
        const entry = expiring.get(`${days} ${autoRenew}`) ?? { days, autoRenew: autoRenew === 1, amount: 0 };
        entry.amount += Number(amount);
        expiring.set(`${days} ${autoRenew}`, entry);
      }
      from = rows.at(-1);
      if (rows.length < PAGE) break;
      await waitForNextSlice();
    }
    let notRenewed = 0;
    for (const account of accounts) notRenewed += await this.notRenewed(account, now);
    return { byStatus, expiring: [...expiring.values()], notRenewed };
  }

  /**
   * Zones whose DNSSEC step is in error: such a step is tried again within the hour, so its row is due soon. Not those whose owner has
   * to act: at the parent, to which NOTIFY was sent, or by its delegation to us, without which a hosted zone has no DS records.
   */
  async failingSigningSteps(now: Date): Promise<number> {
    const [row] = await this.database.query<{ amount: number | string }>(
      `SELECT COUNT(*) AS amount FROM zone_signing JOIN domains ON domains.id = zone_signing.domain_id
        WHERE zone_signing.due_at <= ? AND zone_signing.problem_reason IS NOT NULL
        AND NOT (zone_signing.notice IS NOT NULL AND zone_signing.serial IS NOT NULL)
        AND NOT (domains.status = 'hosted' AND zone_signing.signers IS NULL AND zone_signing.serial IS NULL)`,
      [now.getTime() + 2 * HOUR_MS],
    );
    return Number(row?.amount ?? 0);
  }

  /** The nearest end of signatures among those that are renewed next, in milliseconds since 1970. Undefined without signed zones. */
  async signatureEnd(): Promise<number | undefined> {
    const rows = await this.database.query<{ signatures: string }>(
      `SELECT signatures FROM derived_rrsets ORDER BY refresh_at LIMIT ${SIGNED_RRSETS}`,
    );
    const ends = rows.flatMap((row) => expirationsOf(row.signatures));
    return ends.length > 0 ? Math.min(...ends) : undefined;
  }

  /** What the last comparison with each registry found. */
  async differences(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ registry: string; differences: number | string }>(
      'SELECT registry, differences FROM reconciliations',
    );
    return new Map(rows.map(({ registry, differences }) => [registry, Number(differences)]));
  }

  /** When the last backup succeeded, in milliseconds since 1970. */
  async lastBackup(): Promise<number | undefined> {
    const [row] = await this.database.query<{ succeeded_at: number | string }>(
      'SELECT succeeded_at FROM last_backup WHERE id = 1',
    );
    return row && Number(row.succeeded_at);
  }

  /** How far the clock of the database server is ahead of ours, in milliseconds. Undefined for SQLite, which uses our clock, and if a wait for a connection hides it. */
  async clockOffset(): Promise<number | undefined> {
    if (this.kind === 'sqlite') return undefined;
    const [before, startedAt] = [Date.now(), performance.now()];
    const [row] = await this.database.query<{ now: number | string }>('SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now');
    const waitedMs = performance.now() - startedAt;
    return row && waitedMs <= MAX_CLOCK_WAIT_MS ? Number(row.now) - before - waitedMs / 2 : undefined;
  }

  /** A registered name has one label before its TLD. */
  private async notRenewed(account: string, now: Date): Promise<number> {
    const others = this.selfRenewing.map(() => ' AND NOT (name LIKE ? AND name NOT LIKE ?)').join('');
    const [row] = await this.database.query<{ amount: number | string }>(
      `SELECT COUNT(*) AS amount FROM domains WHERE account_id = ? AND status = 'active' AND expires_at < ? AND auto_renew = 1 AND registrar_renews = 0${others}`,
      [
        account,
        now.getTime() + NOT_RENEWED_DAYS * DAY_MS,
        ...this.selfRenewing.flatMap((suffix) => [`%.${suffix}`, `%.%.${suffix}`]),
      ],
    );
    return Number(row?.amount ?? 0);
  }

  private countersAfter(from: CountRow | undefined): Promise<CountRow[]> {
    const columns = 'account_id, status, expires_on, auto_renew, amount';
    const order = `ORDER BY account_id, status, expires_on, auto_renew LIMIT ${PAGE}`;
    if (!from) return this.database.query<CountRow>(`SELECT ${columns} FROM domain_counts ${order}`);
    const { account_id: account, status, expires_on: day, auto_renew: autoRenew } = from;
    return this.database.query<CountRow>(
      `SELECT ${columns} FROM domain_counts WHERE account_id >= ? AND (account_id > ? OR status > ? OR (status = ? AND (expires_on > ? OR (expires_on = ? AND auto_renew > ?)))) ${order}`,
      [account, account, status, status, day, day, autoRenew],
    );
  }
}

/** Of RRSIG records, in milliseconds since 1970. @param signatures as `derived_rrsets` has them */
function expirationsOf(signatures: string): readonly number[] {
  return (JSON.parse(signatures) as string[]).map(
    (text) => Buffer.from(text, 'base64').readUInt32BE(EXPIRATION_OFFSET) * 1_000,
  );
}
