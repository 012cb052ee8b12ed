import type { RecordDraft } from '../../../src/domain/dns/records/record-draft';

/** Zones as plain as they can be thought of, to hold the real ones against: few names, three types, one rule in each sentence. */
export interface ModelRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
}

export type ModelZone = readonly ModelRecord[];
export type Wish = Required<Pick<RecordDraft, 'name' | 'type' | 'content'>> & { readonly ttl: number };

export type Command =
  | { readonly kind: 'add'; readonly wish: Wish }
  | { readonly kind: 'change'; readonly id: string; readonly wish: Partial<Wish> }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'edit'; readonly create: readonly Wish[]; readonly update: readonly { readonly id: string; readonly wish: Partial<Wish> }[]; readonly remove: readonly string[] }
  | { readonly kind: 'import'; readonly wishes: readonly Wish[] }
  | { readonly kind: 'restore'; readonly version: number };

/** What the zone is after the command, or undefined where it must be refused. `past` is what it was at each version. */
export function after(zone: ModelZone, command: Command, past: ReadonlyMap<number, ModelZone>): ModelZone | undefined {
  const next = wished(zone, command, past);
  return next && isSound(next) ? next : undefined;
}

function wished(zone: ModelZone, command: Command, past: ReadonlyMap<number, ModelZone>): ModelZone | undefined {
  switch (command.kind) {
    case 'add':
      return edited(zone, [command.wish], [], []);
    case 'change':
      return edited(zone, [], [command], []);
    case 'remove':
      return edited(zone, [], [], [command.id]);
    case 'edit':
      return edited(zone, command.create, command.update, command.remove);
    case 'import':
      return imported(zone, command.wishes);
    case 'restore':
    default:
      return past.get(command.version);
  }
}

function edited(zone: ModelZone, create: readonly Wish[], update: readonly { readonly id: string; readonly wish: Partial<Wish> }[], remove: readonly string[]): ModelZone | undefined {
  const named = [...update.map(({ id }) => id), ...remove];
  if (named.length + create.length === 0 || new Set(named).size < named.length || !named.every((id) => zone.some((record) => record.id === id))) return undefined;
  const kept = zone.filter(({ id }) => !remove.includes(id)).map((record) => ({ ...record, ...update.find(({ id }) => id === record.id)?.wish }));
  return [...kept, ...create.map((wish) => ({ id: '', ...wish }))];
}

/** A file may repeat itself: the first of equal records counts. A record takes the place of one of its name and type. */
function imported(zone: ModelZone, wishes: readonly Wish[]): ModelZone | undefined {
  if (wishes.length === 0) return undefined;
  const different = wishes.filter((one, index) => wishes.findIndex((other) => sameRecord(other, one)) === index);
  const free = zone.filter((record) => !different.some((one) => sameRecord(one, record)));
  return different.map((one) => {
    const same = zone.find((record) => sameRecord(record, one));
    const place = same ? -1 : free.findIndex(({ name, type }) => name === one.name && type === one.type);
    const [taken] = place < 0 ? [] : free.splice(place, 1);
    return { id: same?.id ?? taken?.id ?? '', ...one };
  });
}

function isSound(zone: ModelZone): boolean {
  const isDouble = zone.some((record) => zone.some((other) => other !== record && sameRecord(other, record)));
  const isCrowded = zone.some((record) => record.type === 'CNAME' && zone.some((other) => other !== record && other.name === record.name));
  return !isDouble && !isCrowded;
}

function sameRecord(one: Wish, other: Wish): boolean {
  return one.name === other.name && one.type === other.type && one.content === other.content;
}
