import { isIssuedBy } from '../../../domain/access/people/identity';
import type { UserState } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { IdentityProviders } from '../../ports/access/authentication';
import type { Stores } from '../../ports/storage/unit-of-work';

/** @throws ValidationError naming `field` if the person has no password, no passkey and no account at a configured provider */
export async function assertCanSignIn(
  { factors, identities }: Pick<Stores, 'factors' | 'identities'>,
  { personId, passwordHash }: UserState,
  { all }: Pick<IdentityProviders, 'all'>,
  field: string,
): Promise<void> {
  if (passwordHash !== null || (await factors.ofUser(personId)).passkeys.length > 0) return;
  const known = await identities.ofPerson(personId);
  if (!known.some((identity) => all.some((provider) => isIssuedBy(identity, provider))))
    throw ValidationError.of(field, 'is your only way to sign in');
}
