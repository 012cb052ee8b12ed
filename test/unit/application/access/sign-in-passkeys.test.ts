import { createSecretKey } from 'node:crypto';
import { PasskeyChallenges } from '../../../../src/application/access/second-factor/passkey-challenges';
import { Passkeys } from '../../../../src/application/access/second-factor/passkeys';
import { RecoveryCodes } from '../../../../src/application/access/second-factor/recovery-codes';
import { RemoveFactors } from '../../../../src/application/access/second-factor/remove-factors';
import type { PasskeyCeremonies } from '../../../../src/application/ports/access/authentication';
import type { User } from '../../../../src/domain/access/people/user';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { givenPerson, givenSession } from '../../../support/use-cases/people';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const RELYING_PARTY = { id: 'names.example.com', origin: 'https://names.example.com' };
const NO_PROVIDERS = { all: [] };
const FIVE_MINUTES_MS = 300_000;

/** Responses are `{ id, challenge, counter, verifiedUser }`, without signatures. */
class PlainCeremonies implements PasskeyCeremonies {
  async registrationOptions({ challenge }: { challenge: string }) {
    return { challenge };
  }

  async authenticationOptions({ challenge, userVerification }: { challenge: string; userVerification: string }) {
    return { challenge, userVerification };
  }

  async verifyRegistration({ response, challenge }: { response: string; challenge: string }) {
    const given = JSON.parse(response) as { id: string; challenge: string };
    if (given.challenge !== challenge) return undefined;
    return { id: given.id, publicKey: 'key', counter: 0, transports: [] };
  }

  credentialIdOf(response: string) {
    return (JSON.parse(response) as { id: string }).id;
  }

  async verifyAuthentication({
    response,
    challenge,
    requireUserVerification,
  }: Parameters<PasskeyCeremonies['verifyAuthentication']>[0]) {
    const given = JSON.parse(response) as { challenge: string; counter: number; verifiedUser: boolean };
    const isValid = given.challenge === challenge && (given.verifiedUser || !requireUserVerification);
    return isValid ? given.counter : undefined;
  }
}

const challengeOf = ({ options }: { options: object }) => (options as { challenge: string }).challenge;

