import { ServiceError } from '../../src/domain/shared/service-error';

/** The service error that `action` fails with; anything else it throws is a bug and passes through. */
export function thrownBy(action: () => unknown): ServiceError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
