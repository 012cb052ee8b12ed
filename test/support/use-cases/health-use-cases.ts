import { DnsChecks } from '../../../src/application/health/dns-checks';
import { GatherZone } from '../../../src/application/health/gather-zone';
import { InspectDomain } from '../../../src/application/health/inspect-domain';
import { QueryServers } from '../../../src/application/health/query-servers';
import { RegistrationChecks } from '../../../src/application/health/registration-checks';
import type { DnsProbe } from '../../../src/application/ports/health/health-repository';
import { ScriptedParentalAgent } from '../fakes/scripted-parental-agent';
import type { UseCaseContext } from './use-case-context';

/** The checks of domains on the fakes of `around`, asking `probe`. */
export function inspectDomain(
  { storage, registry, publisher, plan, clock, lifecycleClock }: UseCaseContext,
  probe: DnsProbe,
  defaultNameservers: readonly string[] = ['ns1.ours.example', 'ns2.ours.example'],
  parent = new ScriptedParentalAgent(),
): InspectDomain {
  return new InspectDomain(
    storage.records,
    new RegistrationChecks(registry, { defaultNameservers }, plan, lifecycleClock, parent),
    new DnsChecks(
      new QueryServers(publisher, storage.secondaryDirectory),
      new GatherZone(storage.records, storage.zones, storage.publishedZones),
      storage.zoneSignings,
    ),
    probe,
    clock,
  );
}
