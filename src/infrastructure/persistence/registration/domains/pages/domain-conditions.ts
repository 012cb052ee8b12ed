import {
  STATUSES_OF,
  type DomainFilter,
  type TermCondition,
} from '../../../../../application/ports/registration/domain-repository';
import { tagTerm, type DomainTerm } from '../../../../../domain/portfolio/domain-terms';
import { DOMAIN_STATUSES, type DomainStatus } from '../../../../../domain/registration/domain-status';
import type { Queries } from '../../../database/database';
import { placeholders } from '../../../database/table';
import { forceIndex } from '../../../database/mysql/force-index';
import { delegationCondition, delegationDrivers, type Sql } from './delegation-conditions';

/** A query for the ids of the few domains that one condition of a filter finds, as `found_id`. */
export interface Driver extends Sql {
  /** The term, if it is the condition. */
  readonly term?: DomainTerm | undefined;
}

/** Compares a status with those that a list of names leaves out. */
export const LEFT_OUT: Readonly<Record<keyof typeof STATUSES_OF, string>> = {
  domains: notIn(STATUSES_OF.domains),
  zones: notIn(STATUSES_OF.zones),
  names: notIn(STATUSES_OF.names),
};

function notIn(listed: readonly DomainStatus[]): string {
  const others = DOMAIN_STATUSES.filter((status) => !listed.includes(status));
  return `NOT IN (${others.map((status) => `'${status}'`).join(', ')})`;
}

/** Compares a status with the one that is wanted, or with those that the list leaves out. */
export function statusCondition({ status, of = 'domains' }: DomainFilter): Sql {
  return status === undefined ? { sql: LEFT_OUT[of], parameters: [] } : { sql: '= ?', parameters: [status] };
}

type RowFilter = Pick<
  DomainFilter,
  'statuses' | 'expiresFrom' | 'expiresBefore' | 'updatedSince' | 'health' | 'delegation'
>;

/** Whether the list is filtered by something that no index of a list has. */
export function hasConditions({ terms = [], ...filter }: DomainFilter): boolean {
  const { statuses, expiresFrom, expiresBefore, updatedSince, health, delegation } = filter;
  const any = statuses ?? expiresFrom ?? expiresBefore ?? updatedSince ?? health ?? delegation;
  return terms.length > 0 || any !== undefined;
}

/** The terms of which each domain of the list has all. */
export function positiveTerms({ terms = [] }: DomainFilter): readonly DomainTerm[] {
  return terms.flatMap(({ anyOf, not = false }) => (not || anyOf.length > 1 ? [] : anyOf));
}

/** Conditions on a row of `table`, each after AND. The `+` keeps SQLite from finding rows by that column. */
export function rowConditions(
  { statuses, expiresFrom, expiresBefore, updatedSince, health, delegation }: RowFilter,
  table: string,
): Sql {
  const conditions: Sql[] = [];
  if (statuses) conditions.push({ sql: ` AND +${table}.status IN (${placeholders(statuses)})`, parameters: statuses });
  if (updatedSince) conditions.push({ sql: ` AND +${table}.updated_at >= ?`, parameters: [updatedSince.getTime()] });
  if (expiresFrom) conditions.push({ sql: ` AND +${table}.expires_at >= ?`, parameters: [expiresFrom.getTime()] });
  if (expiresBefore) conditions.push({ sql: ` AND +${table}.expires_at < ?`, parameters: [expiresBefore.getTime()] });
  if (health)
    conditions.push({
      sql: ` AND EXISTS (SELECT 1 FROM domain_health WHERE domain_health.domain_id = ${table}.id AND domain_health.state = ?)`,
      parameters: [health],
    });
  if (delegation) conditions.push(delegationCondition(delegation, table));
  return joined(conditions);
}

/**
 * Conditions on the terms of the domain with that id and name, each after AND. By the name, terms of domains in the order of names
 * lie together (the `+` keeps SQLite there); by the id alone, all terms of a domain and those of domains created together.
 */
export function termConditions(accountId: string, terms: readonly TermCondition[], id: string, name?: string): Sql {
  const [index, ofDomain] =
    name === undefined
      ? [forceIndex('terms_of_domain'), `domain_terms.domain_id = ${id}`]
      : ['', `domain_terms.name = ${name} AND +domain_terms.domain_id = ${id}`];
  return joined(
    terms.map(({ anyOf, not = false }) => ({
      sql: ` AND ${not ? 'NOT ' : ''}EXISTS (SELECT 1 FROM domain_terms${index} WHERE domain_terms.account_id = ? AND domain_terms.term IN (${placeholders(anyOf)}) AND ${ofDomain})`,
      parameters: [accountId, ...anyOf],
    })),
  );
}

/** Both, for rows of `table` that are found by a few names or ids, or else read in this order. */
export function allConditions(accountId: string, filter: DomainFilter, table: string, order = 'name'): Sql {
  const name = order === 'name' ? `${table}.name` : undefined;
  return joined([termConditions(accountId, filter.terms ?? [], `${table}.id`, name), rowConditions(filter, table)]);
}

