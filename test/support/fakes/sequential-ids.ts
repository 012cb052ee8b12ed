import type { IdGenerator, IdPrefix } from '../../../src/application/ports/system';

/** `dom_000001`, `op_000002`, …: the same ids in every run. */
export class SequentialIds implements IdGenerator {
  private last = 0;

  next(prefix: IdPrefix): string {
    this.last += 1;
    return `${prefix}_${String(this.last).padStart(6, '0')}`;
  }
}
