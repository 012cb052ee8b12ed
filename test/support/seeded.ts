/**
 * Where the random cases of a property test begin: the same ones in every run, so that a red gate is about the change
 * and not about luck. `SEED=7 TIMES=20 npm test -- fuzz` looks elsewhere, and at twenty times as many.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_121);

export const TIMES = Number(process.env['TIMES'] ?? 1);

/** The parameters of fast-check; 100 runs are its own default. */
export function seeded(runs = 100): { readonly seed: number; readonly numRuns: number } {
  return { seed: SEED, numRuns: runs * TIMES };
}
