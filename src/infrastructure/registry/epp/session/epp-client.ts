import {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../application/ports/registry/registry-errors';
import { FrameError } from '../codec/frames';
import { XmlError } from '../codec/xml-error';
import { CommandIds, type CommandId } from './command-ids';
import type { EppSessionPool } from './epp-session-pool';
import { isTransportFailure, newTransactionId, type EppSession } from './epp-session';
import type { EppCommand } from '../mapping/command';
import type { Services } from '../mapping/greeting';
import type { EppResponse } from '../mapping/response';
import { detailsOf, endsSession, isUndecided, rejectionOf, succeeded } from '../mapping/result-codes';

/**
 * Puts commands to a registry on whichever session is free. What only reads is asked a second time where the first
 * answer was lost; what changes something is sent once, and then it is not known whether it was carried out.
 */
export class EppClient {
  constructor(private readonly pool: Pick<EppSessionPool<EppSession>, 'use' | 'close'>) {}

  /**
   * A call of the port, which may take several commands. One that the registry leaves unanswered is unasked for as long as
   * nothing that changes anything has gone out in it, and in doubt from then on, whichever command it is that fails.
   * @throws as `work`, but RegistryNotContacted and RegistryUnavailable by that
   */
  async asOneCall<T>(transactionId: string, work: (ids: CommandIds) => Promise<T>): Promise<T> {
    const ids = new CommandIds(transactionId);
    try {
      return await work(ids);
    } catch (error) {
      const inDoubt = ids.mayHaveChangedSomething;
      if (
        !(error instanceof RegistryUnavailable) ||
        error instanceof RegistryInconclusive ||
        error instanceof RegistryNotContacted !== inDoubt
      )
        throw error;
      const { details, retryAfterSeconds } = error;
      throw inDoubt
        ? new RegistryUnavailable(details, retryAfterSeconds, { cause: error })
        : new RegistryNotContacted(details, retryAfterSeconds, { cause: error });
    }
  }

  /**
   * The registry's decision, whichever it is.
   * @throws RegistryUnavailable where it took none that we know of, RegistryNotContacted where there was no session to send it
   *   on; RegistryRejected where the values cannot be sent
   */
  async ask(command: EppCommand, id?: CommandId): Promise<EppResponse> {
    if (command.transforms && !id)
      throw new TypeError(`${command.title} changes something and needs an id of its call`);
    const first = await this.attempt(command, id);
    if (!(first instanceof RegistryUnavailable)) return first;
    if (command.transforms) throw first;
    const second = await this.attempt(command);
    if (second instanceof RegistryUnavailable) throw second;
    return second;
  }

  /** What the registry answers where it says yes. @throws as `ask`, and RegistryRejected where it says no */
  async demand(command: EppCommand, id?: CommandId): Promise<EppResponse> {
    const response = await this.ask(command, id);
    if (!succeeded(response)) throw rejectionOf(response);
    return response;
  }

  /** What the registry speaks of. @throws RegistryNotContacted */
  async services(): Promise<Services> {
    return this.pool.use(async ({ services }) => services);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async attempt(command: EppCommand, id?: CommandId): Promise<EppResponse | RegistryUnavailable> {
    return this.pool.use(async (session) => {
      try {
        const response = await session.send(command, id?.text ?? newTransactionId());
        id?.sent();
        return isUndecided(response.code) ? indecision(response) : response;
      } catch (error) {
        if (error instanceof XmlError || error instanceof FrameError)
          throw new RegistryRejected('policy', 'The registry cannot be sent such values', { cause: error });
        id?.sent();
        if (!isTransportFailure(error)) throw error;
        return new RegistryUnavailable('The registry did not answer', undefined, { cause: error });
      }
    });
  }
}

/** A registry that ends sessions over it is in trouble as a whole. */
function indecision(response: EppResponse): RegistryUnavailable {
  return endsSession(response.code)
    ? new RegistryUnavailable(detailsOf(response))
    : new RegistryInconclusive(detailsOf(response));
}
