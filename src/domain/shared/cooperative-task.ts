/**
 * Work that may take long, step by step: whoever does it decides after each step when to go on, and gets the outcome at
 * the end. A step is short, whatever the work is given.
 */
export type CooperativeTask<T> = Generator<void, T, void>;
