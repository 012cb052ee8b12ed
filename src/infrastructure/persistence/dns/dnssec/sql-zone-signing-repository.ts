import type { EntityManager } from 'typeorm';
import type {
  NamedSigning,
  ZoneSigningReader,
  ZoneSigningRepository,
} from '../../../../application/ports/dns/signing/zone-signings';
import type { NamedDomain } from '../../../../application/ports/registration/domain-repository';
import type { DsRecord } from '../../../../domain/dns/ds-record';
import { ZoneSigning, type ZoneSigningState } from '../../../../domain/dns/dnssec/zone-signing';
import { OperationInProgress } from '../../../../domain/registration/registration-errors';
import type { Queries } from '../../database/database';
import { isDuplicate } from '../../database/database-errors';
import { fromMillis, fromNullableMillis } from '../../database/table';
import { ZoneSigningTable, type ZoneSigningRow } from '../dns-tables';

function toRow(state: ZoneSigningState): ZoneSigningRow {
  return {
    domain_id: state.domainId,
    step: state.step,
    denial: state.denial,
    step_since: state.stepSince.getTime(),
    state_since: state.since.getTime(),
    due_at: state.dueAt.getTime(),
    serial: state.serial,
    cached_seconds: state.cachedSeconds,
    wait_until: state.until?.getTime() ?? null,
    operation_id: state.operationId,
    signers: state.signers && JSON.stringify(state.signers),
    key_id: state.keyId,
    new_key_id: state.newKeyId,
    key_since: state.keySince?.getTime() ?? null,
    problem_reason: state.problem?.reason ?? null,
    problem_remedy: state.problem?.remedy ?? null,
  };
}

function toSigning(row: ZoneSigningRow): ZoneSigning {
  const { problem_reason: reason, problem_remedy: remedy } = row;
  return ZoneSigning.fromState({
    domainId: row.domain_id,
    step: row.step,
    denial: row.denial,
    stepSince: fromMillis(row.step_since),
    since: fromMillis(row.state_since),
    dueAt: fromMillis(row.due_at),
    serial: row.serial,
    cachedSeconds: row.cached_seconds,
    until: fromNullableMillis(row.wait_until),
    operationId: row.operation_id,
    signers: row.signers === null ? null : (JSON.parse(row.signers) as DsRecord[]),
    keyId: row.key_id,
    newKeyId: row.new_key_id,
    keySince: fromNullableMillis(row.key_since),
    problem: reason === null ? null : { reason, remedy: remedy ?? '' },
  });
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
  ) {}

  async lock(domainId: string): Promise<ZoneSigning | undefined> {
    return this.locking(domainId);
  }

  async lockIfFree(domainId: string): Promise<ZoneSigning | undefined> {
    return this.locking(domainId, this.skipLocked);
  }

  async add(signing: ZoneSigning): Promise<void> {
    try {
      await this.manager.insert(ZoneSigningTable, toRow(signing.toState()));
    } catch (error) {
      if (isDuplicate(error)) throw new OperationInProgress('DNSSEC is being switched on', { cause: error });
      throw error;
    }
  }

  async save(signing: ZoneSigning): Promise<void> {
    const { domain_id, ...row } = toRow(signing.toState());
    await this.manager.update(ZoneSigningTable, { domain_id }, row);
  }

  async remove(domainId: string): Promise<void> {
    await this.manager.delete(ZoneSigningTable, { domain_id: domainId });
  }

  private async locking(domainId: string, skipLocked = ''): Promise<ZoneSigning | undefined> {
    const [row] = await this.manager.query<ZoneSigningRow[]>(
      `SELECT * FROM zone_signing WHERE domain_id = ?${this.forUpdate}${skipLocked}`,
      [domainId],
    );
    return row && toSigning(row);
  }
}
