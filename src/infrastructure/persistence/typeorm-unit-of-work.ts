import type { Clock } from '../../application/ports/system/clock';
import type { IdGenerator } from '../../application/ports/system/id-generator';
import type { Stores, UnitOfWork } from '../../application/ports/storage/unit-of-work';
import type { Database } from './database/database';
import { TypeOrmAccountRepository, TypeOrmApiKeyRepository } from './access/typeorm-access-repositories';
import { TypeOrmAuditLog } from './access/typeorm-audit-log';
import { TypeOrmDomainRepository } from './registration/typeorm-domain-repository';
import { TypeOrmIdempotencyRecordRepository } from './access/typeorm-idempotency-record-repository';
import { TypeOrmDeadLetters } from './registration/typeorm-dead-letters';
import { TypeOrmOperationRepository } from './registration/typeorm-operation-repository';
import { TypeOrmTransferRepository } from './registration/typeorm-transfer-repository';
import { TypeOrmSessionRepository } from './access/typeorm-session-repository';
import { TypeOrmSetupLinkRepository, TypeOrmUserRepository } from './access/typeorm-user-repository';
import { ZoneSignal } from './dns/zone-signal';
import { TypeOrmZoneRepository } from './dns/typeorm-zone-repository';

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly lifecycleClock: Clock,
    private readonly signal = new ZoneSignal(),
  ) {}

  async run<T>(work: (stores: Stores) => Promise<T>, accountId?: string): Promise<T> {
    const { forUpdate, skipLocked } = this.database;
    let changesPublication = false;
    const onPublicationChange = (): void => {
      changesPublication = true;
    };
    const result = await this.database.transaction(
      (manager) =>
        work({
          accounts: new TypeOrmAccountRepository(manager),
          apiKeys: new TypeOrmApiKeyRepository(manager, forUpdate),
          audit: new TypeOrmAuditLog(manager, this.ids, this.lifecycleClock),
          domains: new TypeOrmDomainRepository(manager, forUpdate, skipLocked),
          idempotencyRecords: new TypeOrmIdempotencyRecordRepository(manager, forUpdate),
          operations: new TypeOrmOperationRepository(manager, this.lifecycleClock),
          sessions: new TypeOrmSessionRepository(manager),
          setupLinks: new TypeOrmSetupLinkRepository(manager, forUpdate),
          deadLetters: new TypeOrmDeadLetters(manager),
          transfers: new TypeOrmTransferRepository(manager, forUpdate, skipLocked),
          users: new TypeOrmUserRepository(manager, forUpdate),
          zones: new TypeOrmZoneRepository(manager, this.clock, forUpdate, skipLocked, onPublicationChange),
        }),
      accountId,
    );
    if (changesPublication) this.signal.emit();
    return result;
  }
}
