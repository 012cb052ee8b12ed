/**
 * The seed of property tests, fixed so that every run tests the same cases. `SEED=7 TIMES=20 npm test -- fuzz` tests
 * twenty times as many other cases; `npm run test:unit` a fifth of them.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_121);

export const TIMES = Number(process.env['TIMES'] ?? 1);

/** Parameters for fast-check; `runs` defaults to its own default. */
export function seeded(runs = 100): { readonly seed: number; readonly numRuns: number } {
  return { seed: SEED, numRuns: Math.ceil(runs * TIMES) };
}
