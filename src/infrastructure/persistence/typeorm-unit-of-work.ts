import type { Stores, UnitOfWork } from '../../application/ports/unit-of-work';
import type { Database } from './database';
import { TypeOrmAccountRepository, TypeOrmApiKeyRepository } from './typeorm-access-repositories';
import { TypeOrmDomainRepository } from './typeorm-domain-repository';
import { TypeOrmOperationRepository } from './typeorm-operation-repository';
import { TypeOrmZoneRepository } from './typeorm-zone-repository';

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(private readonly database: Database) {}

  run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const { forUpdate } = this.database;
    return this.database.transaction((manager) =>
      work({
        accounts: new TypeOrmAccountRepository(manager),
        apiKeys: new TypeOrmApiKeyRepository(manager, forUpdate),
        domains: new TypeOrmDomainRepository(manager, forUpdate),
        operations: new TypeOrmOperationRepository(manager),
        zones: new TypeOrmZoneRepository(manager, forUpdate),
      }),
    );
  }
}
