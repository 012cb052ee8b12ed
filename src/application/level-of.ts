import { RegistryUnavailable } from './ports/registry/registry-errors';
import { StorageUnavailable } from './ports/storage/storage-unavailable';

/** How a failure of what happens on nobody's request is logged: what is wrong outside of us is a warning, anything else a bug. */
export function levelOf(error: unknown): 'warn' | 'error' {
  return error instanceof RegistryUnavailable || error instanceof StorageUnavailable ? 'warn' : 'error';
}
