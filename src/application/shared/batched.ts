/**
 * Collects the keys that are requested in one turn of the event loop and loads them together. `load` returns one result per key, in order.
 */
export function batched<K, R>(load: (keys: readonly K[]) => Promise<readonly R[]>): (key: K) => Promise<R> {
  let asked: K[] = [];
  let loading: Promise<readonly R[]> | undefined;
  return async (key) => {
    const index = asked.push(key) - 1;
    loading ??= new Promise<void>((resolve) => {
      process.nextTick(resolve);
    }).then(() => {
      const keys = asked;
      [asked, loading] = [[], undefined];
      return load(keys);
    });
    return (await loading)[index] as R;
  };
}
