import type { EntityManager } from 'typeorm';
import type {
  NamedSigning,
  ZoneSigningReader,
  ZoneSigningRepository,
} from '../../../../application/ports/dns/signing-repository';
import type { NamedDomain } from '../../../../application/ports/registration/domain-repository';
import { ZoneSigning } from '../../../../domain/dns/dnssec/zone-signing';
import { OperationInProgress } from '../../../../domain/registration/registration-errors';
import type { Queries } from '../../database/database';
import { isDuplicate } from '../../database/database-errors';
import { fromNullableMillis, rowOf, stateOf } from '../../database/table';
import type { SettingChanges } from '../../portfolio/setting-changes';
import { ZoneSigningTable, type ZoneSigningRow } from './dnssec-tables';

function toSigning(row: ZoneSigningRow): ZoneSigning {
  return ZoneSigning.fromState(stateOf(ZoneSigningTable, row));
}

export class SqlZoneSigningReader implements ZoneSigningReader {
  constructor(private readonly database: Queries) {}

  async find(domainId: string): Promise<ZoneSigning | undefined> {
    const [row] = await this.database.query<ZoneSigningRow>('SELECT * FROM zone_signing WHERE domain_id = ?', [
      domainId,
    ]);
    return row && toSigning(row);
  }

  async due(now: Date, limit: number): Promise<readonly NamedDomain[]> {
    return this.database.query<NamedDomain>(
      `SELECT domains.id, domains.name FROM zone_signing JOIN domains ON domains.id = zone_signing.domain_id
        WHERE zone_signing.due_at <= ? ORDER BY zone_signing.due_at LIMIT ?`,
      [now.getTime(), limit],
    );
  }

  async nextDueAt(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ due_at: number | null }>(
      'SELECT MIN(due_at) AS due_at FROM zone_signing WHERE serial IS NULL AND operation_id IS NULL',
      [],
    );
    return fromNullableMillis(row?.due_at ?? null) ?? undefined;
  }

  async page(limit: number, after = ''): Promise<readonly NamedSigning[]> {
    const rows = await this.database.query<ZoneSigningRow & { name: string }>(
      `SELECT zone_signing.*, domains.name AS name FROM zone_signing JOIN domains ON domains.id = zone_signing.domain_id
        WHERE domains.name > ? ORDER BY domains.name LIMIT ?`,
      [after, limit],
    );
    return rows.map(({ name, ...row }) => ({ name, signing: toSigning(row) }));
  }

  async findByName(name: string): Promise<ZoneSigning | undefined> {
    const [row] = await this.database.query<ZoneSigningRow>(
      'SELECT zone_signing.* FROM zone_signing JOIN domains ON domains.id = zone_signing.domain_id WHERE domains.live_name = ?',
      [name],
    );
    return row && toSigning(row);
  }

  async any(): Promise<boolean> {
    return (await this.database.query('SELECT domain_id FROM zone_signing LIMIT 1', [])).length > 0;
  }
}

export class SqlZoneSigningRepository implements ZoneSigningRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
    private readonly changes: SettingChanges,
  ) {}

  async lock(domainId: string): Promise<ZoneSigning | undefined> {
    return this.locking(domainId);
  }

  async lockIfFree(domainId: string): Promise<ZoneSigning | undefined> {
    return this.locking(domainId, this.skipLocked);
  }

  async add(signing: ZoneSigning): Promise<void> {
    try {
      await this.manager.insert(ZoneSigningTable, rowOf(ZoneSigningTable, signing.toState()));
      this.changes.noteSigning(signing.domainId, signing.isWanted);
    } catch (error) {
      if (isDuplicate(error)) throw new OperationInProgress('DNSSEC is being switched on', { cause: error });
      throw error;
    }
  }

  async save(signing: ZoneSigning): Promise<void> {
    const { domain_id, ...row } = rowOf(ZoneSigningTable, signing.toState());
    await this.manager.update(ZoneSigningTable, { domain_id }, row);
    this.changes.noteSigning(domain_id, signing.isWanted);
  }

  async remove(domainId: string): Promise<void> {
    await this.manager.delete(ZoneSigningTable, { domain_id: domainId });
    this.changes.noteSigning(domainId, false);
  }

  private async locking(domainId: string, skipLocked = ''): Promise<ZoneSigning | undefined> {
    const [row] = await this.manager.query<ZoneSigningRow[]>(
      `SELECT * FROM zone_signing WHERE domain_id = ?${this.forUpdate}${skipLocked}`,
      [domainId],
    );
    const signing = row && toSigning(row);
    if (signing) this.changes.rememberSigning(signing);
    return signing;
  }
}
