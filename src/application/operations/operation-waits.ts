import { inject, injectable } from '../ports/inject';
import type { Operation } from '../../domain/registration/operations/operation';
import { DomainReader } from '../ports/registration/domain-repository';
import { Outage } from '../shared/outage';
import { Log } from '../ports/system';
import { OperationReader } from '../ports/registration/operations-and-transfers';
import { RegistryUnavailable } from '../ports/registry/registry-errors';
import type { AuthCode } from '../ports/registry/registry-port';
import { OperationHandover } from './operation-handover';
import { requireSuccess, type FinishedOperation, type OperationOutcome } from './operation-outcome';
import { OperationSettings } from '../shared/operation-settings';

const POLL_EVERY_MS = 250;
const POLL_BATCH = 500;

interface Wait {
  readonly operationId: string;
  readonly end: (end: FinishedOperation) => void;
  readonly giveUp: () => void;
}

/**
 * Requests that wait for an operation. Operations of this process notify them; for those of other processes, the database is
 * polled, with one query for all waiting requests.
 */
@injectable()
export class OperationWaits {
  private readonly waits = new Set<Wait>();
  private released = false;
  private polling: NodeJS.Timeout | undefined;
  private readonly storageOutage: Outage;

  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(OperationHandover) private readonly handover: OperationHandover,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.storageOutage = new Outage(log, 'polling operations of other processes');
  }

  /** Waits until the operation finishes. @throws RegistryUnavailable with the operation's id after the time limit */
  async wait(operationId: string): Promise<FinishedOperation> {
    const waiting: { wait?: Wait; timer?: NodeJS.Timeout } = {};
    try {
      return await new Promise<FinishedOperation>((resolve, reject) => {
        const giveUp = () => reject(stillRunning(operationId));
        waiting.timer = setTimeout(giveUp, this.released ? 0 : this.settings.waitMs);
        waiting.wait = { operationId, end: resolve, giveUp };
        this.waits.add(waiting.wait);
        this.pollLater();
      });
    } finally {
      clearTimeout(waiting.timer);
      if (waiting.wait) this.waits.delete(waiting.wait);
    }
  }

  /**
   * Waits for the operation that an earlier run of the request stored. Returns undefined if it stored none.
   * @throws the error of a failed operation; RegistryUnavailable as `wait`
   */
  async resume({
    accountId,
    operationId,
  }: {
    accountId: string;
    operationId: string;
  }): Promise<OperationOutcome | undefined> {
    const operation = await this.operations.find(accountId, operationId);
    if (!operation) return undefined;
    if (operation.kind === 'register')
      return requireSuccess({ operation, domain: await this.domains.find(accountId, operation.toState().domainId) });
    return requireSuccess(await this.wait(operationId));
  }

  notify(end: FinishedOperation): void {
    for (const wait of this.waits) if (wait.operationId === end.operation.id) wait.end(end);
  }

  /** Ends all waits, because the process stops. */
  release(): void {
    this.released = true;
    for (const wait of this.waits) wait.giveUp();
  }

  private pollLater(): void {
    this.polling ??= setTimeout(() => void this.poll(), POLL_EVERY_MS).unref();
  }

  private async poll(): Promise<void> {
    try {
      const ids = [...new Set([...this.waits].map(({ operationId }) => operationId))];
      for (let start = 0; start < ids.length; start += POLL_BATCH) {
        for (const operation of await this.operations.finishedAmong(ids.slice(start, start + POLL_BATCH)))
          this.notify(await this.loadFinished(operation));
      }
      this.storageOutage.recordSuccess();
    } catch (error) {
      this.storageOutage.recordFailure(error);
    } finally {
      this.polling = undefined;
      if (this.waits.size > 0) this.pollLater();
      else this.storageOutage.end();
    }
  }

  private async loadFinished(operation: Operation): Promise<FinishedOperation> {
    const { accountId, domainId } = operation.toState();
    return {
      operation,
      domain: await this.domains.findEvenGone(accountId, domainId),
      authCode: this.authCodeOf(operation),
    };
  }

  /** An auth code that cannot be decrypted must not block the other requests. */
  private authCodeOf(operation: Operation): AuthCode | undefined {
    try {
      return this.handover.open(operation);
    } catch (error) {
      this.log.error(
        { err: error, operationId: operation.id },
        'an auth code cannot be decrypted: check that all processes have the same SECRET_KEY',
      );
      return undefined;
    }
  }
}

function stillRunning(operationId: string): RegistryUnavailable {
  const error = new RegistryUnavailable(`${operationId} is not finished yet and continues in the background`);
  error.operationId = operationId;
  return error;
}
