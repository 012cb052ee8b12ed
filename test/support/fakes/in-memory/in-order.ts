import type { ListPosition } from '../../../../src/application/ports/storage/page';

/** Oldest first; at one instant by id, as the databases compare texts. */
export function inOrder<T extends ListPosition>(items: Iterable<T>): T[] {
  return [...items].toSorted(compareInTime);
}

/** A page of a list in that order. */
export function pageOf<T extends ListPosition>(
  items: Iterable<T>,
  limit: number,
  after: ListPosition | undefined,
): T[] {
  const ordered = inOrder(items);
  return (after ? ordered.filter((item) => compareInTime(item, after) > 0) : ordered).slice(0, limit);
}

/** The first of each group, then the second of each, and so on. */
export function takingTurns<T extends ListPosition>(items: Iterable<T>, groupOf: (item: T) => string): T[] {
  const places = new Map<string, number>();
  const placed = inOrder(items).map((item) => {
    const place = places.get(groupOf(item)) ?? 0;
    places.set(groupOf(item), place + 1);
    return { item, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}

export function compareInTime(left: ListPosition, right: ListPosition): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || compareTexts(left.id, right.id);
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
