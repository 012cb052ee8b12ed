import { inject, injectable } from '../../ports/inject';
import type { ApplyQuery } from '../../../domain/domain-connect/apply-query';
import { namesOf, type AppliedInstance } from '../../../domain/domain-connect/applied-instance';
import { ConnectPlanOutdated, ConnectRefused } from '../../../domain/domain-connect/connect-errors';
import {
  namesToRead,
  planRemoval,
  planTemplate,
  type NamesToRead,
} from '../../../domain/domain-connect/templates/plan-template';
import { resolveTemplate, type RecordMaking } from '../../../domain/domain-connect/templates/resolve-template';
import type { Template } from '../../../domain/domain-connect/templates/template';
import { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type { ConnectedService } from '../../ports/dns/templates-and-domain-connect';
import { Clock, IdGenerator } from '../../ports/system';
import { runCooperatively } from '../../shared/run-cooperatively';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone } from '../zones/zone-loader';
import type { Decide } from '../zones/zone-request';

/** Of a domain: each plan reads all of them. */
const MAX_SERVICES = 100;

/** What a service will have in the zone, and what that does to others. */
export interface Connection {
  readonly instance: AppliedInstance;
  /** Earlier connections of the same service, whose place this takes. */
  readonly replaced: readonly ConnectedService[];
  /** Other services that lose records that they need, and so all of theirs. */
  readonly disabled: readonly ConnectedService[];
}

/**
 * Services come and go without a change of the zone, too: their records may be there already, or needed by others.
 * @param now as committed while the zone is locked @throws ConnectPlanOutdated
 */
export function assertSameServices(now: readonly ConnectedService[], decidedWith: readonly ConnectedService[]): void {
  const isSame = now.length === decidedWith.length && now.every(({ id }, index) => id === decidedWith[index]?.id);
  if (!isSame) throw new ConnectPlanOutdated();
}

interface Application {
  readonly template: Template;
  readonly parameters: Pick<ApplyQuery, 'host' | 'values' | 'groups'>;
}

/** Decides what a template changes in a zone, and what its removal does. */
@injectable()
export class ConnectDecision {
  constructor(
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param id of the new instance @throws TemplateRejected, ConnectRefused */
  of({ template, parameters }: Application, connected: readonly ConnectedService[], id: string): Decide<Connection> {
    return async (zone) => {
      const making = this.makingIn(zone);
      const { host, values: variables, groups = [] } = parameters;
      const resolved = resolveTemplate(template, { zoneName: zone.zoneName, host, variables, groups }, making);
      const records = await readIn(zone, namesToRead(resolved, connected));
      const target = { records, instances: connected };
      const plan = await runCooperatively(planTemplate(resolved, target, id, making), zone.accountId);
      const staying = connected.length - plan.replaced.length - plan.disabled.length;
      if (staying >= MAX_SERVICES) throw new ConnectRefused(tooMany(zone.zoneName), 'access_denied');
      const result = {
        instance: plan.instance,
        replaced: among(connected, plan.replaced),
        disabled: among(connected, plan.disabled),
      };
      return { change: await changeOf(zone, plan, making), result };
    };
  }

  /** What the zone still has of a service goes; terms that it added to an SPF record, too. */
  without(service: ConnectedService, connected: readonly ConnectedService[]): Decide<ConnectedService> {
    return async (zone) => {
      const making = this.makingIn(zone);
      const records = await zone.recordsAt([...new Set(connected.flatMap(namesOf))]);
      const target = { records, instances: connected };
      const plan = await runCooperatively(planRemoval(zone.zoneName, service, target, making), zone.accountId);
      return { change: await changeOf(zone, plan, making), result: service };
    };
  }

  private makingIn({ types }: CurrentZone): RecordMaking {
    return { types, newId: () => this.ids.next('rec'), now: this.clock.now() };
  }
}

function tooMany(zoneName: string): string {
  return `${zoneName} has ${MAX_SERVICES} connected services, which is the most. Disconnect one and follow the link again.`;
}

function among(connected: readonly ConnectedService[], some: readonly AppliedInstance[]): readonly ConnectedService[] {
  return connected.filter(({ id }) => some.some((one) => one.id === id));
}

async function readIn(zone: CurrentZone, { names, below }: NamesToRead): Promise<readonly DnsRecord[]> {
  if (below.length === 0) return zone.recordsAt(names);
  return (await (await zone.past()).records()).map((state) => DnsRecord.fromState(state));
}

function changeOf(
  { accountId, delegation }: CurrentZone,
  { superseded, wanted }: { readonly superseded: readonly DnsRecord[]; readonly wanted: readonly DnsRecord[] },
  { now }: RecordMaking,
): Promise<ZoneChange> {
  const current = superseded.map((record) => record.toState());
  return runCooperatively(replacement(current, wanted, delegation, now, { isReadBack: false }), accountId);
}
