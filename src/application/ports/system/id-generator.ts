import { token } from '../inject';

export type IdPrefix =
  'acc' | 'dom' | 'rec' | 'op' | 'usr' | 'per' | 'evt' | 'ses' | 'tr' | 'imp' | 'zk' | 'tpl' | 'blk';

export interface IdGenerator {
  /** A new unique id such as `dom_01k…`; ids of one process ascend. */
  next(prefix: IdPrefix): string;
}
export const IdGenerator = token<IdGenerator>('IdGenerator');
