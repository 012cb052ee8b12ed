import type { DelegationFilter } from '../../../../../application/ports/registration/domain-repository';
import { nameserverTerm } from '../../../../../domain/portfolio/domain-terms';
import { HOSTED_STATUSES } from '../../../../../domain/registration/domain-status';
import { forceIndex } from '../../../database/mysql/force-index';
import { placeholders } from '../../../database/table';

export interface Sql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const IS_HOSTED = `IN (${HOSTED_STATUSES.map((status) => `'${status}'`).join(', ')})`;
/** The terms of nameservers. */
const ANY_NAMESERVER = "domain_terms.term LIKE 'ns:%'";

/** After AND, on a row of `table`: as `delegationOf` says of the nameservers that its terms have. A parent that was not asked is unknown. */
export function delegationCondition({ state, ours }: DelegationFilter, table: string): Sql {
  const ofZone = `(SELECT 1 FROM zone_delegations WHERE zone_delegations.domain_id = ${table}.id AND zone_delegations.state`;
  const hosted = state === 'unknown' ? `NOT EXISTS ${ofZone} <> ?)` : `EXISTS ${ofZone} = ?)`;
  const registered = registeredCondition({ state, ours }, table);
  return {
    sql: ` AND (+${table}.status ${IS_HOSTED} AND ${hosted}${registered ? ` OR +${table}.status NOT ${IS_HOSTED} AND ${registered.sql}` : ''})`,
    parameters: [state, ...(registered?.parameters ?? [])],
  };
}

/** What the few names of the state are among; none if domains have it that no term tells. */
export function delegationDrivers(accountId: string, { state, ours }: DelegationFilter): readonly Sql[] {
  const zones = 'SELECT domain_id AS found_id FROM zone_delegations WHERE account_id = ? AND state = ?';
  if (state === 'none') return [{ sql: zones, parameters: [accountId, state] }];
  if ((state !== 'ours' && state !== 'partly') || ours.length === 0) return [];
  return [
    {
      sql: `${zones} UNION SELECT domain_id FROM domain_terms WHERE account_id = ? AND term IN (${placeholders(ours)})`,
      parameters: [accountId, state, accountId, ...ours.map(nameserverTerm)],
    },
  ];
}

function registeredCondition({ state, ours }: DelegationFilter, table: string): Sql | undefined {
  if (state === 'none' || state === 'unknown') return undefined;
  const terms = ours.map(nameserverTerm);
  const has = (which: string) =>
    `EXISTS (SELECT 1 FROM domain_terms${forceIndex('terms_of_domain')} WHERE domain_terms.domain_id = ${table}.id AND domain_terms.account_id = ${table}.account_id AND ${which})`;
  const ofOurs = terms.length === 0 ? '1 = 0' : has(`domain_terms.term IN (${placeholders(terms)})`);
  if (state === 'elsewhere') return { sql: `NOT ${ofOurs}`, parameters: terms };
  const ofOthers =
    terms.length === 0
      ? has(ANY_NAMESERVER)
      : has(`${ANY_NAMESERVER} AND domain_terms.term NOT IN (${placeholders(terms)})`);
  return {
    sql: `${ofOurs} AND ${state === 'ours' ? 'NOT ' : ''}${ofOthers}`,
    parameters: [...terms, ...terms],
  };
}
