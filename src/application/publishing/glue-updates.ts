import { inject, injectable } from '../ports/inject';
import { SERVICE, type Actor } from '../../domain/access/actor';
import { seesWholeName } from '../../domain/access/key-permissions';
import type { DnsRecord } from '../../domain/dns/records/dns-record';
import { ROOT } from '../../domain/dns/records/record-name';
import { isAddress } from '../../domain/dns/records/types/record-types';
import type { HostedName } from '../../domain/dns/hosted-name';
import { Operation } from '../../domain/registration/operations/operation';
import { TldPolicies, type TldPolicy } from '../../domain/registration/names/tld-policy';
import { DomainName } from '../../domain/shared/domain-name';
import type { HostedZoneChange, GlueChanges } from '../ports/dns/glue-changes';
import type { HostedNameReader } from '../ports/dns/hosted-names';
import type { ZoneChange } from '../../domain/dns/zone-change';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator, LifecycleClock } from '../ports/system';
import type { SentGlue } from './glue-addresses';

/** Has registries publish the present addresses of nameservers (glue) by operations that are stored with the change. */
@injectable()
export class GlueUpdates implements GlueChanges {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /** In the transaction of the changes, which has locked their zones. */
  async queue(
    { domains, hostedNames, operations }: Pick<Stores, 'domains' | 'hostedNames' | 'operations'>,
    changes: readonly HostedZoneChange[],
  ): Promise<void> {
    for (const [zone, hosts] of await this.nameserversAmong(hostedNames, changes)) {
      if (!zone.isRegistered) await this.checkSoon(domains, zone);
      if (!this.glueOf(zone)) continue;
      // The lock keeps a waiting operation from reading the addresses before this change is committed.
      await domains.lockAny(zone.id);
      const unfinished = await operations.unfinished(zone.id);
      if (!unfinished.some((operation) => willUpdate(operation, hosts)))
        await this.add(operations, zone, hosts, unfinished.at(-1));
    }
  }

  /** The zone above may keep the addresses. */
  private async checkSoon(domains: Pick<Stores['domains'], 'lockAny' | 'save'>, zone: HostedName): Promise<void> {
    const domain = await domains.lockAny(zone.id);
    if (!domain?.isHosted) return;
    domain.schedule(this.lifecycleClock.now());
    await domains.save(domain);
  }

  /** What a change means for the registry, one sentence for each nameserver whose records the actor may see. */
  async notes(
    names: Pick<HostedNameReader, 'nameserversAmong'>,
    changed: HostedZoneChange,
    after: readonly Pick<DnsRecord, 'type' | 'name'>[],
    actor: Actor,
  ): Promise<readonly string[]> {
    const { zone } = changed;
    if (!zone.isRegistered) return [];
    const isSent = this.glueOf(zone) !== undefined;
    const [[, hosts] = [zone, []]] = await this.nameserversAmong(names, [changed]);
    return hosts.flatMap((host) => {
      if (!seesWholeName(actor, host.slice(0, -zone.name.length - 1))) return [];
      if (after.some((record) => isAddress(record) && fullHost(record.name, zone) === host))
        return isSent
          ? [`The registry gets the new addresses of nameserver ${host}`]
          : [
              `The registry keeps the former addresses of nameserver ${host} until the nameservers of the domain are set again`,
            ];
      // The zone's own warnings are about the domain's own nameservers.
      return zone.nameservers.includes(host)
        ? []
        : [
            `Other domains use nameserver ${host}, which has no address any more. The registry keeps its last addresses`,
          ];
    });
  }

