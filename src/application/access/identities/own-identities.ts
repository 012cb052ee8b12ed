import { inject, injectable } from '../../ports/inject';
import { identityId, type Identity } from '../../../domain/access/people/identity';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { IdentityProviders, type Assertion } from '../../ports/access/authentication';
import { IdentityReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { lockPersonOf } from '../users/lock-person-of';
import { assertCanSignIn } from './assert-can-sign-in';

/** The accounts at providers that the signed-in person is linked with. */
@injectable()
export class OwnIdentities {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'factors' | 'identities' | 'sessions' | 'users'>,
    @inject(IdentityProviders) private readonly providers: Pick<IdentityProviders, 'all'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(IdentityReader) private readonly identities: IdentityReader,
  ) {}

  /** Oldest first. */
  list(personId: string): Promise<readonly Identity[]> {
    return this.identities.ofPersons([personId]);
  }

  async has(personId: string, identity: Pick<Identity, 'issuer' | 'subject'>): Promise<boolean> {
    return (await this.identities.find(identityId(identity)))?.personId === personId;
  }

  /** Repeating it changes nothing. @throws ValidationError if another person has the identity */
  async link(userId: string, { issuer, subject, name }: Assertion): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.run(async ({ audit, identities, users }) => {
      const user = await lockPersonOf({ users }, userId);
      const { personId } = user.toState();
      const own = (await identities.ofPerson(personId)).some(
        (each) => each.issuer === issuer && each.subject === subject,
      );
      if (own) return;
      if (!(await identities.add({ issuer, subject, name, personId, createdAt: at, lastUsedAt: null })))
        throw ValidationError.of('identity', 'belongs to another user of this service');
      const actor = { kind: 'user', id: userId } as const;
      await audit.append(userChanged({ at, actor, action: 'user.identity_linked', user: user.toState() }));
    });
  }

  /** Ends the person's other sessions, which may be those of the identity. @throws ValidationError if the person could not sign in without it */
  async unlink({
    userId,
    id,
    keepSession,
  }: {
    readonly userId: string;
    readonly id: string;
    /** Digest of the session that stays. */
    readonly keepSession: string;
  }): Promise<void> {
    await this.unitOfWork.run(async (stores) => {
      const user = (await lockPersonOf(stores, userId)).toState();
      if (!(await stores.identities.remove(user.personId, id))) return;
      await assertCanSignIn(stores, user, this.providers, 'identity');
      await stores.sessions.endOthers(userId, keepSession);
      const actor = { kind: 'user', id: userId } as const;
      const at = this.clock.now();
      await stores.audit.append(userChanged({ at, actor, action: 'user.identity_unlinked', user }));
    });
  }
}
