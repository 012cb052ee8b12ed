import { ContainerModule } from 'inversify';
import { AccountReader, ApiKeyReader } from '../application/ports/access-repositories';
import { AuditReader } from '../application/ports/audit-log';
import { DomainReader } from '../application/ports/domain-repository';
import { DomainSurvey } from '../application/ports/domain-survey';
import { Leases } from '../application/ports/leases';
import { OperationReader } from '../application/ports/operation-repository';
import { OperationSurvey } from '../application/ports/operation-survey';
import { PublishedZones } from '../application/ports/published-zones';
import { Readiness } from '../application/ports/readiness';
import { RecordSurvey } from '../application/ports/record-survey';
import { SessionReader } from '../application/ports/session-repository';
import { SecretBox } from '../application/ports/secret-box';
import { SecondaryDirectory } from '../application/ports/secondary-directory';
import { UnitOfWork } from '../application/ports/unit-of-work';
import { ZoneHistory } from '../application/ports/zone-history';
import { UserReader } from '../application/ports/user-repository';
import { RecordReader } from '../application/ports/zone-repository';
import type { Database } from '../infrastructure/persistence/database';
import { TypeOrmAccountReader, TypeOrmApiKeyReader } from '../infrastructure/persistence/typeorm-access-repositories';
import { TypeOrmAuditReader } from '../infrastructure/persistence/typeorm-audit-log';
import { TypeOrmDomainReader } from '../infrastructure/persistence/typeorm-domain-repository';
import { TypeOrmDomainSurvey } from '../infrastructure/persistence/typeorm-domain-survey';
import { TypeOrmLeases } from '../infrastructure/persistence/typeorm-leases';
import { TypeOrmOperationReader } from '../infrastructure/persistence/typeorm-operation-repository';
import { TypeOrmOperationSurvey } from '../infrastructure/persistence/typeorm-operation-survey';
import { TypeOrmPublishedZones } from '../infrastructure/persistence/typeorm-published-zones';
import { TypeOrmRecordSurvey } from '../infrastructure/persistence/typeorm-record-survey';
import { TypeOrmSessionReader } from '../infrastructure/persistence/typeorm-session-repository';
import { TypeOrmSecondaryDirectory } from '../infrastructure/persistence/typeorm-secondary-directory';
import { TypeOrmUnitOfWork } from '../infrastructure/persistence/typeorm-unit-of-work';
import { TypeOrmZoneHistory } from '../infrastructure/persistence/typeorm-zone-history';
import { TypeOrmUserReader } from '../infrastructure/persistence/typeorm-user-repository';
import { TypeOrmRecordReader } from '../infrastructure/persistence/typeorm-zone-repository';
import { RandomIds } from '../infrastructure/system/random-ids';

export function persistenceModule(database: Database): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<Readiness>(Readiness).toConstantValue({
      check: async () => {
        await database.query('SELECT 1');
      },
    });
    bind(UnitOfWork).toConstantValue(new TypeOrmUnitOfWork(database, new RandomIds()));
    bind(AccountReader).toConstantValue(new TypeOrmAccountReader(database));
    bind(ApiKeyReader).toConstantValue(new TypeOrmApiKeyReader(database));
    bind(AuditReader).toConstantValue(new TypeOrmAuditReader(database));
    bind(DomainReader).toConstantValue(new TypeOrmDomainReader(database));
    bind(DomainSurvey).toConstantValue(new TypeOrmDomainSurvey(database));
    bind(OperationSurvey).toConstantValue(new TypeOrmOperationSurvey(database));
    bind(OperationReader).toConstantValue(new TypeOrmOperationReader(database));
    bind(Leases).toConstantValue(new TypeOrmLeases(database));
    bind(PublishedZones).toConstantValue(new TypeOrmPublishedZones(database));
    bind(SessionReader).toConstantValue(new TypeOrmSessionReader(database));
    bind(UserReader).toConstantValue(new TypeOrmUserReader(database));
    bind<SecondaryDirectory>(SecondaryDirectory)
      .toResolvedValue((secrets: SecretBox) => new TypeOrmSecondaryDirectory(database, secrets), [SecretBox])
      .inSingletonScope();
    bind(RecordSurvey).toConstantValue(new TypeOrmRecordSurvey(database));
    bind(RecordReader).toConstantValue(new TypeOrmRecordReader(database));
    bind(ZoneHistory).toConstantValue(new TypeOrmZoneHistory(database));
  });
}
