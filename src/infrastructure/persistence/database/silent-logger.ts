import { AbstractLogger } from 'typeorm';

/** What goes wrong is thrown, and told by whoever catches it; TypeORM would write it to standard output as well. */
export class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing.
  }
}
