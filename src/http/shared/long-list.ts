/** A list that may have very many entries: each is presented when its turn comes. In JSON it is an array. */
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
