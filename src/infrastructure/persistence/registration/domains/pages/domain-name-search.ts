import type { EntityManager } from 'typeorm';
import { toUnicodeName } from '../../../../../domain/shared/idna';
import type { Queries } from '../../../database/database';

/** A domain with its name in ASCII. */
export interface NamedRow {
  readonly account_id: string;
  readonly name: string;
}

/** How an account's domains whose names contain a part are found. */
export interface NameSearch {
  /**
   * Whether few names contain the part. Then it costs least to look up their domains; otherwise a list that
   * is read in its order soon has a page of matches.
   */
  readonly isRare: boolean;
  /** The rows of names with one of the part's trigrams: a table and its condition. */
  readonly grams: { readonly sql: string; readonly parameters: readonly unknown[] };
  /** Selects from `grams`, as `found_name` and in ASCII, the names that may contain the part. */
  readonly names: string;
  readonly parameters: readonly unknown[];
  /** Whether `grams` can be read in the order of names by an index, and holds no name twice. */
  readonly isSorted: boolean;
}

const GRAM_LENGTH = 3;
/** More would cost more to count than they save. */
const COUNTED_GRAMS = 4;
/** Names with a trigram are compared with the part much faster than their domains are looked up. */
const COMPARED_NAMES = 2;
/** Greater than every character of a name. */
const AFTER_ALL = '\u{10ffff}';
/** Takes the part once. The Unicode form of an internationalized name is compared later, with its row. */
export const mayContain = (name: string) => `(INSTR(${name}, ?) > 0 OR INSTR(${name}, 'xn--') > 0)`;
/** Part of a domain's name in its ASCII or its Unicode form; takes the part twice. */
export const NAME_CONTAINS =
  "(INSTR(domains.name, ?) > 0 OR (INSTR(domains.name, 'xn--') > 0 AND INSTR(domains.unicode_name, ?) > 0))";

/** The trigrams of a name in its ASCII and its Unicode form, and its last two characters and its last one. */
export function gramsOf(name: string): readonly string[] {
  const grams = new Set<string>();
  for (const form of [name, toUnicodeName(name) ?? name]) {
    const characters = Array.from(form);
    for (let start = 0; start < characters.length; start += 1)
      grams.add(characters.slice(start, start + GRAM_LENGTH).join(''));
  }
  return [...grams];
}

/** Does nothing if the account has another domain of that name. */
export async function insertNameGrams(manager: EntityManager, { account_id, name }: NamedRow): Promise<void> {
  const grams = gramsOf(name);
  const onDuplicate =
    manager.connection.options.type === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE gram = VALUES(gram)'
      : 'ON CONFLICT DO NOTHING';
  await manager.query(
    `INSERT INTO domain_name_grams (account_id, gram, name) VALUES ${grams.map(() => '(?, ?, ?)').join(', ')} ${onDuplicate}`,
    grams.flatMap((gram) => [account_id, gram, name]),
  );
}

/** After the account's last domain of that name was deleted; does nothing if it has another one. */
export async function deleteNameGrams(
  manager: EntityManager,
  { account_id, name }: NamedRow,
  forUpdate: string,
): Promise<void> {
  const grams = gramsOf(name);
  await manager.query(
    `DELETE FROM domain_name_grams WHERE account_id = ? AND name = ? AND gram IN (${grams.map(() => '?').join(', ')})`,
    [account_id, name, ...grams],
  );
  // Looked for only now: a domain that is added meanwhile waits for these rows, or is seen here.
  const sql = `SELECT account_id, name FROM domains WHERE account_id = ? AND name = ? LIMIT 1${forUpdate}`;
  const [other] = await manager.query<NamedRow[]>(sql, [account_id, name]);
  if (other) await insertNameGrams(manager, other);
}

/** `part` as `foldNamePart` returns it. Undefined if it is absent or empty, and every name contains it. */
export async function searchNames(
  queries: Queries,
  accountId: string,
  part: string | undefined,
  fewNames: number,
): Promise<NameSearch | undefined> {
  if (part === undefined || part === '') return undefined;
  const candidates = someGramsOf(part);
  const isSorted = Array.from(part).length >= GRAM_LENGTH;
  const condition = isSorted ? 'account_id = ? AND gram = ?' : 'account_id = ? AND gram >= ? AND gram < ?';
  const parametersOf = (gram: string) => [accountId, gram, ...(isSorted ? [] : [gram + AFTER_ALL])];
  const count = `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM domain_name_grams WHERE ${condition} LIMIT ${COMPARED_NAMES * fewNames + 1}) AS some)`;
  const [counts = {}] = await queries.query<Record<string, number | string>>(
    `SELECT ${candidates.map((_gram, index) => `${count} AS c${index}`).join(', ')}`,
    candidates.flatMap(parametersOf),
  );
  const amounts = candidates.map((_gram, index) => Number(counts[`c${index}`]));
  const fewest = Math.min(...amounts);
  const gram = candidates[amounts.indexOf(fewest)] ?? part;
  const grams = { sql: `domain_name_grams WHERE ${condition}`, parameters: parametersOf(gram) };
  const search = {
    grams,
    names: `SELECT ${isSorted ? '' : 'DISTINCT '}name AS found_name FROM ${grams.sql} AND ${mayContain('name')}`,
    parameters: [...grams.parameters, part],
    isSorted,
  };
  if (fewest <= fewNames || fewest > COMPARED_NAMES * fewNames) return { ...search, isRare: fewest <= fewNames };
  const [matches] = await queries.query<{ amount: number | string }>(
    `SELECT COUNT(*) AS amount FROM (${search.names} LIMIT ?) AS some`,
    [...search.parameters, fewNames + 1],
  );
  return { ...search, isRare: Number(matches?.amount) <= fewNames };
}

/** A part of one or two characters is the beginning of trigrams; of a longer one some of its trigrams. */
function someGramsOf(part: string): readonly string[] {
  const characters = Array.from(part);
  const last = characters.length - GRAM_LENGTH;
  if (last < 0) return [part];
  const count = Math.min(last + 1, COUNTED_GRAMS);
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * last) / (count - 1)),
  );
  return starts.map((start) => characters.slice(start, start + GRAM_LENGTH).join(''));
}