function joined(conditions: readonly Sql[]): Sql {
  return { sql: conditions.map(({ sql }) => sql).join(''), parameters: conditions.flatMap((each) => each.parameters) };
}

/** After AND: the domain whose id is in `column` has one of the tags. Empty without tags. */
export function withTags(accountId: string, tags: readonly string[] | undefined, column: string): Sql {
  if (!tags) return { sql: '', parameters: [] };
  const { sql, parameters } = termDriver(accountId, tags.map(tagTerm));
  return { sql: ` AND ${column} IN (${sql})`, parameters };
}

/** The condition that finds the fewest domains, at most `few`; undefined if each finds more. Each is counted up to there. */
export async function rarestDriver(
  queries: Queries,
  accountId: string,
  { terms = [], expiresFrom, expiresBefore, health, delegation, status, statuses }: DomainFilter,
  few: number,
): Promise<Driver | undefined> {
  const drivers: readonly Driver[] = [
    ...terms.flatMap(({ anyOf, not = false }: TermCondition) => (not ? [] : [termDriver(accountId, anyOf)])),
    ...(expiresFrom || expiresBefore ? [expiryDriver(accountId, expiresFrom, expiresBefore)] : []),
    ...(delegation ? delegationDrivers(accountId, delegation) : []),
    ...(health
      ? [
          {
            sql: 'SELECT domain_id AS found_id FROM domain_health WHERE account_id = ? AND state = ?',
            parameters: [accountId, health],
          },
        ]
      : []),
    ...(status === undefined ? [] : [driverBy('domains_by_status_and_name', 'status = ?', [accountId, status])]),
    ...(statuses
      ? [driverBy('domains_by_status_and_name', `status IN (${placeholders(statuses)})`, [accountId, ...statuses])]
      : []),
  ];
  if (drivers.length === 0) return undefined;
  const [counts = {}] = await queries.query<Record<string, number | string>>(
    `SELECT ${drivers.map(({ sql }, index) => `(SELECT COUNT(*) FROM (${sql} LIMIT ${few + 1}) AS some) AS c${index}`).join(', ')}`,
    drivers.flatMap(({ parameters }) => parameters),
  );
  const amounts = drivers.map((_driver, index) => Number(counts[`c${index}`]));
  const fewest = Math.min(...amounts);
  return fewest <= few ? drivers[amounts.indexOf(fewest)] : undefined;
}

/**
 * How many names the account has beside those of the asked statuses decides how a list is read. `areFew`: reading the list in its order
 * passes over few of them; otherwise the filter has the statuses. Names that are gone are not counted.
 */
export async function amongOthers(
  queries: Queries,
  accountId: string,
  filter: DomainFilter,
  few: number,
): Promise<{ readonly filter: DomainFilter; readonly areFew: boolean }> {
  const { status, of = 'domains', statuses: asked = STATUSES_OF[of] } = filter;
  const others = DOMAIN_STATUSES.filter((each) => each !== 'gone' && !asked.includes(each));
  // Counting most statuses would cost more than it saves.
  if (status !== undefined || others.length > asked.length) return { filter, areFew: false };
  const amount = others.length === 0 ? 0 : await amountOf(queries, accountId, others);
  return amount > few ? { filter: { ...filter, statuses: asked }, areFew: false } : { filter, areFew: true };
}

async function amountOf(queries: Queries, accountId: string, statuses: readonly DomainStatus[]): Promise<number> {
  const [row] = await queries.query<{ amount: number | string | null }>(
    `SELECT SUM(amount) AS amount FROM domain_counts WHERE account_id = ? AND status IN (${placeholders(statuses)})`,
    [accountId, ...statuses],
  );
  return Number(row?.amount ?? 0);
}

function termDriver(accountId: string, anyOf: readonly string[]): Driver {
  const distinct = anyOf.length === 1 ? '' : 'DISTINCT ';
  return {
    sql: `SELECT ${distinct}domain_id AS found_id FROM domain_terms WHERE account_id = ? AND term IN (${placeholders(anyOf)})`,
    parameters: [accountId, ...anyOf],
    term: anyOf.length === 1 ? anyOf[0] : undefined,
  };
}

function expiryDriver(accountId: string, from = new Date(0), before?: Date): Driver {
  const bounds = [accountId, from.getTime(), ...(before ? [before.getTime()] : [])];
  return driverBy('domains_by_expiry', `expires_at >= ?${before ? ' AND expires_at < ?' : ''}`, bounds);
}

function driverBy(index: string, condition: string, parameters: readonly unknown[]): Driver {
  return {
    sql: `SELECT id AS found_id FROM domains${forceIndex(index)} WHERE account_id = ? AND ${condition}`,
    parameters,
  };
}
