import { createSecretKey } from 'node:crypto';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { openAccount } from '../../../src/domain/access/account';
import { AesSecretBox } from '../../../src/infrastructure/system/aes-secret-box';
import { OURS, type UseCaseContext } from './use-case-context';

export const KEY_PREFIX = 'nw';
export const SECRET_BOX = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));

export function issueApiKey({ storage, keys, clock }: UseCaseContext): IssueApiKey {
  return new IssueApiKey(storage, keys, clock, { next: () => Buffer.alloc(32, 7) }, SECRET_BOX);
}

/** Opens our account. */
export async function givenAccount({ storage, clock }: UseCaseContext): Promise<void> {
  await storage.run(({ accounts }) => accounts.add(openAccount(OURS.accountId, 'Ours', clock.now())));
}
