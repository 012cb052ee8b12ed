import { AbstractLogger } from 'typeorm';

/** Errors are thrown and logged where they are caught; TypeORM would also write them to standard output. */
export class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing.
  }
}
