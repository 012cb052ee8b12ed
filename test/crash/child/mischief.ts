/** What can happen to an answer on its way from the registry. */
export const MISCHIEFS = ['lost', 'late', 'duplicated'] as const;
export type Mischief = (typeof MISCHIEFS)[number];
