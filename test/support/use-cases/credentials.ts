import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { openAccount } from '../../../src/domain/access/account';
import { OURS, type Surroundings } from './surroundings';

export const KEY_PREFIX = 'nw';

export function issueApiKey({ storage, keys, clock }: Surroundings): IssueApiKey {
  return new IssueApiKey(storage, keys, clock, KEY_PREFIX);
}

/** Opens our account. */
export async function givenAccount({ storage, clock }: Surroundings): Promise<void> {
  await storage.run(({ accounts }) => accounts.add(openAccount(OURS.accountId, 'Ours', clock.now())));
}
