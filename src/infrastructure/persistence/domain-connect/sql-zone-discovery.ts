import type { ZoneDiscovery, ZoneDiscoveryReader } from '../../../application/ports/dns/templates-and-domain-connect';
import type { DelegationState } from '../../../domain/dns/delegation/delegation';
import { isHosted, isZoneServed, type DomainStatus } from '../../../domain/registration/domain-status';
import type { Queries } from '../database/database';

interface DiscoveryRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly status: DomainStatus;
  readonly kept_zone: 'hosted' | null;
  readonly nameservers: string;
  readonly connects: number;
  readonly discovery: string | null;
  readonly delegation: DelegationState | null;
}

const ZONES = `SELECT d.id, d.account_id, d.name, d.status, d.kept_zone, d.nameservers, z.connects, z.discovery, g.state AS delegation
  FROM zones z JOIN domains d ON d.id = z.domain_id LEFT JOIN zone_delegations g ON g.domain_id = z.domain_id`;

export class SqlZoneDiscovery implements ZoneDiscoveryReader {
  constructor(private readonly database: Queries) {}

  async find(domainId: string): Promise<ZoneDiscovery | undefined> {
    const [row] = await this.database.query<DiscoveryRow>(`${ZONES} WHERE z.domain_id = ? AND d.status <> 'gone'`, [
      domainId,
    ]);
    return row && toDiscovery(row);
  }

  async page(
    limit: number,
    { onlyDiscovered, after }: { readonly onlyDiscovered: boolean; readonly after: string },
  ): Promise<readonly ZoneDiscovery[]> {
    const wanted = onlyDiscovered ? 'z.discovery IS NOT NULL' : '(z.connects = 1 OR z.discovery IS NOT NULL)';
    const rows = await this.database.query<DiscoveryRow>(
      `${ZONES} WHERE z.domain_id > ? AND ${wanted} AND d.status <> 'gone' ORDER BY z.domain_id LIMIT ?`,
      [after, limit],
    );
    return rows.map(toDiscovery);
  }
}

function toDiscovery(row: DiscoveryRow): ZoneDiscovery {
  const { status, kept_zone: kept } = row;
  return {
    domainId: row.id,
    accountId: row.account_id,
    zoneName: row.name,
    connects: row.connects === 1,
    discovery: row.discovery,
    isServed: isZoneServed({ status, keptZone: kept === null ? null : { status: kept } }),
    nameservers: JSON.parse(row.nameservers) as string[],
    delegation: isHosted(status) || kept !== null ? row.delegation : undefined,
  };
}
