import { ServiceError } from '../../src/domain/shared/service-error';

/** The ServiceError that `action` throws; rethrows any other error. */
export function thrownBy(action: () => unknown): ServiceError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
