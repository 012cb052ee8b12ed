import type { KnownPrice, RenewalPriceStore } from '../../../application/ports/registration/domain-repository';
import type { Database } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { chunks } from '../dns/sql-zone-reader';
import { updateDomains } from './domains/update-domains';
import { RenewalPriceTable, type RenewalPriceRow } from './registration-tables';

const COLUMNS = columnsOf(RenewalPriceTable);
/** Databases limit the parameters of a statement. */
const PER_STATEMENT = 500;
/** In `renewal_price`. */
const UNKNOWN = -1;

export class SqlRenewalPrices implements RenewalPriceStore {
  constructor(private readonly database: Database) {}

  async find(domainIds: readonly string[]): Promise<readonly KnownPrice[]> {
    const found: KnownPrice[] = [];
    for (const ids of chunks(domainIds, PER_STATEMENT)) {
      const sql = `SELECT ${COLUMNS} FROM renewal_prices WHERE domain_id IN (${ids.map(() => '?').join(', ')})`;
      found.push(
        ...(await this.database.query<RenewalPriceRow>(sql, [...ids])).map((row) => stateOf(RenewalPriceTable, row)),
      );
    }
    return found;
  }

  /** In the same order in every process, so that two of them do not wait for each other. */
  async save(accountId: string, prices: readonly KnownPrice[]): Promise<void> {
    const sorted = prices.toSorted((one, other) => (one.domainId < other.domainId ? -1 : 1));
    for (const some of chunks(sorted, PER_STATEMENT))
      await this.database.transaction(async (manager) => {
        const amounts = some.map(({ domainId, price }) => [domainId, price?.minor ?? UNKNOWN] as const);
        await updateDomains(manager, 'renewal_price', amounts);
        const rows = some.map((price) => rowOf(RenewalPriceTable, price));
        await manager.upsert(RenewalPriceTable, rows, ['domain_id']);
      }, accountId);
  }
}
