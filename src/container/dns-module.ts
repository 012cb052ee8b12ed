import { ContainerModule } from 'inversify';
import { ZonePublisher } from '../application/ports/zone-publisher';
import { NoPublisher } from '../infrastructure/dns/no-publisher';

export function dnsModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind<ZonePublisher>(ZonePublisher).toConstantValue(new NoPublisher());
  });
}
