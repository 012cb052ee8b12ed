import { inject, injectable } from 'inversify';
import { Clock } from '../../ports/system/clock';
import { Log } from '../../ports/system/log';
import { UnitOfWork } from '../../ports/storage/unit-of-work';

const WRITE_EVERY_MS = 30_000;

/** Collects the last use of API keys and stores them together twice a minute, not per request. */
@injectable()
export class KeyUses {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  record(keyId: string): void {
    this.uses.set(keyId, this.clock.now());
    this.timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  /** Stores collected uses; also called before the database is closed. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { uses } = this;
    this.uses = new Map();
    if (uses.size === 0) return;
    try {
      await this.unitOfWork.run(({ apiKeys }) => apiKeys.markUsed(uses));
    } catch (error) {
      for (const [keyId, at] of uses) if (!this.uses.has(keyId)) this.uses.set(keyId, at);
      this.log.warn(
        { err: error, keys: uses.size },
        'the last use of keys could not be written; it is kept for the next time',
      );
    }
  }
}
