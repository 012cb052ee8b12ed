/** The first of each group of equal items, in their order. For short lists: it compares each item with all others. */
export function distinct<T>(items: readonly T[], isSame: (one: T, other: T) => boolean): readonly T[] {
  return items.filter((item, index) => items.findIndex((other) => isSame(other, item)) === index);
}
