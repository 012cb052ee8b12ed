export type IdPrefix = 'acc' | 'dom' | 'rec' | 'op' | 'usr' | 'evt' | 'ses';

export interface IdGenerator {
  /** A new id such as `dom_01k…`: unique for ever, in ascending order within a process. */
  next(prefix: IdPrefix): string;
}
export const IdGenerator = Symbol('IdGenerator');
