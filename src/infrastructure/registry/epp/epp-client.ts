import { RegistryRejected, RegistryUnavailable, RegistryUndecided } from '../../../application/ports/registry/registry-errors';
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
  constructor(private readonly pool: Pick<EppSessionPool<EppSession>, 'use' | 'close'>) {}

  /**
   * The registry's decision, whichever it is.
   * @throws RegistryUnavailable where it took none that we know of; RegistryRejected where the values cannot be sent
   */
  async ask(command: EppCommand, transactionId?: string): Promise<EppResponse> {
    const first = await this.attempt(command, transactionId ?? newTransactionId());
    if (!(first instanceof RegistryUnavailable)) return first;
    if (command.transforms) throw first;
    const second = await this.attempt(command, newTransactionId());
    if (second instanceof RegistryUnavailable) throw second;
    return second;
  }

  /** What the registry answers where it says yes. @throws RegistryRejected, RegistryUnavailable */
  async demand(command: EppCommand, transactionId?: string): Promise<EppResponse> {
    const response = await this.ask(command, transactionId);
    if (!succeeded(response)) throw rejectionOf(response);
    return response;
  }

  /** What the registry speaks of. @throws RegistryUnavailable */
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
        return isUndecided(response.code) ? indecision(response) : response;
      } catch (error) {
        if (error instanceof XmlError || error instanceof FrameError) throw new RegistryRejected('policy', 'The registry cannot be sent such values', { cause: error });
        if (!isTransportFailure(error)) throw error;
        return new RegistryUnavailable('The registry did not answer', undefined, { cause: error });
      }
    });
  }
}

/** A registry that ends sessions over it is in trouble as a whole. */
function indecision(response: EppResponse): RegistryUnavailable {
  return endsSession(response.code) ? new RegistryUnavailable(detailsOf(response)) : new RegistryUndecided(detailsOf(response));
}
