import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES: Readonly<Record<string, string>> = {
  domains_by_nameserver: 'account_id, first_nameserver, id, name',
  domains_by_tag: 'account_id, first_tag, id, name',
  domains_by_health: 'account_id, health_rank, id, name',
  domains_by_price: 'account_id, renewal_price, id, name',
  domains_by_health_check: 'health_checked_at',
};

/** What lists of domains are sorted by besides what domains had, and when the health of each was checked. */
export class SortableDomainColumns1795400000000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'SortableDomainColumns1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    const isMysql = runner.dataSource.options.type === 'mysql';
    for (const column of [
      "first_nameserver VARCHAR(253) NOT NULL DEFAULT ''",
      "first_tag VARCHAR(40) NOT NULL DEFAULT ''",
      'health_rank SMALLINT NOT NULL DEFAULT 4',
      'health_checked_at BIGINT NULL DEFAULT 0',
      'renewal_price BIGINT NOT NULL DEFAULT -1',
    ])
      await runner.query(`ALTER TABLE domains ADD COLUMN ${column}`);
    const firstOf = (column: string) => {
      const first = `json_extract(${column}, '$[0]')`;
      return `COALESCE(${isMysql ? `json_unquote(${first})` : first}, '')`;
    };
    await runner.query(`UPDATE domains SET
      first_nameserver = ${firstOf('nameservers')},
      first_tag = ${firstOf('tags')},
      health_rank = COALESCE((SELECT CASE state WHEN 'problem' THEN 0 WHEN 'warning' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END
        FROM domain_health WHERE domain_id = domains.id), 4),
      health_checked_at = CASE WHEN status IN ('gone', 'transferred_out') THEN NULL
        ELSE COALESCE((SELECT checked_at FROM domain_health WHERE domain_id = domains.id), 0) END,
      renewal_price = COALESCE((SELECT price_minor FROM renewal_prices WHERE domain_id = domains.id), -1)`);
    for (const [index, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${index} ON domains (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = runner.dataSource.options.type === 'mysql' ? ' ON domains' : '';
    for (const index of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${index}${table}`);
    for (const column of ['first_nameserver', 'first_tag', 'health_rank', 'health_checked_at', 'renewal_price'])
      await runner.query(`ALTER TABLE domains DROP COLUMN ${column}`);
  }
}
