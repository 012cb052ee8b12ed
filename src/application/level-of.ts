import { RegistryUnavailable } from './ports/registry/registry-errors';
import { StorageFailing } from './ports/storage/storage-failing';
import { StorageUnavailable } from './ports/storage/storage-unavailable';

/** How a failure of what happens on nobody's request is logged: what is wrong outside of us is a warning, unless it needs a person; anything else is a bug. */
export function levelOf(error: unknown): 'warn' | 'error' {
  if (error instanceof StorageFailing) return 'error';
  return error instanceof RegistryUnavailable || error instanceof StorageUnavailable ? 'warn' : 'error';
}
