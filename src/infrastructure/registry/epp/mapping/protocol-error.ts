import { RegistryUnavailable } from '../../../../application/ports/registry/registry-errors';

/** A response that violates the protocol. Nothing can be concluded from it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Runs `parse` on a response. @throws RegistryUnavailable for an invalid response */
export function parseResponse<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new RegistryUnavailable("The registry's response is invalid", undefined, { cause: error });
    throw error;
  }
}
