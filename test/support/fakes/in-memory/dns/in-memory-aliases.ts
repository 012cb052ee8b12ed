import type {
  Alias,
  AliasPosition,
  AliasReader,
  AliasRepository,
  AliasStatus,
  TargetGroup,
} from '../../../../../src/application/ports/dns/alias-repository';
import type { ZoneWrite } from '../../../../../src/application/ports/dns/zone-repository';
import type { AliasTarget } from '../../../../../src/domain/dns/alias/alias-target';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ZoneView } from '../../../../../src/domain/dns/zone-view';
import { aliasChanges, firstAddresses } from '../../../../../src/infrastructure/persistence/dns/aliases/alias-rows';
import { compareTexts } from '../in-order';
import type { StoredAlias, Tables } from '../tables';

export class InMemoryAliasReader implements AliasReader {
  constructor(private readonly committed: () => Tables) {}

  async hasDue(at: Date): Promise<boolean> {
    const isTargetDue = [...this.committed().aliasTargets.values()].some(({ dueAt }) => dueAt <= at);
    return isTargetDue || (await this.dueAliases(at, 1)).length > 0;
  }

  async dueAliases(at: Date, limit: number): Promise<readonly Alias[]> {
    const due = [...this.committed().aliases.values()].filter(({ dueAt }) => dueAt && dueAt <= at);
    return due
      .toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt))
      .slice(0, limit)
      .map(toAlias);
  }

  async dueTargets(
    at: Date,
    limit: number,
    group: TargetGroup,
  ): Promise<readonly (AliasTarget & { readonly isUsed: boolean })[]> {
    const tables = this.committed();
    return [...tables.aliasTargets.values()]
      .filter(({ dueAt }) => dueAt <= at)
      .filter(({ failures, checkedAt }) => (failures === 0 && checkedAt !== null) === (group === 'answered'))
      .toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt))
      .slice(0, limit)
      .map((target) => ({ ...target, isUsed: isUsed(tables, target.target) }));
  }

  async targets(targets: readonly string[]): Promise<readonly AliasTarget[]> {
    return targets.flatMap((target) => this.committed().aliasTargets.get(target) ?? []);
  }

  async targetAt(ownerName: string): Promise<string | undefined> {
    const { aliases, domains, zones } = this.committed();
    for (const { id, name: zoneName, status } of domains.values()) {
      const view = new ZoneView(zoneName);
      const relative = status === 'gone' ? undefined : view.relative(ownerName);
      if (relative === undefined) continue;
      for (const record of zones.get(id)?.records ?? []) view.add(DnsRecord.fromState(record));
      const found = view.answers(relative).find(({ type }) => type === 'ALIAS');
      const alias = [...aliases.values()].find(({ domainId, name }) => domainId === id && name === found?.name);
      if (alias) return alias.target;
    }
    return undefined;
  }

  async statuses(domainId: string, names?: readonly string[]): Promise<readonly AliasStatus[]> {
    const { aliases, aliasTargets } = this.committed();
    return [...aliases.values()]
      .filter((alias) => alias.domainId === domainId && (names?.includes(alias.name) ?? true))
      .toSorted((one, other) => compareTexts(one.name, other.name))
      .map((alias) => {
        const { error, failingSince, checkedAt } = aliasTargets.get(alias.target) ?? {};
        const isKnown = error !== undefined && failingSince !== undefined && checkedAt !== undefined;
        return { ...toAlias(alias), state: isKnown ? { error, failingSince, checkedAt } : undefined };
      });
  }

  async failing(domainId: string, limit: number): Promise<readonly AliasStatus[]> {
    const statuses = await this.statuses(domainId);
    return statuses.filter(({ state }) => state && state.error !== null).slice(0, limit);
  }
}

export class InMemoryAliasRepository implements AliasRepository {
  private readonly reader: InMemoryAliasReader;

  constructor(private readonly tables: Tables) {
    this.reader = new InMemoryAliasReader(() => tables);
  }

  async find(domainId: string, names: readonly string[]): Promise<readonly Alias[]> {
    return names.flatMap((name) => {
      const found = this.tables.aliases.get(keyOf({ domainId, name }));
      return found ? [toAlias(found)] : [];
    });
  }

  findTargets(targets: readonly string[]): Promise<readonly AliasTarget[]> {
    return this.reader.targets(targets);
  }

  async setAddresses(domainId: string, aliases: readonly Pick<Alias, 'name' | 'addresses'>[]): Promise<void> {
    for (const { name, addresses } of aliases) this.update({ domainId, name }, { addresses, dueAt: null });
  }

  async setDue(domainId: string, names: readonly string[], at: Date | null): Promise<void> {
    for (const name of names) this.update({ domainId, name }, { dueAt: at });
  }

  async addTargets(targets: readonly AliasTarget[]): Promise<void> {
    const { aliasTargets } = this.tables;
    for (const target of targets) if (!aliasTargets.has(target.target)) aliasTargets.set(target.target, target);
  }

  async saveTargets(targets: readonly AliasTarget[]): Promise<void> {
    const { aliasTargets } = this.tables;
    for (const target of targets) if (aliasTargets.has(target.target)) aliasTargets.set(target.target, target);
  }

  async removeUnused(targets: readonly string[]): Promise<void> {
    for (const target of targets) if (!isUsed(this.tables, target)) this.tables.aliasTargets.delete(target);
  }

  async makeDue(target: string, at: Date, limit: number, after?: AliasPosition): Promise<AliasPosition | undefined> {
    const ofTarget = [...this.tables.aliases.values()].filter((alias) => alias.target === target);
    const page = ofTarget
      .filter((alias) => !after || comparePlaces(after, alias) < 0)
      .toSorted(comparePlaces)
      .slice(0, limit);
    for (const alias of page) this.update(alias, { dueAt: at });
    const last = page.at(-1);
    return last && page.length === limit ? { domainId: last.domainId, name: last.name } : undefined;
  }

  private update(place: AliasPosition, change: Partial<StoredAlias>): void {
    const found = this.tables.aliases.get(keyOf(place));
    if (found) this.tables.aliases.set(keyOf(place), { ...found, ...change });
  }
}

/** Keeps the aliases in step with the ALIAS records. */
export function applyToAliases({ aliases }: Tables, write: ZoneWrite): void {
  for (const change of aliasChanges([write])) {
    const { domainId, name, existed, target } = change;
    const found = existed ? aliases.get(keyOf(change)) : undefined;
    if (target === undefined) aliases.delete(keyOf(change));
    else {
      const addresses = found?.addresses ?? firstAddresses(change);
      aliases.set(keyOf(change), { domainId, name, target, addresses, dueAt: write.by.at });
    }
  }
}

function isUsed({ aliases, domains }: Tables, target: string): boolean {
  return [...aliases.values()].some((alias) => {
    const status = domains.get(alias.domainId)?.status;
    return alias.target === target && status !== 'gone' && status !== 'transferred_out';
  });
}

function comparePlaces(one: AliasPosition, other: AliasPosition): number {
  return compareTexts(one.domainId, other.domainId) || compareTexts(one.name, other.name);
}

function keyOf({ domainId, name }: AliasPosition): string {
  return `${domainId} ${name}`;
}

function toAlias({ domainId, name, target, addresses }: Alias): Alias {
  return { domainId, name, target, addresses };
}
