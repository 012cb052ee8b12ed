import { inject, injectable } from '../../ports/inject';
import type { Actor } from '../../../domain/access/actor';
import type { Scope } from '../../../domain/access/api-key';
import {
  hasSecondFactor,
  needsSecondFactor,
  type SecondFactorRule,
} from '../../../domain/access/factors/second-factor-rule';
import { identityId } from '../../../domain/access/people/identity';
import { actorOfUser, type UserState } from '../../../domain/access/people/user';
import { AccountReader } from '../../ports/access/accounts-and-api-keys';
import {
  FactorReader,
  AccessTokenInvalid,
  IdentityProviders,
  type IdentityProvider,
} from '../../ports/access/authentication';
import { FailedAuthLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { IdentityReader, UserReader } from '../../ports/access/users';
import { RequiredSecondFactor } from '../second-factor/remove-factors';
import { countAttempt } from '../sign-in/count-attempt';

/** Scopes of access tokens. A token without any of them can read. */
export const TOKEN_SCOPES = {
  read: 'namewright:read',
  propose: 'namewright:propose',
  write: 'namewright:write',
} as const;

interface PresentedToken {
  readonly provider: IdentityProvider;
  readonly token: string;
  /** What the token must be for. */
  readonly audience: string;
  /** Default: that of the person's oldest user. */
  readonly accountId: string | undefined;
  readonly clientAddress: () => string;
}

interface AuthenticatedPerson {
  readonly accountId: string;
  /** The user, with the limits of the role and of the token. */
  readonly actor: Actor;
  readonly scope: Scope;
}

/**
 * Authenticates a program that a person uses, by an access token of a provider. The person is found as in a sign-in, on every call, so
 * that a removed user is refused at once. No token gives the scope ADMIN.
 * @throws AccessTokenInvalid, ProviderUnavailable, RateLimitExceeded
 */
@injectable()
export class AuthenticatePerson {
  constructor(
    @inject(IdentityProviders) private readonly providers: Pick<IdentityProviders, 'verifyAccess'>,
    @inject(IdentityReader) private readonly identities: Pick<IdentityReader, 'find'>,
    @inject(UserReader) private readonly users: Pick<UserReader, 'ofPerson'>,
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'find'>,
    @inject(FactorReader) private readonly factors: Pick<FactorReader, 'ofUser'>,
    @inject(RequiredSecondFactor) private readonly rule: SecondFactorRule,
    @inject(FailedAuthLimiter) private readonly failures: RateLimiter<'failed-auth'>,
  ) {}

  async execute(presented: PresentedToken): Promise<AuthenticatedPerson> {
    try {
      return await this.authenticate(presented);
    } catch (error) {
      if (error instanceof AccessTokenInvalid) await countAttempt(this.failures, presented.clientAddress());
      throw error;
    }
  }

  private async authenticate({ provider, token, audience, accountId }: PresentedToken): Promise<AuthenticatedPerson> {
    const { scopes, secondFactor, ...identity } = await this.providers.verifyAccess(provider, token, audience);
    const known = await this.identities.find(identityId(identity));
    const users = known ? (await this.users.ofPerson(known.personId)).map((each) => each.toState()) : [];
    const user = users.find((each) => accountId === undefined || each.accountId === accountId);
    const account = user && (await this.accounts.find(user.accountId));
    if (!user || !account) throw new AccessTokenInvalid('the person has no user in the account');
    if (!secondFactor && (await this.asksSecondFactor(user)))
      throw new AccessTokenInvalid('it does not say that the person used a second factor');
    const actor = actorOfUser(user, account);
    if (scopes.includes(TOKEN_SCOPES.write)) return { accountId: user.accountId, actor, scope: 'WRITE' };
    const mayPropose = scopes.includes(TOKEN_SCOPES.propose);
    const limits = 'limits' in actor ? actor.limits : undefined;
    return {
      accountId: user.accountId,
      actor: { ...actor, ...(mayPropose && { limits: { ...limits, propose: true } }) },
      scope: mayPropose ? 'WRITE' : 'READ',
    };
  }

  private async asksSecondFactor({ personId, role }: UserState): Promise<boolean> {
    return needsSecondFactor(this.rule, role) || hasSecondFactor(await this.factors.ofUser(personId));
  }
}
