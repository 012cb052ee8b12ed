import { fullOwnerName } from '../../../src/domain/dns/records/record-name';
import { dnsVectors, type RecordVector } from './dns-vectors';

/** A vector in a zone that can be registered. */
export interface PlacedVector {
  readonly vector: RecordVector;
  readonly owner: string;
}

interface VectorZone {
  readonly name: string;
  readonly placed: PlacedVector[];
}

/**
 * Every accepted vector on which origin and rules agree, in as few zones as keep each alone at its name: none shares it
 * with another, lies below it or above it. Names of zones are as long as those of the vectors, because limits depend on it.
 */
export function vectorZones(prefix: string): readonly VectorZone[] {
  const zones: VectorZone[] = [];
  for (const vector of dnsVectors().records.filter(
    ({ expected, confidence }) => expected === 'ok' && confidence === 'hard',
  )) {
    const length = vector.zone.includes('.') ? vector.zone.length : 'example.com'.length;
    let home = zones.find(
      (zone) => zone.name.length === length && zone.placed.every((other) => areApart(other.vector, vector)),
    );
    if (!home) {
      home = { name: zoneOf(prefix, zones.length, length), placed: [] };
      zones.push(home);
    }
    home.placed.push({
      vector: renamed(vector, home.name),
      owner: fullOwnerName(vector.canonical_name ?? '@', home.name),
    });
  }
  return zones;
}

function zoneOf(prefix: string, index: number, length: number): string {
  const label = `${prefix}${index.toString(36).padStart(length - '.com'.length - prefix.length, '0')}`;
  return `${label}.com`;
}

function areApart(one: RecordVector, other: RecordVector): boolean {
  const names = [one, other].map(namesOf);
  return (names[0] ?? []).every((left) =>
    (names[1] ?? []).every(
      (right) =>
        left !== right &&
        (left === '@' || right === '@' || (!left.endsWith(`.${right}`) && !right.endsWith(`.${left}`))),
    ),
  );
}

function namesOf({ canonical_name: name = '@', existing = [] }: RecordVector): string[] {
  return [name, ...existing.map((draft) => draft.name)];
}

function renamed(vector: RecordVector, zone: string): RecordVector {
  if (!vector.zone.includes('.')) return { ...vector, zone };
  const pattern = new RegExp(vector.zone.replaceAll('.', '\\.'), 'gi');
  const rename = (text: string): string => text.replace(pattern, zone);
  return {
    ...vector,
    zone,
    name: rename(vector.name),
    content: rename(vector.content),
    canonical_rdata: rename(vector.canonical_rdata ?? ''),
    existing: (vector.existing ?? []).map((draft) => ({ ...draft, content: rename(draft.content) })),
  };
}