describe('sign-in with passkeys', () => {
  let around: UseCaseContext;
  let passkeys: Passkeys;
  let person: User;

  beforeEach(async () => {
    around = new UseCaseContext();
    const { storage, tokens, clock } = around;
    const box = new AesSecretBox(createSecretKey(Buffer.alloc(32, 7)));
    const challenges = new PasskeyChallenges(storage, tokens, box, clock);
    const recoveryCodes = new RecoveryCodes(storage, tokens, clock);
    passkeys = new Passkeys(storage, storage.factors, new PlainCeremonies(), challenges, recoveryCodes, clock);
    person = await givenPerson(around);
    for (const digest of ['mine', 'another browser']) await givenSession(around, person.id, digest);
  });

  async function add(id: string, user = person) {
    const prompt = await passkeys.offer(RELYING_PARTY, user.toState());
    const response = JSON.stringify({ id, challenge: challengeOf(prompt) });
    const command = { relyingParty: RELYING_PARTY, sealed: prompt.sealed, response };
    return passkeys.add({ ...command, userId: user.id, name: 'laptop', keepSession: 'mine' });
  }

  async function respond(id: string, facts: { personId?: string; counter?: number; verifiedUser?: boolean } = {}) {
    const { personId, counter = 0, verifiedUser = true } = facts;
    const isOnlyFactor = personId === undefined;
    const prompt = await passkeys.prompt(RELYING_PARTY, { isOnlyFactor, ...(personId !== undefined && { personId }) });
    return {
      relyingParty: RELYING_PARTY,
      sealed: prompt.sealed,
      response: JSON.stringify({ id, counter, verifiedUser, challenge: challengeOf(prompt) }),
      isOnlyFactor,
      ...(personId !== undefined && { personId }),
    };
  }

  const refusal = { code: 'VALIDATION_ERROR', issues: [{ path: 'passkey' }] };
  const actions = () => [...around.storage.tables.audit.values()].map(({ action }) => action);

  it('adds a passkey, returns recovery codes with the first one, and ends other sessions', async () => {
    expect(await add('one')).toHaveLength(10);
    expect(await add('two')).toEqual([]);

    expect([...around.storage.tables.sessions.keys()]).toEqual(['mine']);
    expect(actions()).toEqual(['user.passkey_added', 'user.recovery_codes_created', 'user.passkey_added']);
    await expect(add('one')).rejects.toMatchObject(refusal);
  });

  it('opens the account of its user, and accepts a counter that stays 0', async () => {
    await add('one');

    expect((await passkeys.verify(await respond('one'))).id).toBe(person.id);
    expect((await passkeys.verify(await respond('one'))).id).toBe(person.id);

    await expect(passkeys.verify(await respond('unknown'))).rejects.toMatchObject(refusal);
  });

  it('stores the counter', async () => {
    await add('one');

    await passkeys.verify(await respond('one', { counter: 7 }));

    expect(await around.storage.factors.passkey('one')).toMatchObject({ counter: 7, lastUsedAt: around.clock.now() });
  });

  it('must verify the user if it is the only factor, and need not after the password', async () => {
    await add('one');

    await expect(passkeys.verify(await respond('one', { verifiedUser: false }))).rejects.toMatchObject(refusal);

    const second = await respond('one', { personId: person.id, verifiedUser: false });
    expect((await passkeys.verify(second)).id).toBe(person.id);
  });

  it('is not a second factor of another user', async () => {
    const other = await givenPerson(around, { email: 'other@example.com' });
    await add('one');

    await expect(passkeys.verify(await respond('one', { personId: other.id }))).rejects.toMatchObject(refusal);
  });

  it('uses a challenge once, for one purpose, and for five minutes', async () => {
    await add('one');
    const used = await respond('one');
    await passkeys.verify(used);
    const late = await respond('one');
    const forAnotherStep = await respond('one', { personId: person.id });

    await expect(passkeys.verify(used)).rejects.toMatchObject(refusal);
    await expect(passkeys.verify({ ...late, personId: person.id })).rejects.toMatchObject(refusal);
    const { personId: _personId, ...asOnlyFactor } = forAnotherStep;
    await expect(passkeys.verify({ ...asOnlyFactor, isOnlyFactor: true })).rejects.toMatchObject(refusal);
    around.clock.advance({ ms: FIVE_MINUTES_MS });
    await expect(passkeys.verify(late)).rejects.toMatchObject(refusal);
  });

  it('uses up the challenge of a response that is refused', async () => {
    await add('one');
    const { response, ...rest } = await respond('one');
    const wrong = JSON.stringify({ ...(JSON.parse(response) as object), challenge: 'another' });
    await expect(passkeys.verify({ ...rest, response: wrong })).rejects.toMatchObject(refusal);

    await expect(passkeys.verify({ ...rest, response })).rejects.toMatchObject(refusal);
  });

  it('cannot be removed as the last factor while one is required, and takes the recovery codes with it otherwise', async () => {
    await add('one');
    await add('two');
    const strict = new RemoveFactors(around.storage, 'owners', NO_PROVIDERS, around.clock);
    await strict.removePasskey(person.id, 'one');
    await expect(strict.removePasskey(person.id, 'two')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await around.storage.factors.ofUser(person.id)).passkeys).toHaveLength(1);

    await new RemoveFactors(around.storage, 'none', NO_PROVIDERS, around.clock).removePasskey(person.id, 'two');

    expect(await around.storage.factors.ofUser(person.id)).toEqual({ totp: undefined, passkeys: [], recoveryCodes: 0 });
  });

  it('cannot be removed as the only way to sign in, for which a provider that is not configured does not count', async () => {
    const issuer = 'https://login.example';
    const provider = { id: 'acme', name: 'ACME', issuer: `${issuer}/`, invitations: true };
    const owner = await givenPerson(around, { passwordHash: null });
    const personId = owner.id;
    await add('one', owner);
    const at = around.clock.now();
    const identity = { issuer, subject: '1', personId, name: 'A', createdAt: at, lastUsedAt: null };
    await around.storage.run(({ identities }) => identities.add(identity));

    await expect(
      new RemoveFactors(around.storage, 'none', NO_PROVIDERS, around.clock).removePasskey(personId, 'one'),
    ).rejects.toMatchObject({ issues: [{ path: 'factor', message: 'is your only way to sign in' }] });
    expect((await around.storage.factors.ofUser(personId)).passkeys).toHaveLength(1);
    await new RemoveFactors(around.storage, 'none', { all: [provider] }, around.clock).removePasskey(personId, 'one');

    expect((await around.storage.factors.ofUser(personId)).passkeys).toEqual([]);
  });
});
