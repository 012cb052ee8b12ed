import { AsyncLocalStorage } from 'node:async_hooks';
import { RegistryRejected, RegistryUnasked, RegistryUnavailable, RegistryUndecided } from '../../../application/ports/registry/registry-errors';
import { FrameError } from './codec/frames';
import { XmlError } from './codec/xml-error';
import type { EppSessionPool } from './epp-session-pool';
import { isTransportFailure, newTransactionId, type EppSession } from './epp-session';
import type { EppCommand } from './mapping/command';
import type { Services } from './mapping/greeting';
import type { EppResponse } from './mapping/response';
import { detailsOf, endsSession, isUndecided, rejectionOf, succeeded } from './mapping/result-codes';

/**
 * Puts commands to a registry on whichever session is free. What only reads is asked a second time where the first
 * answer was lost; what changes something is sent once, and then it is not known whether it was carried out.
 */
export class EppClient {
  /** What is known of the call of the port that is under way. */
  private readonly calls = new AsyncLocalStorage<{ mayHaveChangedSomething: boolean }>();

  constructor(private readonly pool: Pick<EppSessionPool<EppSession>, 'use' | 'close'>) {}

  /**
   * A call of the port, which may take several commands. One that the registry leaves unanswered is unasked for as long as
   * nothing that changes anything has gone out in it, and in doubt from then on, whichever command it is that fails.
   * @throws as `work`, but RegistryUnasked and RegistryUnavailable by that
   */
  async asOneCall<T>(work: () => Promise<T>): Promise<T> {
    const call = { mayHaveChangedSomething: false };
    try {
      return await this.calls.run(call, work);
    } catch (error) {
      const inDoubt = call.mayHaveChangedSomething;
      if (!(error instanceof RegistryUnavailable) || error instanceof RegistryUndecided || error instanceof RegistryUnasked !== inDoubt) throw error;
      const { details, retryAfterSeconds } = error;
      throw inDoubt ? new RegistryUnavailable(details, retryAfterSeconds, { cause: error }) : new RegistryUnasked(details, retryAfterSeconds, { cause: error });
    }
  }

  /**
   * The registry's decision, whichever it is.
   * @throws RegistryUnavailable where it took none that we know of, RegistryUnasked where there was no session to send it
   *   on; RegistryRejected where the values cannot be sent
   */
  async ask(command: EppCommand, transactionId?: string): Promise<EppResponse> {
    const first = await this.attempt(command, transactionId ?? newTransactionId());
    if (!(first instanceof RegistryUnavailable)) return first;
    if (command.transforms) throw first;
    const second = await this.attempt(command, newTransactionId());
    if (second instanceof RegistryUnavailable) throw second;
    return second;
  }

  /** What the registry answers where it says yes. @throws as `ask`, and RegistryRejected where it says no */
  async demand(command: EppCommand, transactionId?: string): Promise<EppResponse> {
    const response = await this.ask(command, transactionId);
    if (!succeeded(response)) throw rejectionOf(response);
    return response;
  }

  /** What the registry speaks of. @throws RegistryUnasked */
  async services(): Promise<Services> {
    return this.pool.use(async ({ services }) => services);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async attempt(command: EppCommand, transactionId: string): Promise<EppResponse | RegistryUnavailable> {
    return this.pool.use(async (session) => {
      try {
        const response = await session.send(command, transactionId);
        this.wentOut(command);
        return isUndecided(response.code) ? indecision(response) : response;
      } catch (error) {
        if (error instanceof XmlError || error instanceof FrameError) throw new RegistryRejected('policy', 'The registry cannot be sent such values', { cause: error });
        this.wentOut(command);
        if (!isTransportFailure(error)) throw error;
        return new RegistryUnavailable('The registry did not answer', undefined, { cause: error });
      }
    });
  }

  private wentOut({ transforms }: EppCommand): void {
    const call = this.calls.getStore();
    if (call && transforms) call.mayHaveChangedSomething = true;
  }
}

/** A registry that ends sessions over it is in trouble as a whole. */
function indecision(response: EppResponse): RegistryUnavailable {
  return endsSession(response.code) ? new RegistryUnavailable(detailsOf(response)) : new RegistryUndecided(detailsOf(response));
}
