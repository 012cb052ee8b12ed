import { RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import { ProtocolError } from './mapping/protocol-error';

/** What `read` makes of an answer; one that makes no sense is as good as none. @throws RegistryUnavailable */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new RegistryUnavailable("The registry's answer makes no sense", undefined, { cause: error });
    throw error;
  }
}
