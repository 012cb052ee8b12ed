import { inject, injectable } from '../../ports/inject';
import { SecondaryDirectory } from '../../ports/dns/publishing';
import { Clock } from '../../ports/system';

/** More changes than are made between a backup and its restore, and far below half of all serials (RFC 1982). */
const STEP = 2 ** 20;
/** More changes of one zone than are made for long: a serial of one restore is never one of an earlier restore of the same backup. */
const PER_SECOND = 16;
/** Of a backup that is over two years old. */
const MAX_FOR_TIME = 2 ** 30;

/** Raises all zone versions after a backup was restored: secondaries ignore a serial behind the one that they have. */
@injectable()
export class RaiseVersions {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * @param ahead how far secondaries are known to be ahead. Those that could not be read may have the serials of another restore
   * @param since the moment that was restored; the time of the last change if absent
   */
  async execute({ ahead = 0, since }: { readonly ahead?: number; readonly since?: Date } = {}): Promise<void> {
    const now = this.clock.now().getTime();
    const from = since ?? (await this.directory.latestChange());
    const seconds = from ? Math.max(0, now - from.getTime()) / 1_000 : 0;
    const forTime = Math.min(Math.ceil(seconds * PER_SECOND), MAX_FOR_TIME);
    await this.directory.raiseVersions(STEP + Math.max(ahead, forTime));
  }
}
