import type { CostFilter, CostGroups, CostQueries } from '../../../application/ports/portfolio/portfolio-repositories';
import { waitForNextSlice } from '../../../application/shared/run-cooperatively';
import type { Database, Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { placeholders } from '../database/table';
import { CostSums, type CostRow } from './cost-sums';
import type { Sql } from './domains/pages/delegation-conditions';
import { withTags } from './domains/pages/domain-conditions';

/** So many charges or renewals are summed up: a page is not to wait longer. */
const MAX_COUNTED = 20_000;
/** In this thread, so many take a few milliseconds. */
const READ_TOGETHER_IN_THREAD = 1_500;
/** Each part makes a temporary table on the disk of the server. */
const READ_TOGETHER = 5_000;
const TLD = "SUBSTR(name, INSTR(name, '.') + 1)";
const TLD_LENGTH = "LENGTH(name) - INSTR(name, '.')";
/** MySQL adds up by texts of so many characters in half the time: it reserves the longest length for each of them. Those of few domains are longer. */
const SHORT_TLD = 24;
const SHORT_TAGS = 60;
const RENEWAL_KIND = "CASE WHEN auto_renew = 1 THEN 'automatic' ELSE 'manual' END";

type Span = readonly [from: number, before: number];

/** In the order in which an index has it. */
interface ChargedTable {
  readonly table: string;
  readonly index: string;
  readonly at: string;
}
const OPERATIONS: ChargedTable = { table: 'operations', index: 'operations_charged', at: 'retained_from' };
const TRANSFERS: ChargedTable = { table: 'transfers', index: 'transfers_by_account', at: 'created_at' };

/** Where a part of the renewals begins: after this domain in the order of expiries. */
interface RenewalPosition {
  readonly at: number;
  readonly id: string;
}

export class SqlCostQueries implements CostQueries {
  constructor(
    private readonly database: Queries & Pick<Database, 'isInThread'>,
    private readonly most = MAX_COUNTED,
    private readonly readTogether = database.isInThread ? READ_TOGETHER_IN_THREAD : READ_TOGETHER,
  ) {}

  async charged(accountId: string, months: readonly Date[], filter: CostFilter): Promise<CostGroups> {
    const [from, end] = spanOf(months);
    const sums = new CostSums();
    // Before they are complete, transfers have no domain. When they were charged is not in an index: those of all time are read.
    const transfersAreCut = await this.addParts(sums, accountId, TRANSFERS, [0, end], (part) =>
      this.chargedTransfers(accountId, part, months, filter, sums.tagsAreCut),
    );
    const operationsAreCut = await this.addParts(sums, accountId, OPERATIONS, [from, end], (part) =>
      this.chargedOperations(accountId, part, months, filter, sums.tagsAreCut),
    );
    return sums.result(transfersAreCut || operationsAreCut);
  }

  async renewals(
    accountId: string,
    months: readonly Date[],
    leadMs: number,
    filter: CostFilter,
    grouping: 'by-month' | 'in-full' = 'in-full',
  ): Promise<CostGroups> {
    const [from, before] = spanOf(months);
    const sums = new CostSums();
    let isCut = false;
    let after: RenewalPosition | undefined = { at: from, id: '' };
    while (after && !isCut) {
      const end = await this.renewalAt(accountId, after, before + leadMs, this.together - 1);
      const withoutTags = sums.tagsAreCut || grouping === 'by-month';
      const conditions = conditionsOf(accountId, filter, 'd.id');
      const sql = `SELECT CASE WHEN d.auto_renew = 1 THEN d.expires_at - ? ELSE d.expires_at END AS charged_at, d.auto_renew AS auto_renew,
        p.price_minor AS minor, p.currency AS currency, p.checked_at AS checked_at, d.name AS name, ${tagsOf(withoutTags)} AS tags
        FROM domains d${forceIndex('domains_by_status_and_expiry')} LEFT JOIN renewal_prices p ON p.domain_id = d.id
        WHERE d.account_id = ? AND d.status = 'active' AND d.expires_at >= ? AND d.expires_at ${end ? '<=' : '<'} ? AND (d.expires_at > ? OR d.id > ?)
        ${end ? 'AND (d.expires_at < ? OR d.id <= ?)' : ''} AND (d.auto_renew = 1 OR d.expires_at < ?)${conditions.sql}`;
      const due: Span = [after.at - leadMs, end ? end.at + 1 : before];
      const parameters = [
        leadMs,
        accountId,
        after.at,
        end?.at ?? before + leadMs,
        after.at,
        after.id,
        ...(end ? [end.at, end.id] : []),
        before,
        ...conditions.parameters,
      ];
      const rows = await this.groups(
        'renewals',
        sql,
        monthOf(months, due, this.database.isInThread),
        parameters,
        grouping === 'in-full',
      );
      isCut = rows.length > 0 && sums.count >= this.most;
      if (!isCut) sums.add(rows);
      after = end;
      await waitForNextSlice(accountId);
    }
    return sums.result(isCut);
  }

  /** Adds charges in parts, the latest ones first, until they are enough. Whether some are left out. */
  private async addParts(
    sums: CostSums,
    accountId: string,
    table: ChargedTable,
    [from, end]: Span,
    read: (part: Span) => Promise<readonly CostRow[]>,
  ): Promise<boolean> {
    let before = end;
    while (before > from) {
      const start = (await this.startOfPart(table, accountId, [from, before])) ?? from;
      const rows = await read([start, before]);
      if (rows.length > 0 && sums.count >= this.most) return true;
      sums.add(rows);
      before = start;
      await waitForNextSlice(accountId);
    }
    return false;
  }

  private get together(): number {
    return Math.min(this.most, this.readTogether);
  }

  private chargedOperations(
    accountId: string,
    part: Span,
    months: readonly Date[],
    filter: CostFilter,
    withoutTags: boolean,
  ): Promise<readonly CostRow[]> {
    const conditions = conditionsOf(accountId, filter, 'd.id');
    const sql = `SELECT o.retained_from AS charged_at, o.charged_minor AS minor, o.charged_currency AS currency, d.name AS name,
      ${tagsOf(withoutTags)} AS tags FROM operations o${forceIndex('operations_charged')} JOIN domains d ON d.id = o.domain_id
      WHERE o.account_id = ? AND o.retained_from >= ? AND o.retained_from < ? AND o.charged_minor IS NOT NULL${conditions.sql}`;
    const month = monthOf(months, part, this.database.isInThread);
    return this.groups('charges', sql, month, [accountId, ...part, ...conditions.parameters]);
  }

  private chargedTransfers(
    accountId: string,
    part: Span,
    months: readonly Date[],
    filter: CostFilter,
    withoutTags: boolean,
  ): Promise<readonly CostRow[]> {
    const conditions = conditionsOf(accountId, filter, 't.domain_id');
    const at = 'COALESCE(t.finished_at, t.updated_at)';
    const sql = `SELECT ${at} AS charged_at, t.charged_minor AS minor, t.charged_currency AS currency, t.name AS name, ${tagsOf(withoutTags)} AS tags
      FROM transfers t${forceIndex('transfers_by_account')} LEFT JOIN domains d ON d.id = t.domain_id
      WHERE t.account_id = ? AND t.created_at >= ? AND t.created_at < ? AND t.charged_minor IS NOT NULL AND t.error_code IS NULL AND ${at} >= ? AND ${at} < ?${conditions.sql}`;
    const parameters = [accountId, ...part, ...spanOf(months), ...conditions.parameters];
    return this.groups('charges', sql, monthOf(months, spanOf(months), this.database.isInThread), parameters);
  }

  /** Undefined if no more are before it than are read together. */
  private async startOfPart(
    { table, index, at }: ChargedTable,
    accountId: string,
    span: Span,
  ): Promise<number | undefined> {
    const sql = `SELECT ${at} AS at FROM ${table}${forceIndex(index)}
      WHERE account_id = ? AND ${at} >= ? AND ${at} < ? ORDER BY ${at} DESC LIMIT 1 OFFSET ?`;
    const [found] = await this.database.query<{ at: number | string }>(sql, [accountId, ...span, this.together - 1]);
    return found && Number(found.at);
  }

  private async renewalAt(
    accountId: string,
    { at, id }: RenewalPosition,
    before: number,
    index: number,
  ): Promise<RenewalPosition | undefined> {
    const sql = `SELECT expires_at AS at, id FROM domains${forceIndex('domains_by_status_and_expiry')}
      WHERE account_id = ? AND status = 'active' AND expires_at >= ? AND expires_at < ? AND (expires_at > ? OR id > ?)
      ORDER BY expires_at, id LIMIT 1 OFFSET ?`;
    const parameters = [accountId, at, before, at, id, index];
    const [found] = await this.database.query<{ at: number | string; id: string }>(sql, parameters);
    return found && { at: Number(found.at), id: found.id };
  }

  /** By short texts first, if that is faster; then those that have a longer one, if there are any. */
  private async groups(
    kind: CostKinds,
    rows: string,
    month: Sql,
    parameters: readonly unknown[],
    hasTlds = true,
  ): Promise<readonly CostRow[]> {
    const read = (texts: Texts) =>
      this.database.query<CostRow & { readonly is_long?: number }>(groupsSql(kind, rows, month, hasTlds, texts), [
        ...month.parameters,
        ...parameters,
      ]);
    if (this.database.isInThread) return read('all');
    const short = await read('short');
    const long = short.every(({ is_long: isLong }) => isLong === 0) ? [] : await read('long');
    return [...short.filter(({ is_long: isLong }) => isLong === 0), ...long];
  }
}

type CostKinds = 'charges' | 'renewals';
type Texts = 'all' | 'short' | 'long';

/** What is the same for all rows is no group: it would make each of them larger. */
function groupsSql(kinds: CostKinds, rows: string, month: Sql, hasTlds: boolean, texts: Texts): string {
  const [kind, kindGroup, unasked] =
    kinds === 'charges' ? ["'charged'", '', '0'] : [RENEWAL_KIND, 'auto_renew, ', 'COUNT(*) - COUNT(checked_at)'];
  const isShort = texts === 'short';
  const tld = hasTlds ? TLD : "''";
  const isLong = `CASE WHEN LENGTH(tags) > ${SHORT_TAGS}${hasTlds ? ` OR ${TLD_LENGTH} > ${SHORT_TLD}` : ''} THEN 1 ELSE 0 END`;
  const [groupTld, groupTags] = isShort ? [`LEFT(${tld}, ${SHORT_TLD})`, `LEFT(tags, ${SHORT_TAGS})`] : [tld, 'tags'];
  return `SELECT ${kind} AS kind, ${month.sql} AS month, ${groupTld} AS tld, ${groupTags} AS tag_set, currency, SUM(minor) AS minor,
    COUNT(*) AS amount, ${unasked} AS unasked${isShort ? `, ${isLong} AS is_long` : ''} FROM (${rows}) AS counted
    ${texts === 'long' ? `WHERE ${isLong} = 1 ` : ''}GROUP BY ${kindGroup}month, tld, tag_set, currency${isShort ? ', is_long' : ''}`;
}

const tagsOf = (withoutTags: boolean): string => (withoutTags ? 'NULL' : 'd.tags');

function spanOf(months: readonly Date[]): Span {
  return [months[0]?.getTime() ?? 0, months.at(-1)?.getTime() ?? 0];
}

/** The place of the month of `charged_at`: how many of those after the first have begun. Rows are compared with those that begin in the span. */
function monthOf(months: readonly Date[], [from, before]: Span, isInThread: boolean): Sql {
  const starts = months.slice(1, -1).map((month) => month.getTime());
  const inside = starts.filter((start) => start > from && start < before);
  const begun = starts.filter((start) => start <= from).length;
  const parameters = [begun, ...inside];
  if (isInThread || inside.length === 0)
    return { sql: `? ${inside.map(() => '+ (charged_at >= ?)').join(' ')}`, parameters };
  // How many of the others are not above the first: MySQL looks it up.
  return { sql: `? + INTERVAL(charged_at, ${placeholders(inside)})`, parameters };
}

function conditionsOf(accountId: string, { names, tags }: CostFilter, column: string) {
  const tagged = withTags(accountId, tags, column);
  if (!names) return tagged;
  const named = column === 't.domain_id' ? 't.name' : 'd.name';
  return {
    sql: `${tagged.sql} AND ${named} IN (${placeholders(names)})`,
    parameters: [...tagged.parameters, ...names],
  };
}
