import { randomUUID } from 'node:crypto';
import { OwnIdentities } from '../../../src/application/access/identities/own-identities';
import { VerifySecondFactor } from '../../../src/application/access/second-factor/verify-second-factor';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { IdentityReader } from '../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { Clock } from '../../../src/application/ports/system';
import { OPERATOR } from '../../../src/domain/access/actor';
import { recoveryCodeDigest } from '../../../src/domain/access/factors/recovery-code';
import { identityId } from '../../../src/domain/access/people/identity';
import { onBothDatabases } from '../../support/databases/databases';

const ROUNDS = Array.from({ length: 8 }, (_, index) => index);
const ISSUER = 'https://login.example';

onBothDatabases(
  'a person with two users who act at the same time',
  (service) => {
    const unitOfWork = () => service().container.get(UnitOfWork);

    const invite = async () => {
      const invitation = { accountId: await service().account(), actor: OPERATOR, role: 'manager' } as const;
      const email = `${randomUUID()}@example.com`;
      return (
        await service()
          .container.get(InviteUser)
          .execute({ ...invitation, email })
      ).user;
    };
    /** Without a password. */
    async function aPerson() {
      const at = new Date();
      const [first, second] = [await invite(), await invite()];
      first.link(at);
      second.joinPerson(first.toState(), at);
      await unitOfWork().run(async ({ users }) => {
        for (const user of [first, second]) await users.save(user);
      });
      return { personId: first.toState().personId, first: first.id, second: second.id };
    }

    it('uses a recovery code once', async () => {
      const { personId, ...users } = await aPerson();
      const codes = ROUNDS.map((round) => `recovery code ${round}`);
      const digests = codes.map((code) => recoveryCodeDigest(personId, code.replace(/\s/g, '')));
      await unitOfWork().run(({ factors }) => factors.replaceRecoveryCodes(personId, digests));
      const verify = service().container.get(VerifySecondFactor);

      for (const code of codes) {
        const entering = Object.values(users).map((userId) => verify.execute({ userId, code }));
        const statuses = (await Promise.allSettled(entering)).map(({ status }) => status);
        expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
      }
    });

    it('cannot unlink the last two providers', async () => {
      const { personId, first, second } = await aPerson();
      const [one, other] = ['one', 'other'].map((subject) => ({ issuer: ISSUER, subject, name: 'A', personId }));
      const provider = { id: 'a', name: 'A', issuer: ISSUER, invitations: false };
      const { container } = service();
      const own = new OwnIdentities(
        unitOfWork(),
        { all: [provider] },
        container.get<Clock>(Clock),
        container.get<IdentityReader>(IdentityReader),
      );
      const reader = service().container.get<IdentityReader>(IdentityReader);
      const unlink = (userId: string, identity: typeof one) =>
        own.unlink({ userId, id: identityId(identity!), keepSession: '' });

      for (const round of ROUNDS) {
        await unitOfWork().run(async ({ identities }) => {
          await identities.removeAll(personId);
          for (const identity of [one, other])
            await identities.add({ ...identity!, createdAt: new Date(round), lastUsedAt: null });
        });
        await Promise.allSettled([unlink(first, one), unlink(second, other)]);
        expect(await reader.ofPersons([personId])).toHaveLength(1);
      }
    });
  },
  { SIGN_IN_ATTEMPTS: '0' },
);
