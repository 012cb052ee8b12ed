import type { IdGenerator } from '../../application/ports/id-generator';
import type { Stores, UnitOfWork } from '../../application/ports/unit-of-work';
import type { Database } from './database';
import { TypeOrmAccountRepository, TypeOrmApiKeyRepository } from './typeorm-access-repositories';
import { TypeOrmAuditLog } from './typeorm-audit-log';
import { TypeOrmDomainRepository } from './typeorm-domain-repository';
import { TypeOrmKeyedRequestRepository } from './typeorm-keyed-request-repository';
import { TypeOrmOperationRepository } from './typeorm-operation-repository';
import { TypeOrmSessionRepository } from './typeorm-session-repository';
import { TypeOrmSetupLinkRepository, TypeOrmUserRepository } from './typeorm-user-repository';
import { TypeOrmZoneRepository } from './typeorm-zone-repository';

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly ids: IdGenerator,
  ) {}

  run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const { forUpdate, skipLocked } = this.database;
    return this.database.transaction((manager) =>
      work({
        accounts: new TypeOrmAccountRepository(manager),
        apiKeys: new TypeOrmApiKeyRepository(manager, forUpdate),
        audit: new TypeOrmAuditLog(manager, this.ids),
        domains: new TypeOrmDomainRepository(manager, forUpdate, skipLocked),
        keyedRequests: new TypeOrmKeyedRequestRepository(manager, forUpdate),
        operations: new TypeOrmOperationRepository(manager),
        sessions: new TypeOrmSessionRepository(manager),
        setupLinks: new TypeOrmSetupLinkRepository(manager, forUpdate),
        users: new TypeOrmUserRepository(manager, forUpdate),
        zones: new TypeOrmZoneRepository(manager, forUpdate),
      }),
    );
  }
}
