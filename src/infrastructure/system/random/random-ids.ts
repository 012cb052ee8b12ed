import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../../application/ports/system';
import { randomFractions } from './random-fractions';

/** Lower-case ULIDs, sorted by time and, within a millisecond, by their order in this process. */
export class RandomIds implements IdGenerator {
  private readonly ulid = monotonicFactory(randomFractions());

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid().toLowerCase()}`;
  }
}
