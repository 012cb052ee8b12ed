import { ContainerModule } from 'inversify';
import { AccountReader, ApiKeyReader } from '../application/ports/access/access-repositories';
import { AuditReader } from '../application/ports/access/audit-log';
import { DomainReader } from '../application/ports/registration/domain-repository';
import { DomainQueries } from '../application/ports/registration/domain-queries';
import { ExpiredRows } from '../application/ports/storage/expired-rows';
import { Leases } from '../application/ports/storage/leases';
import { OperationReader } from '../application/ports/registration/operation-repository';
import { OperationQueries } from '../application/ports/registration/operation-queries';
import { DeadLetterReader } from '../application/ports/registry/dead-letters';
import { PublishedZones } from '../application/ports/dns/published-zones';
import { Readiness } from '../application/ports/storage/readiness';
import { RecordQueries } from '../application/ports/dns/record-queries';
import { SessionReader } from '../application/ports/access/session-repository';
import { Clock, LifecycleClock } from '../application/ports/system/clock';
import { IdGenerator } from '../application/ports/system/id-generator';
import { SecretBox } from '../application/ports/system/secret-box';
import { SecondaryDirectory } from '../application/ports/dns/secondary-directory';
import { UnitOfWork } from '../application/ports/storage/unit-of-work';
import { ZoneHistory } from '../application/ports/dns/zone-history';
import { SetupLinkReader, UserReader } from '../application/ports/access/user-repository';
import { RecordReader, ZoneReader } from '../application/ports/dns/zone-repository';
import type { Database } from '../infrastructure/persistence/database/database';
import {
  TypeOrmAccountReader,
  TypeOrmApiKeyReader,
} from '../infrastructure/persistence/access/typeorm-access-repositories';
import { TypeOrmAuditReader } from '../infrastructure/persistence/access/typeorm-audit-log';
import { TypeOrmDomainReader } from '../infrastructure/persistence/registration/typeorm-domain-repository';
import { TypeOrmDomainQueries } from '../infrastructure/persistence/registration/typeorm-domain-queries';
import { TypeOrmLeases } from '../infrastructure/persistence/typeorm-leases';
import { TypeOrmOperationReader } from '../infrastructure/persistence/registration/typeorm-operation-repository';
import { TypeOrmOperationQueries } from '../infrastructure/persistence/registration/typeorm-operation-queries';
import { TypeOrmDeadLetterReader } from '../infrastructure/persistence/registration/typeorm-dead-letters';
import { TypeOrmExpiredRows } from '../infrastructure/persistence/retention/typeorm-expired-rows';
import { TypeOrmPublishedZones } from '../infrastructure/persistence/dns/typeorm-published-zones';
import { TypeOrmRecordQueries } from '../infrastructure/persistence/dns/typeorm-record-queries';
import { TypeOrmSessionReader } from '../infrastructure/persistence/access/typeorm-session-repository';
import { TypeOrmSecondaryDirectory } from '../infrastructure/persistence/dns/typeorm-secondary-directory';
import { DatabaseReadiness } from '../infrastructure/persistence/database-readiness';
import { TypeOrmUnitOfWork } from '../infrastructure/persistence/typeorm-unit-of-work';
import { TypeOrmZoneHistory } from '../infrastructure/persistence/dns/typeorm-zone-history';
import {
  TypeOrmSetupLinkReader,
  TypeOrmUserReader,
} from '../infrastructure/persistence/access/typeorm-user-repository';
import { ZoneSignal } from '../infrastructure/persistence/dns/zone-signal';
import { TypeOrmRecordReader, TypeOrmZoneReader } from '../infrastructure/persistence/dns/typeorm-zone-repository';

export function persistenceModule(database: Database): ContainerModule {
  const signal = new ZoneSignal();
  return new ContainerModule(({ bind }) => {
    bind<Readiness>(Readiness)
      .toResolvedValue((clock: Clock) => new DatabaseReadiness(database, clock), [Clock])
      .inSingletonScope();
    bind<UnitOfWork>(UnitOfWork)
      .toResolvedValue(
        (ids: IdGenerator, clock: Clock, lifecycleClock: Clock) =>
          new TypeOrmUnitOfWork(database, ids, clock, lifecycleClock, signal),
        [IdGenerator, Clock, LifecycleClock],
      )
      .inSingletonScope();
    bind(AccountReader).toConstantValue(new TypeOrmAccountReader(database));
    bind(ApiKeyReader).toConstantValue(new TypeOrmApiKeyReader(database));
    bind(AuditReader).toConstantValue(new TypeOrmAuditReader(database));
    bind(DomainReader).toConstantValue(new TypeOrmDomainReader(database));
    bind(DomainQueries).toConstantValue(new TypeOrmDomainQueries(database));
    bind(OperationQueries).toConstantValue(new TypeOrmOperationQueries(database));
    bind(DeadLetterReader).toConstantValue(new TypeOrmDeadLetterReader(database));
    bind(OperationReader).toConstantValue(new TypeOrmOperationReader(database));
    bind<ExpiredRows>(ExpiredRows).toConstantValue(new TypeOrmExpiredRows(database));
    bind(Leases).toConstantValue(new TypeOrmLeases(database));
    bind(PublishedZones).toConstantValue(new TypeOrmPublishedZones(database, signal));
    bind(SessionReader).toConstantValue(new TypeOrmSessionReader(database));
    bind(SetupLinkReader).toConstantValue(new TypeOrmSetupLinkReader(database));
    bind(UserReader).toConstantValue(new TypeOrmUserReader(database));
    bind<SecondaryDirectory>(SecondaryDirectory)
      .toResolvedValue(
        (secrets: SecretBox, clock: Clock) => new TypeOrmSecondaryDirectory(database, secrets, clock),
        [SecretBox, Clock],
      )
      .inSingletonScope();
    bind(RecordQueries).toConstantValue(new TypeOrmRecordQueries(database));
    bind(RecordReader).toConstantValue(new TypeOrmRecordReader(database));
    bind(ZoneReader).toConstantValue(new TypeOrmZoneReader(database));
    bind(ZoneHistory).toConstantValue(new TypeOrmZoneHistory(database));
  });
}
