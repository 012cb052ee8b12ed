import { RegistryRejected, RegistryUnavailable } from '../../../application/ports/registry-errors';
import { FrameError } from './codec/frames';
import { XmlError } from './codec/xml-error';
import type { EppSessionPool } from './epp-session-pool';
import { isTransportFailure, newTransactionId, type EppSession } from './epp-session';
import type { EppCommand } from './mapping/command';
import type { Services } from './mapping/greeting';
import type { EppResponse } from './mapping/response';
import { failureOf, isUndecided, succeeded } from './mapping/result-codes';

/** A command, or how it is put to a registry that speaks of so much. */
export type Wording = EppCommand | ((services: Services) => EppCommand);

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
  async ask(wording: Wording, transactionId?: string): Promise<EppResponse> {
    const first = await this.attempt(wording, transactionId ?? newTransactionId());
    if (first.response && !isUndecided(first.response.code)) return first.response;
    if (first.transforms) throw first.failure;
    const second = await this.attempt(wording, newTransactionId());
    if (second.response && !isUndecided(second.response.code)) return second.response;
    throw second.failure;
  }

  /** What the registry answers where it says yes. @throws RegistryRejected, RegistryUnavailable */
  async demand(wording: Wording, transactionId?: string): Promise<EppResponse> {
    const response = await this.ask(wording, transactionId);
    if (!succeeded(response)) throw failureOf(response);
    return response;
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async attempt(wording: Wording, transactionId: string): Promise<Attempt> {
    return this.pool.use(async (session) => {
      const command = typeof wording === 'function' ? wording(session.services) : wording;
      try {
        const response = await session.send(command, transactionId);
        return { transforms: command.transforms, response, failure: failureOf(response) };
      } catch (error) {
        if (error instanceof XmlError || error instanceof FrameError) throw new RegistryRejected('policy', 'The registry cannot be sent such values', { cause: error });
        if (!isTransportFailure(error)) throw error;
        return { transforms: command.transforms, response: undefined, failure: new RegistryUnavailable('The registry did not answer', undefined, { cause: error }) };
      }
    });
  }
}

interface Attempt {
  readonly transforms: boolean;
  readonly response: EppResponse | undefined;
  readonly failure: RegistryRejected | RegistryUnavailable;
}
