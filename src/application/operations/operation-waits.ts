import { inject, injectable } from 'inversify';
import type { Operation } from '../../domain/registration/operation';
import { DomainReader } from '../ports/registration/domain-repository';
import { Outage } from '../outage';
import { Log } from '../ports/system/log';
import { OperationReader } from '../ports/registration/operation-repository';
import { RegistryUnavailable } from '../ports/registry/registry-errors';
import type { AuthCode } from '../ports/registry/registry-port';
import { OperationHandover } from './operation-handover';
import type { OperationEnd } from './operation-outcome';
import { OperationSettings } from './operation-settings';

const LOOK_EVERY_MS = 250;
const LOOK_BATCH = 500;

interface Wait {
  readonly operationId: string;
  readonly end: (end: OperationEnd) => void;
  readonly giveUp: () => void;
}

/**
 * Requests that wait for their operation. One that ends in this process is told at once; for those that another
 * process runs, the database is asked from time to time, once for all that wait, and only while somebody waits.
 */
@injectable()
export class OperationWaits {
  private readonly waits = new Set<Wait>();
  private released = false;
  private looking: NodeJS.Timeout | undefined;
  private readonly storageOutage: Outage;

  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.storageOutage = new Outage(log, 'operations that are waited for');
  }

  /** Until the operation ends, for a bounded time. @throws RegistryUnavailable naming it where it goes on */
  async wait(operationId: string): Promise<OperationEnd> {
    const waiting: { wait?: Wait; timer?: NodeJS.Timeout } = {};
    try {
      return await new Promise<OperationEnd>((resolve, reject) => {
        const giveUp = () => reject(goesOn(operationId));
        waiting.timer = setTimeout(giveUp, this.released ? 0 : this.settings.waitMs);
        waiting.wait = { operationId, end: resolve, giveUp };
        this.waits.add(waiting.wait);
        this.lookLater();
      });
    } finally {
      clearTimeout(waiting.timer);
      if (waiting.wait) this.waits.delete(waiting.wait);
    }
  }

  tell(end: OperationEnd): void {
    for (const wait of this.waits) if (wait.operationId === end.operation.id) wait.end(end);
  }

  /** The process ends: nobody waits any longer. */
  release(): void {
    this.released = true;
    for (const wait of this.waits) wait.giveUp();
  }

  private lookLater(): void {
    this.looking ??= setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    try {
      const ids = [...new Set([...this.waits].map(({ operationId }) => operationId))];
      for (let start = 0; start < ids.length; start += LOOK_BATCH) {
        for (const operation of await this.operations.finishedAmong(ids.slice(start, start + LOOK_BATCH)))
          this.tell(await this.endOf(operation));
      }
      this.storageOutage.succeeded();
    } catch (error) {
      this.storageOutage.failed(error);
    } finally {
      this.looking = undefined;
      if (this.waits.size > 0) this.lookLater();
    }
  }

  private async endOf(operation: Operation): Promise<OperationEnd> {
    const { accountId, domainId } = operation.toState();
    return {
      operation,
      domain: await this.domains.findEvenGone(accountId, domainId),
      authCode: this.authCodeOf(operation),
    };
  }

  /** One that cannot be opened must not keep the others waiting. */
  private authCodeOf(operation: Operation): AuthCode | undefined {
    try {
      return this.handover.open(operation);
    } catch (error) {
      this.log.error(
        { err: error, operationId: operation.id },
        'an auth code cannot be opened: do all processes have the same SECRET_KEY?',
      );
      return undefined;
    }
  }
}

function goesOn(operationId: string): RegistryUnavailable {
  const error = new RegistryUnavailable(`${operationId} has not been answered yet and goes on by itself`);
  error.operationId = operationId;
  return error;
}
