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

/** The key's scope would do, but not the account's control of the sandbox. */
export class SandboxNotControlled extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor() {
    super(
      'This account does not control the sandbox',
      'Its clock and faults meet all accounts: ask the operator, who can allow it',
    );
  }
}

export class RateLimitExceeded extends ServiceError {
  readonly code = 'RATE_LIMIT_EXCEEDED';

  constructor(override readonly retryAfterSeconds: number) {
    super('Too many requests');
  }
}

/** Deliberately says no more: which of e-mail and password was wrong is nobody's business. */
export class WrongCredentials extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor() {
    super('The e-mail or the password is wrong');
  }
}

/** E-mail and password are right, in more than one account. */
export class SeveralAccounts extends ServiceError {
  readonly code = 'ACCOUNT_CHOICE_NEEDED';

  constructor(readonly accountIds: readonly string[]) {
    super('Your e-mail and password open several accounts', 'Choose one and enter your password again');
  }
}

export class SetupLinkInvalid extends ServiceError {
  readonly code = 'SETUP_LINK_INVALID';

  constructor() {
    super('This link was used, has expired or never was', 'Ask an owner of your account for a new one');
  }
}

/** The person may not do this. */
export class RoleForbids extends ServiceError {
  readonly code = 'ROLE_FORBIDS';

  constructor(details?: string) {
    super('Only owners of the account may do this', details);
  }
}

export class UserNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('There is no such person in the account');
  }
}

export class SetupLinkNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('No open set-up link exists for this person');
  }
}

export class ApiKeyNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('There is no such key in the account');
  }
}

export class TooManyApiKeys extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  constructor(limit: number) {
    super(`An account has at most ${limit} active API keys`, 'Revoke one that is no longer used');
  }
}

export class IdempotencyKeyReused extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super(
      'The Idempotency-Key was used for another request',
      'A key stands for one request for 24 hours; choose another',
    );
  }
}

export class IdempotencyKeyInUse extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_IN_USE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('The first request with this Idempotency-Key is still running');
  }
}

export class SessionNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('There is no such session, or it has ended');
  }
}