  /**
   * Updates the addresses in `locked` zones that changed since they were sent. In the transaction that makes the delegation
   * visible to `queue`.
   */
  async queueChangedSince(
    { zones, operations }: Pick<Stores, 'operations' | 'zones'>,
    sent: readonly SentGlue[],
    locked: readonly string[],
  ): Promise<void> {
    const owners = new Map(sent.map(({ owner }) => [owner.id, owner]));
    for (const domainId of locked) {
      const owner = owners.get(domainId);
      if (!owner) continue;
      const ofZone = sent.filter((each) => each.owner.id === domainId);
      const names = ofZone.map(({ host }) => host.slice(0, -owner.name.length - 1));
      const records = (await zones.recordsAt([{ domainId, names }])).get(domainId) ?? [];
      const stale = ofZone.filter(({ addresses }, index) => {
        const present = records.filter((record) => isAddress(record) && record.name === names[index]).map(contentOf);
        return present.length > 0 && present.toSorted().join() !== addresses.toSorted().join();
      });
      const hosts = stale.map(({ host }) => host);
      if (hosts.length > 0) await this.add(operations, owner, hosts, (await operations.unfinished(domainId)).at(-1));
    }
  }

  private glueOf({ name, isRegistered }: HostedName): TldPolicy['glue'] {
    if (!isRegistered) return undefined;
    return this.policies.forName(DomainName.fromState(name))?.glue;
  }

  private async add(
    operations: Pick<Stores['operations'], 'add'>,
    { id: domainId, accountId }: SentGlue['owner'],
    hosts: readonly string[],
    last: Operation | undefined,
  ): Promise<void> {
    const intent = { id: this.ids.next('op'), accountId, domainId, actor: SERVICE };
    await operations.add(
      Operation.queue({ ...intent, request: { kind: 'update_glue', hosts } }, this.clock.now(), last),
    );
  }

  /** The hosts whose addresses change, and which a registry may have as nameservers; domains without such hosts are left out. */
  private async nameserversAmong(
    names: Pick<HostedNameReader, 'nameserversAmong'>,
    changes: readonly HostedZoneChange[],
  ): Promise<ReadonlyMap<HostedName, readonly string[]>> {
    const found = new Map<string, { readonly zone: HostedName; readonly own: string[]; readonly others: string[] }>();
    for (const { zone, change } of changes) {
      const hosts = changedHosts(zone, change);
      if (hosts.length === 0) continue;
      const each = found.get(zone.id) ?? { zone, own: [], others: [] };
      const { nameservers } = zone;
      each.own.push(...hosts.filter((host) => nameservers.includes(host)));
      if (this.glueOf(zone) === 'any') each.others.push(...hosts.filter((host) => !nameservers.includes(host)));
      found.set(zone.id, each);
    }
    const others = [...found.values()].flatMap((each) => each.others);
    const used = new Set(others.length === 0 ? [] : await names.nameserversAmong(others));
    return new Map(
      [...found.values()]
        .map(
          ({ zone, own, others }) =>
            [zone, [...new Set([...own, ...others.filter((host) => used.has(host))])]] as const,
        )
        .filter(([, hosts]) => hosts.length > 0),
    );
  }
}

function changedHosts(zone: HostedName, { added, changed, removed }: ZoneChange): readonly string[] {
  const hosts = new Set<string>();
  const add = (record: DnsRecord): void => {
    if (isAddress(record) && record.name !== ROOT) hosts.add(fullHost(record.name, zone));
  };
  for (const record of added) add(record);
  for (const record of removed) add(record);
  for (const { before, after } of changed) {
    if (before.type === after.type && before.name === after.name && contentOf(before) === contentOf(after)) continue;
    add(before);
    add(after);
  }
  return [...hosts];
}

function fullHost(name: string, zone: HostedName): string {
  return `${name}.${zone.name}`;
}

function contentOf(record: DnsRecord): string {
  return record.toState().content;
}

/** An operation that has not begun reads the addresses later. */
function willUpdate(operation: Operation, hosts: readonly string[]): boolean {
  const { request } = operation;
  return (
    request.kind === 'update_glue' &&
    operation.toState().status === 'queued' &&
    hosts.every((host) => request.hosts.includes(host))
  );
}
