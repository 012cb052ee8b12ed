import { ServiceError } from '../shared/service-error';
import type { Scope } from './api-key';

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

/** The key's scope is sufficient, but the account may not control the sandbox. */
export class SandboxNotControlled extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  constructor() {
    super(
      'This account may not control the sandbox',
      'The sandbox clock and faults affect all accounts. Ask the operator for permission',
    );
  }
}

export class RateLimitExceeded extends ServiceError {
  readonly code = 'RATE_LIMIT_EXCEEDED';

  constructor(override readonly retryAfterSeconds: number) {
    super('Too many requests');
  }
}

const BYTES_PER_MIB = 1_048_576;

/** The account has stored all that it may on this day. */
export class DailyQuotaReached extends ServiceError {
  readonly code = 'RATE_LIMIT_EXCEEDED';

  constructor(
    kind: 'zone history' | 'stored responses',
    limitBytes: number,
    override readonly retryAfterSeconds: number,
  ) {
    super(
      'Too many requests',
      kind === 'zone history'
        ? `Changes of records have added ${limitBytes / BYTES_PER_MIB} MiB to this account's zone history today, which is the limit. Change records again after 00:00 UTC`
        : `Responses kept for this account's idempotency keys have reached ${limitBytes / BYTES_PER_MIB} MiB today, which is the limit. Omit Idempotency-Key, or send a new key after 00:00 UTC`,
    );
  }
}

/** Does not say which of the two is wrong, so that attackers cannot enumerate users (OWASP). */
export class WrongCredentials extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor() {
    super('The e-mail or the password is wrong');
  }
}

/** The credentials are valid in more than one account. */
export class AmbiguousAccount extends ServiceError {
  readonly code = 'ACCOUNT_CHOICE_NEEDED';

  constructor(readonly accountIds: readonly string[]) {
    super('Your e-mail and password match several accounts', 'Choose one and enter your password again');
  }
}

/** No user of this service has the account at the provider. */
export class IdentityUnknown extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor(provider: string) {
    super(
      `Your account at ${provider} is not linked with a user of this service`,
      'Sign in another way and link it under Settings, or open an invitation',
    );
  }
}

export class SignedOutAtProvider extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor() {
    super('You signed out at the provider before this sign-in ended', 'Start again');
  }
}

export class NoRoleByGroups extends ServiceError {
  readonly code = 'WRONG_CREDENTIALS';

  constructor(provider: string) {
    super(
      `Your groups at ${provider} give you no role here`,
      `Ask who manages the groups at ${provider}, or the operator of this service`,
    );
  }
}

export class SetupLinkInvalid extends ServiceError {
  readonly code = 'SETUP_LINK_INVALID';

  constructor() {
    super('This link is invalid, has expired or was already used', 'Ask an owner of your account for a new one');
  }
}

export class RoleForbids extends ServiceError {
  readonly code = 'ROLE_FORBIDS';

  constructor(details?: string, message = 'Only owners of the account may do this') {
    super(message, details);
  }
}

export class UserNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('User not found');
  }
}

export class SetupLinkNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('This user has no open set-up link');
  }
}

export class ApiKeyNotFound extends ServiceError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('API key not found');
  }
}

export class TooManyApiKeys extends ServiceError {
  readonly code = 'LIMIT_EXCEEDED';

  constructor(limit: number) {
    super(`An account has at most ${limit} active API keys`, 'Revoke a key that is no longer used');
  }
}

export class IdempotencyKeyReused extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super(
      'The Idempotency-Key was used for another request',
      'A key identifies one request for 24 hours; send a new key',
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
    super('Session not found or already ended');
  }
}
