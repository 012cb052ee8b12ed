import { inject, injectable } from '../../ports/inject';
import { SecondaryDirectory } from '../../ports/dns/secondary-directory';

/** More changes than are made between a backup and its restore, and far below half of all serials (RFC 1982). */
const STEP = 2 ** 20;

/** Raises all zone versions after a backup was restored: secondaries ignore a serial behind the one that they have. */
@injectable()
export class RaiseVersions {
  constructor(@inject(SecondaryDirectory) private readonly directory: SecondaryDirectory) {}

  /** @param ahead how far secondaries are known to be ahead */
  async execute(ahead = 0): Promise<void> {
    await this.directory.raiseVersions(STEP + ahead);
  }
}
