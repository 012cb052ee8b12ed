/** How a name stands to another in the tree of names; both in lower case, without trailing dot. */
export type NameRelation = 'same' | 'below' | 'above' | 'apart';

export function relationOf(name: string, other: string): NameRelation {
  if (name === other) return 'same';
  if (isBelow(name, other)) return 'below';
  return isBelow(other, name) ? 'above' : 'apart';
}

export function isBelow(name: string, other: string): boolean {
  return name.endsWith(`.${other}`);
}

export function isAtOrBelow(name: string, other: string): boolean {
  return name === other || isBelow(name, other);
}
