import { inject, injectable } from '../../ports/inject';
import { parseDisplayName } from '../../../domain/access/account';
import type { User, UserState } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { PasskeyCeremonies, type RelyingParty, FactorReader } from '../../ports/access/authentication';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { PasskeyChallenges } from './passkey-challenges';
import { lockPersonOf } from '../users/lock-person-of';
import { RecoveryCodes } from './recovery-codes';

/** What a page needs for a ceremony in the browser. */
export interface PasskeyPrompt {
  /** JSON for `navigator.credentials`. */
  readonly options: object;
  /** The challenge for the form, sealed. */
  readonly sealed: string;
}

interface Response {
  readonly relyingParty: RelyingParty;
  readonly sealed: string;
  /** JSON of the browser's credential. */
  readonly response: string;
}

const MAX_PASSKEYS = 20;
const FIRST_FACTOR = 'sign-in';

/** Adds passkeys and verifies them. */
@injectable()
export class Passkeys {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'factors' | 'sessions' | 'users'>,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(PasskeyCeremonies) private readonly ceremonies: PasskeyCeremonies,
    @inject(PasskeyChallenges) private readonly challenges: PasskeyChallenges,
    @inject(RecoveryCodes) private readonly recoveryCodes: RecoveryCodes,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async offer(
    relyingParty: RelyingParty,
    { id, personId, email }: Pick<UserState, 'id' | 'personId' | 'email'>,
  ): Promise<PasskeyPrompt> {
    const { challenge, sealed } = this.challenges.create(`add ${id}`);
    const { passkeys } = await this.factors.ofUser(personId);
    const user = { id: personId, email };
    return { sealed, options: await this.ceremonies.registrationOptions({ relyingParty, user, passkeys, challenge }) };
  }

  /** Returns new recovery codes, unless the user has some. Other sessions end. @throws ValidationError naming `name` or `passkey` */
  async add({
    userId,
    name: text,
    keepSession,
    ...given
  }: Response & {
    readonly userId: string;
    readonly name: string;
    /** Digest of the session that stays. */
    readonly keepSession: string;
  }): Promise<readonly string[]> {
    const name = parseDisplayName(text);
    const { relyingParty, response } = given;
    const challenge = await this.challenges.use(given.sealed, `add ${userId}`);
    const added =
      challenge === undefined
        ? undefined
        : await this.ceremonies.verifyRegistration({ relyingParty, response, challenge });
    if (!added) throw refused();
    const at = this.clock.now();
    return this.unitOfWork.run(async ({ audit, factors, sessions, users }) => {
      const user = await lockPersonOf({ users }, userId);
      const { personId } = user.toState();
      const { codes, digests } = this.recoveryCodes.create(personId);
      const before = await factors.ofUser(personId);
      if (before.passkeys.length >= MAX_PASSKEYS)
        throw ValidationError.of('passkey', `cannot be added: you have ${MAX_PASSKEYS}, which is the limit`);
      if (!(await factors.addPasskey({ ...added, userId: personId, name, createdAt: at, lastUsedAt: null })))
        throw refused();
      if (before.recoveryCodes === 0) await factors.replaceRecoveryCodes(personId, digests);
      await sessions.endOthers(userId, keepSession);
      await sessions.recordSecondFactor(keepSession, at);
      const change = { at, actor: { kind: 'user', id: userId }, user: user.toState() } as const;
      await audit.append(userChanged({ ...change, action: 'user.passkey_added' }));
      if (before.recoveryCodes > 0) return [];
      await audit.append(userChanged({ ...change, action: 'user.recovery_codes_created' }));
      return codes;
    });
  }

  /** For a sign-in with nothing but a passkey, which must verify the user; with `personId`, for a step of that person. */
  async prompt(
    relyingParty: RelyingParty,
    { personId, isOnlyFactor }: { readonly personId?: string; readonly isOnlyFactor: boolean },
  ): Promise<PasskeyPrompt> {
    const { challenge, sealed } = this.challenges.create(personId ?? FIRST_FACTOR);
    const passkeys = personId === undefined ? [] : (await this.factors.ofUser(personId)).passkeys;
    const userVerification = isOnlyFactor ? 'required' : 'preferred';
    const options = await this.ceremonies.authenticationOptions({
      relyingParty,
      passkeys,
      challenge,
      userVerification,
    });
    return { options, sealed };
  }

  /** The oldest user of the passkey's person. With `personId`, it must be that person. @throws ValidationError naming `passkey` */
  async verify({
    personId,
    isOnlyFactor,
    ...given
  }: Response & { readonly personId?: string; readonly isOnlyFactor: boolean }): Promise<User> {
    const { relyingParty, response } = given;
    const challenge = await this.challenges.use(given.sealed, personId ?? FIRST_FACTOR);
    const id = this.ceremonies.credentialIdOf(response);
    const passkey = id === undefined ? undefined : await this.factors.passkey(id);
    if (challenge === undefined || !passkey || (personId !== undefined && passkey.userId !== personId)) throw refused();
    const requireUserVerification = isOnlyFactor;
    const command = { relyingParty, response, challenge, passkey, requireUserVerification };
    const counter = await this.ceremonies.verifyAuthentication(command);
    if (counter === undefined) throw refused();
    return this.unitOfWork.run(async ({ factors, users }) => {
      const [user] = await users.lockPerson(passkey.userId);
      if (!user || !(await factors.recordPasskeyUse(passkey, counter, this.clock.now()))) throw refused();
      return user;
    });
  }
}

function refused(): ValidationError {
  return ValidationError.of('passkey', 'was not accepted, or the page was open for more than five minutes. Try again');
}
