import { DomainName } from '../../../src/domain/shared/domain-name';
import { Transfer } from '../../../src/domain/registration/transfers/transfer';
import type { NewTransfer } from '../../../src/domain/registration/transfers/transfer-state';
import { A_REGISTRANT } from './a-domain';

/** A queued transfer of example.com for one year. */
export function aTransfer(
  { name = 'example.com', ...overrides }: Partial<Omit<NewTransfer, 'name'>> & { readonly name?: string } = {},
  now = new Date('2026-01-01T00:00:00.000Z'),
): Transfer {
  return Transfer.request(
    {
      id: 'tr_1',
      accountId: 'acc_1',
      actor: { kind: 'key', id: 'AbC-dEf_0123' },
      name: DomainName.fromState(name),
      years: 1,
      price: { minor: 1_044, currency: 'USD' },
      registrant: A_REGISTRANT,
      autoRenew: true,
      sealedAuthCode: 'v1.sealed',
      formerExpiry: null,
      ...overrides,
    },
    now,
  );
}
