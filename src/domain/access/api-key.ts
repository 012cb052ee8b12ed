import { displayName } from './account';
import type { ApiKeyToken } from './api-key-token';
import type { Scope } from './scope';

export interface ApiKeyState {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 of the secret, in hex. */
  readonly secretDigest: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** A caller's key: what it may do and whether it still opens. The secret itself is known only at its issue. */
export class ApiKey {
  private constructor(private state: ApiKeyState) {}

  static issue(token: ApiKeyToken, key: { accountId: string; name: string; scope: Scope }, now: Date): ApiKey {
    return new ApiKey({ ...key, name: displayName(key.name), keyId: token.keyId, secretDigest: token.digest(), createdAt: now, revokedAt: null });
  }

  static restore(state: ApiKeyState): ApiKey {
    return new ApiKey(state);
  }

  opensWith(token: ApiKeyToken): boolean {
    return token.matches(this.state.secretDigest) && this.state.revokedAt === null;
  }

  /** Revoking twice keeps the first time. */
  revoke(now: Date): void {
    if (this.state.revokedAt === null) this.state = { ...this.state, revokedAt: now };
  }

  toState(): ApiKeyState {
    return this.state;
  }
}
