import { Webhook } from 'standardwebhooks';
import type { ReceivedRequest } from './receiver';

/** What the request says, if it is signed with the secret, by the reference implementation. @throws if it is not */
export function verified(secret: string, { body, headers }: Pick<ReceivedRequest, 'body' | 'headers'>): unknown {
  return new Webhook(secret).verify(body, headers);
}
