import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../application/ports/system/id-generator';

/** ULIDs in lower case: sorted by time, and within a millisecond by their order in this process. */
export class RandomIds implements IdGenerator {
  private readonly ulid = monotonicFactory();

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid().toLowerCase()}`;
  }
}
