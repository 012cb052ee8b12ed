import { token } from '../inject';

/** A filter, order and columns of the domain list that an account has given a name. */
export interface SavedView {
  readonly name: string;
  /** The query string of the list. */
  readonly query: string;
}

/** Reads committed state. */
export interface SavedViewReader {
  /** By name. */
  ofAccount(accountId: string): Promise<readonly SavedView[]>;
}
export const SavedViewReader = token<SavedViewReader>('SavedViewReader');

/** Within a unit of work. */
export interface SavedViewRepository {
  /** Replaces the view of that name. */
  put(accountId: string, view: SavedView): Promise<void>;
  /** Does nothing if the account has no such view. */
  remove(accountId: string, name: string): Promise<void>;
  count(accountId: string): Promise<number>;
}
