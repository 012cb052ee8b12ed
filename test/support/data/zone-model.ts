import type { RecordDraft } from '../../../src/domain/dns/records/dns-record';

/** A minimal model of zones, with few names and three types, to compare the service with. */
export interface ModelRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
}

export type ModelZone = readonly ModelRecord[];
export type ModelDraft = Required<Pick<RecordDraft, 'name' | 'type' | 'content'>> & { readonly ttl: number };

export type Command =
  | { readonly kind: 'add'; readonly draft: ModelDraft }
  | { readonly kind: 'change'; readonly id: string; readonly draft: Partial<ModelDraft> }
  | { readonly kind: 'remove'; readonly id: string }
  | {
      readonly kind: 'edit';
      readonly create: readonly ModelDraft[];
      readonly update: readonly { readonly id: string; readonly draft: Partial<ModelDraft> }[];
      readonly remove: readonly string[];
    }
  | { readonly kind: 'import'; readonly drafts: readonly ModelDraft[] }
  | { readonly kind: 'restore'; readonly version: number };

/** The zone after the command, or undefined if the command must be rejected. `past`: the zone at each version. */
export function applyToModel(
  zone: ModelZone,
  command: Command,
  past: ReadonlyMap<number, ModelZone>,
): ModelZone | undefined {
  const next = applyCommand(zone, command, past);
  return next && isConsistent(next) ? next : undefined;
}

function applyCommand(zone: ModelZone, command: Command, past: ReadonlyMap<number, ModelZone>): ModelZone | undefined {
  switch (command.kind) {
    case 'add':
      return editZone(zone, [command.draft], [], []);
    case 'change':
      return editZone(zone, [], [command], []);
    case 'remove':
      return editZone(zone, [], [], [command.id]);
    case 'edit':
      return editZone(zone, command.create, command.update, command.remove);
    case 'import':
      return importZone(zone, command.drafts);
    case 'restore':
    default:
      return past.get(command.version);
  }
}

function editZone(
  zone: ModelZone,
  create: readonly ModelDraft[],
  update: readonly { readonly id: string; readonly draft: Partial<ModelDraft> }[],
  remove: readonly string[],
): ModelZone | undefined {
  const named = [...update.map(({ id }) => id), ...remove];
  if (
    named.length + create.length === 0 ||
    new Set(named).size < named.length ||
    !named.every((id) => zone.some((record) => record.id === id))
  )
    return undefined;
  const kept = zone
    .filter(({ id }) => !remove.includes(id))
    .map((record) => ({ ...record, ...update.find(({ id }) => id === record.id)?.draft }));
  return [...kept, ...create.map((draft) => ({ id: '', ...draft }))];
}

/** Ignores repeated records in the file. A record keeps the id of a stored one with the same name and type. */
function importZone(zone: ModelZone, drafts: readonly ModelDraft[]): ModelZone | undefined {
  if (drafts.length === 0) return undefined;
  const different = drafts.filter((one, index) => drafts.findIndex((other) => sameRecord(other, one)) === index);
  const free = zone.filter((record) => !different.some((one) => sameRecord(one, record)));
  return different.map((one) => {
    const same = zone.find((record) => sameRecord(record, one));
    const place = same ? -1 : free.findIndex(({ name, type }) => name === one.name && type === one.type);
    const [taken] = place < 0 ? [] : free.splice(place, 1);
    return { id: same?.id ?? taken?.id ?? '', ...one };
  });
}

function isConsistent(zone: ModelZone): boolean {
  const hasDuplicate = zone.some((record) => zone.some((other) => other !== record && sameRecord(other, record)));
  const hasCnameConflict = zone.some(
    (record) => record.type === 'CNAME' && zone.some((other) => other !== record && other.name === record.name),
  );
  return !hasDuplicate && !hasCnameConflict;
}

function sameRecord(one: ModelDraft, other: ModelDraft): boolean {
  return one.name === other.name && one.type === other.type && one.content === other.content;
}
