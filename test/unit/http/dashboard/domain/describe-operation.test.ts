import { Operation } from '../../../../../src/domain/registration/operations/operation';
import { describeResult } from '../../../../../src/http/dashboard/domain/operations/describe-operation';

const usd = (minor: number) => ({ minor, currency: 'USD' });
const AT = new Date('2026-02-01T12:00:00Z');

describe('the result of an operation in the dashboard', () => {
  it.each([
    [undefined, 'The registry did not report what it charged. The agreed price is $10.44.'],
    [{ charged: usd(9_00) }, 'The registry charged $9.00.'],
    [{ charged: usd(10_44) }, undefined],
  ])('says what is known of the charge: %j', (outcome, expected) => {
    const operation = Operation.queue(
      {
        id: 'op_1',
        accountId: 'acc_1',
        domainId: 'dom_1',
        actor: { kind: 'service' },
        request: { kind: 'register', years: 1, price: usd(10_44) },
      },
      AT,
    );

    operation.succeed(AT, outcome);

    expect(describeResult(operation.toState())).toBe(expected);
  });
});
