import { InsufficientScope, InvalidApiKey } from '../../../domain/access/access-errors';
import { includesScope, type ApiKey, type ApiKeyState } from '../../../domain/access/api-key';
import { LIMIT_FIELDS, limitsBeyond } from '../../../domain/access/key-limits';
import { LimitedKey } from '../../../domain/access/key-permissions';

/** What a key may do. */
export type Grant = Pick<ApiKeyState, 'scope' | 'limits'>;

/** @throws LimitedKey, InsufficientScope if the grant is for more than its issuer may do; InvalidApiKey if the issuer was just revoked */
export function assertWithinIssuer({ scope, limits }: Grant, issuer: ApiKey, now: Date): void {
  if (issuer.status(now) !== 'active') throw new InvalidApiKey();
  const own = issuer.toState();
  if (!includesScope(own.scope, scope)) throw new InsufficientScope(scope);
  const [limit] = limitsBeyond(limits ?? {}, own.limits ?? {});
  if (limit) throw new LimitedKey(LIMIT_FIELDS[limit], 'a key cannot issue one that may do more than itself');
}
