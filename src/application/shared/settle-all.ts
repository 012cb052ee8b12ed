/** Like `Promise.all`, but rejects only after all have settled: a transaction must not end before its statements. */
export async function settleAll<T extends readonly Promise<unknown>[]>(
  promises: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
