import {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../application/ports/registry/registry-errors';
import { FrameError } from '../codec/frames';
import { XmlError } from '../codec/xml-error';
import { CommandIds, type CommandId } from './command-ids';
import { assertWithinTimeLimit } from '../../../../application/ports/registry/command-limit';
import type { EppSessionPool } from './epp-session-pool';
import { isTransportFailure, newTransactionId, type EppSession } from './epp-session';
import type { EppCommand } from '../mapping/commands/command';
import type { Services } from '../mapping/greeting';
import type { EppResponse } from '../mapping/response';
import { detailsOf, endsSession, isInconclusive, isSuccess, rejectionOf } from '../mapping/result-codes';

/** Sends commands on pooled sessions. Repeats a query once if its response is lost; never repeats a transform command. */
export class EppClient {
  constructor(private readonly pool: Pick<EppSessionPool<EppSession>, 'use' | 'close'>) {}

  /**
   * Runs one call of the port, which may send several commands.
   * @throws as `work`. A failure is RegistryNotContacted before the first transform command was sent, and
   *   RegistryUnavailable afterwards
   */
  async runCall<T>(transactionId: string, work: (ids: CommandIds) => Promise<T>): Promise<T> {
    const ids = new CommandIds(transactionId);
    try {
      return await work(ids);
    } catch (error) {
      const isOutcomeUnknown = ids.mayHaveChangedSomething;
      if (
        !(error instanceof RegistryUnavailable) ||
        error instanceof RegistryInconclusive ||
        error instanceof RegistryNotContacted !== isOutcomeUnknown
      )
        throw error;
      const { details, retryAfterSeconds } = error;
      throw isOutcomeUnknown
        ? new RegistryUnavailable(details, retryAfterSeconds, { cause: error })
        : new RegistryNotContacted(details, retryAfterSeconds, { cause: error });
    }
  }

  /**
   * Returns the response, success or failure.
   * @throws RegistryUnavailable without a conclusive response; RegistryNotContacted without a session or after the
   *   time limit; RegistryRejected for values that XML cannot carry
   */
  async send(command: EppCommand, id?: CommandId): Promise<EppResponse> {
    if (command.transforms && !id) throw new TypeError(`${command.title} is a transform command and needs a CommandId`);
    const first = await this.attempt(command, id);
    if (!(first instanceof RegistryUnavailable)) return first;
    if (command.transforms) throw first;
    const second = await this.attempt(command);
    if (second instanceof RegistryUnavailable) throw second;
    return second;
  }

  /** Returns a successful response. @throws as `send`, and RegistryRejected for a failure */
  async sendOrThrow(command: EppCommand, id?: CommandId): Promise<EppResponse> {
    const response = await this.send(command, id);
    if (!isSuccess(response)) throw rejectionOf(response);
    return response;
  }

  /** Objects and extensions that the registry supports. @throws RegistryNotContacted */
  async services(): Promise<Services> {
    return this.pool.use(async ({ services }) => services);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async attempt(command: EppCommand, id?: CommandId): Promise<EppResponse | RegistryUnavailable> {
    return this.pool.use(async (session) => {
      assertWithinTimeLimit();
      try {
        const response = await session.send(command, id?.text ?? newTransactionId());
        id?.sent();
        return isInconclusive(response.code) ? inconclusiveError(response) : response;
      } catch (error) {
        if (error instanceof RegistryRejected) throw error;
        if (error instanceof XmlError || error instanceof FrameError)
          throw new RegistryRejected('policy', 'A value contains characters that EPP cannot carry', { cause: error });
        id?.sent();
        if (!isTransportFailure(error)) throw error;
        return new RegistryUnavailable('The registry did not respond', undefined, { cause: error });
      }
    });
  }
}

/** A code that ends the session counts for the circuit breaker: the registry as a whole has a problem. */
function inconclusiveError(response: EppResponse): RegistryUnavailable {
  return endsSession(response.code)
    ? new RegistryUnavailable(detailsOf(response))
    : new RegistryInconclusive(detailsOf(response));
}
