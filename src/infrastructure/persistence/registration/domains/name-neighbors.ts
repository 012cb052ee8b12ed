import { yieldBetween } from '../../../../application/shared/run-cooperatively';
import { belowTerm, tldTerm } from '../../../../domain/portfolio/domain-terms';
import type { NameNeighbors } from '../../../../domain/dns/zone-names/zone-ownership';
import { parentsOf } from '../../../../domain/shared/domain-name';
import type { DomainState } from '../../../../domain/registration/domain';
import type { Queries } from '../../database/database';
import { chunks } from '../../dns/sql-zone-reader';
import type { DomainRow } from '../registration-tables';
import { DOMAIN_COLUMNS, pendingName, toDomainState } from './domain-rows';

/** Databases limit the parameters of a statement. */
const NAMES_PER_QUERY = 1_000;

type Row = Pick<DomainRow, 'id' | 'account_id' | 'name'>;

export async function readNeighbors(queries: Queries, name: string, accountId: string): Promise<NameNeighbors> {
  const above = parentsOf(name);
  const terms = [name, belowTerm(name), belowTerm(name), tldTerm(name), tldTerm(name)];
  const rows = await queries.query<Row>(`${aboveOf(above.length)} UNION ALL ${OTHERS} UNION ALL ${OWN_BELOW}`, [
    ...above,
    ...terms.flatMap((term) => [term, accountId]),
    belowTerm(name),
    accountId,
  ]);
  const [closest] = rows.filter(({ id }) => id !== '').toSorted((one, other) => other.name.length - one.name.length);
  const found = rows.filter(({ id }) => id === '').map(({ name: what }) => what);
  return {
    above: closest && { id: closest.id, accountId: closest.account_id, name: closest.name },
    hasOthers: found.includes('others'),
    hasOwnBelow: found.includes('own below'),
  };
}

export async function readZonesAmong(queries: Queries, names: readonly string[]): Promise<readonly DomainState[]> {
  const found: DomainState[] = [];
  for await (const some of yieldBetween(chunks(names, NAMES_PER_QUERY))) {
    const marks = some.map(() => '?').join(', ');
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE live_name IN (${marks}, ${marks})`;
    const rows = await queries.query<DomainRow>(sql, [...some, ...some.map(pendingName)]);
    found.push(...rows.map(toDomainState));
  }
  return found;
}

export async function readZonesBelow(
  queries: Queries,
  accountId: string,
  name: string,
): Promise<readonly DomainState[]> {
  const rows = await queries.query<DomainRow>(
    `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id IN (SELECT domain_id FROM domain_terms WHERE account_id = ? AND term = ?) AND status = 'hosted'`,
    [accountId, belowTerm(name)],
  );
  return rows.map(toDomainState);
}

/** A name of one label has none above. A registration that is not confirmed proves nothing, and its `live_name` is not its name. */
function aboveOf(count: number): string {
  const marks = Array.from({ length: count }, () => '?').join(', ');
  const condition = count === 0 ? '1 = 0' : `live_name IN (${marks})`;
  return `SELECT id, account_id, name FROM domains WHERE ${condition}`;
}

const AT = 'EXISTS (SELECT 1 FROM domains WHERE live_name = ? AND account_id <> ?)';
/** Terms lie in the order of accounts, so that one's own are passed over. */
const BELOW = ['<', '>'].map(
  (comparison) =>
    `EXISTS (SELECT 1 FROM domain_terms t JOIN domains d ON d.id = t.domain_id WHERE t.term = ? AND t.account_id ${comparison} ? AND d.live_name IS NOT NULL)`,
);
/** A row without id if another account has one. */
const OTHERS = `SELECT '', '', 'others' FROM (SELECT 1 AS one) t WHERE ${[AT, ...BELOW, ...BELOW].join(' OR ')}`;
/** A row without id if the account hosts zones below. */
const OWN_BELOW =
  "SELECT '', '', 'own below' FROM (SELECT 1 AS one) t WHERE EXISTS (SELECT 1 FROM domain_terms t JOIN domains d ON d.id = t.domain_id WHERE t.term = ? AND t.account_id = ? AND d.status = 'hosted')";
