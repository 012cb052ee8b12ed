/** A long list whose entries are presented one by one while it is serialized as a JSON array. */
export class LongList<T> implements Iterable<object> {
  constructor(
    private readonly items: readonly T[],
    private readonly present: (item: T) => object,
  ) {}

  *[Symbol.iterator](): Iterator<object> {
    for (const item of this.items) yield this.present(item);
  }

  toJSON(): readonly object[] {
    return [...this];
  }
}
