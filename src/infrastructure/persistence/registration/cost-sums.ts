import type { CostGroups } from '../../../application/ports/portfolio/portfolio-repositories';
import type { CostGroup, CostKind } from '../../../domain/registration/cost-statement';

/** MySQL returns sums as strings. */
export interface CostRow {
  readonly kind: CostKind;
  readonly month: number | string;
  readonly tld: string;
  /** As JSON; NULL for none. */
  readonly tag_set: string | null;
  readonly currency: string | null;
  readonly minor: number | string | null;
  readonly amount: number | string;
  readonly unasked: number | string;
}

/** A page shows them at once. A group counts for each of its tags. */
const MAX_TAGS = 20_000;

/** Adds up costs that are read in parts. */
export class CostSums {
  count = 0;
  unasked = 0;
  tagsAreCut = false;
  private readonly groups = new Map<string, CostGroup>();
  private readonly tagSets = new Map<string, readonly string[]>();
  private tagCount = 0;

  add(rows: readonly CostRow[]): void {
    for (const row of rows) {
      this.count += Number(row.amount);
      this.unasked += Number(row.unasked);
      this.addGroup(toGroup(row, this.tagsOf(row.tag_set)), row.tag_set);
    }
    if (this.tagCount > MAX_TAGS) this.dropTags();
  }

  result(isCut: boolean): CostGroups {
    const groups = [...this.groups.values()].toSorted((one, other) => one.month - other.month);
    return { groups, isCut, tagsAreCut: this.tagsAreCut, unasked: this.unasked };
  }

  private addGroup(group: CostGroup, tags: string | null): void {
    const { kind, month, tld, total } = group;
    const key = [kind, month, tld, total?.currency, tags].join(' ');
    const former = this.groups.get(key);
    if (!former) this.tagCount += group.tags.length;
    this.groups.set(key, former ? addUp(former, group) : group);
  }

  private dropTags(): void {
    const groups = [...this.groups.values()];
    this.groups.clear();
    this.tagCount = 0;
    this.tagsAreCut = true;
    for (const group of groups) this.addGroup({ ...group, tags: [] }, null);
  }

  private tagsOf(text: string | null): readonly string[] {
    if (text === null) return [];
    const tags = this.tagSets.get(text) ?? (JSON.parse(text) as string[]);
    this.tagSets.set(text, tags);
    return tags;
  }
}

function toGroup({ kind, month, tld, currency, minor, amount }: CostRow, tags: readonly string[]): CostGroup {
  const total = currency === null || minor === null ? null : { minor: Number(minor), currency };
  return { kind, month: Number(month), tld, tags, total, count: Number(amount) };
}

function addUp(one: CostGroup, other: CostGroup): CostGroup {
  const total = one.total && other.total && { ...one.total, minor: one.total.minor + other.total.minor };
  return { ...one, total, count: one.count + other.count };
}
