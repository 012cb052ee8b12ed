import { RegistryUnavailable } from '../ports/registry/registry-errors';
import { StorageFailing, StorageUnavailable } from '../ports/storage/storage-unavailable';

/** Log level for an error of background work: WARN for an outage that ends by itself, ERROR if the operator must act, or for a bug. */
export function levelOf(error: unknown): 'warn' | 'error' {
  if (error instanceof StorageFailing) return 'error';
  return error instanceof RegistryUnavailable || error instanceof StorageUnavailable ? 'warn' : 'error';
}
