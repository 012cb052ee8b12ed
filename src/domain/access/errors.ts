import { ServiceError } from '../shared/service-error';
import type { Scope } from './scope';

export class InvalidApiKey extends ServiceError {
  readonly code = 'INVALID_API_KEY';

  constructor() {
    super('Provided key is invalid');
  }
}

export class InsufficientScope extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor(required: Scope) {
    super(`This operation requires ${required} scope`);
  }
}

export class RateLimitExceeded extends ServiceError {
  readonly code = 'RATE_LIMIT_EXCEEDED';

  constructor(readonly retryAfterSeconds: number) {
    super('Too many requests');
  }
}
