import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { TooManyApiKeys } from '../../../domain/access/access-errors';
import {
  ApiKey,
  DEFAULT_SCOPE,
  MAX_ACTIVE_KEYS,
  tsigNameOf,
  type ApiKeyToken,
  type NewTsigKey,
  type Scope,
} from '../../../domain/access/api-key';
import type { GivenLimits } from '../../../domain/access/key-limits';
import { assertActionAllowed, LimitedKey } from '../../../domain/access/key-permissions';
import { ValidationError } from '../../../domain/shared/validation-error';
import { keyChanged } from '../../audit/access-audit';
import { Clock, SecretBox } from '../../ports/system';
import { TsigSecrets } from '../../ports/dns/publishing';
import { KeyGenerator } from '../../ports/access/accounts-and-api-keys';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { lockAsOwner } from '../users/lock-as-owner';
import { assertWithinIssuer } from './assert-within-issuer';

/** What the secret of a TSIG key is sealed for. */
export function tsigSecretPurpose(keyId: string): string {
  return `tsig-key:${keyId}`;
}

/** RFC 8945, section 6: mandatory, so every program supports it. */
export const TSIG_ALGORITHM = 'hmac-sha256';

type IssueApiKeyCommand = Requester & {
  readonly name: string;
  readonly scope?: Scope | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly limits?: GivenLimits | undefined;
};

/** A new key and its full text, which is shown once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly text: string;
}

/**
 * Issues an API key and returns its full text, which is not stored. A key cannot issue one that may do more than itself.
 * @throws RoleForbids, TooManyApiKeys, LimitedKey, InsufficientScope; ValidationError for an unknown account, a bad name or bad limits
 */
@injectable()
export class IssueApiKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'apiKeys' | 'audit' | 'users' | HookStore>,
    @inject(KeyGenerator) private readonly generator: KeyGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(TsigSecrets) private readonly tsigSecrets: TsigSecrets,
    @inject(SecretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute(command: IssueApiKeyCommand, hook?: TransactionHook<IssuedKey>): Promise<IssuedKey> {
    const token = this.generator.next();
    return this.issue(token, this.generator.textOf(token), command, { hook });
  }

  /**
   * Issues a TSIG key whose name follows from its key id. WRITE sends updates, READ only transfers zones. The text is
   * `hmac-sha256:NAME:SECRET`, as nsupdate -y takes it.
   */
  async executeTsig(command: IssueApiKeyCommand, hook?: TransactionHook<IssuedKey>): Promise<IssuedKey> {
    const token = this.generator.next();
    const secret = this.tsigSecrets.next().toString('base64');
    const sealedSecret = this.secretBox.seal(secret, tsigSecretPurpose(token.keyId));
    const text = `${TSIG_ALGORITHM}:${tsigNameOf(token.keyId)}:${secret}`;
    return this.issue(token, text, { scope: 'WRITE', ...command }, { hook, tsig: { sealedSecret } });
  }

  private async issue(
    token: ApiKeyToken,
    text: string,
    { accountId, actor, name, scope = DEFAULT_SCOPE, expiresAt, limits }: IssueApiKeyCommand,
    { hook, tsig }: { readonly hook: TransactionHook<IssuedKey> | undefined; readonly tsig?: NewTsigKey },
  ): Promise<IssuedKey> {
    assertActionAllowed(actor, 'settings');
    const now = this.clock.now();
    const key = ApiKey.issue(token, { accountId, name, scope, expiresAt, createdBy: actor, limits, tsig }, now);
    await this.unitOfWork.run(async (stores) => {
      if (!(await lockAsOwner(stores, { accountId, actor }))) throw ValidationError.of('account', 'is not known');
      const { apiKeys, audit } = stores;
      const issuer = actor.kind === 'key' ? await apiKeys.lock(actor.id) : undefined;
      if (issuer) assertWithin(key, issuer, now);
      if ((await apiKeys.countActive(accountId, now)) >= MAX_ACTIVE_KEYS) throw new TooManyApiKeys(MAX_ACTIVE_KEYS);
      await apiKeys.add(key);
      await audit.append(keyChanged({ at: now, actor, action: 'key.created', key: key.toState() }));
      await hook?.(stores, { key, text });
    }, accountId);
    return { key, text };
  }
}

/** @throws LimitedKey, InsufficientScope if the key may do more than its issuer; InvalidApiKey if the issuer was just revoked */
function assertWithin(key: ApiKey, issuer: ApiKey, now: Date): void {
  const { expiresAt } = key.toState();
  const own = issuer.toState();
  assertWithinIssuer(key.toState(), issuer, now);
  if (own.expiresAt && !(expiresAt && expiresAt <= own.expiresAt))
    throw new LimitedKey('expires_at', `the key that issues it expires at ${own.expiresAt.toISOString()}`);
}
