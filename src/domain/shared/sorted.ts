/** Long work that can pause at every `yield`. */
export type Task<T> = Generator<void, T, void>;

/** Sorted at once, in about a millisecond. */
const RUN = 1_000;

/** The texts in the order of their UTF-16 code units, as `toSorted` returns them. */
export function* sorted(texts: readonly string[]): Task<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let from = 0; from < texts.length; from += RUN) {
    runs.push(texts.slice(from, from + RUN).toSorted());
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Task<readonly string[]> {
  const merged: string[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(((right[r] as string) < (left[l] as string) ? right[r++] : left[l++]) as string);
    if (merged.length % RUN === 0) yield;
  }
  while (l < left.length) merged.push(left[l++] as string);
  while (r < right.length) merged.push(right[r++] as string);
  return merged;
}
