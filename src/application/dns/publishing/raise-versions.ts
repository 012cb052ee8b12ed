import { inject, injectable } from 'inversify';
import { SecondaryDirectory } from '../../ports/dns/secondary-directory';

/** More changes than anybody makes between a back-up and its return, and far below the half of all serials (RFC 1982). */
const STEP = 2 ** 20;

/** After a back-up was restored: secondaries take up no zone whose serial is behind the one that they remember. */
@injectable()
export class RaiseVersions {
  constructor(@inject(SecondaryDirectory) private readonly directory: SecondaryDirectory) {}

  async execute(): Promise<void> {
    await this.directory.raiseVersions(STEP);
  }
}
