import { OtherCurrency, unsupportedBy } from '../../../../src/application/ports/registry/registry-errors';
import { diagnoseRegistry } from '../../../../src/infrastructure/registry/doctor/registry-doctor';
import { createRegistryContext } from '../../../../src/testing/create-registry-context';
import { publicCase } from '../../../support/data/public-cases';

const [, OURS = '', THEIRS = ''] = /^CURRENCY=(\w+) .* charges (\w+):/.exec(publicCase('53-currency.txt')) ?? [];
const chargeInAnother = async () => Promise.reject(new OtherCurrency(THEIRS, OURS));
const refuse = async () => Promise.reject(unsupportedBy('The registry', 'this'));

describe('registry doctor', () => {
  it.each([
    ['reports a password that the registry says will end, and how to change it', new Date('2026-12-01T09:00:00Z'), 1],
    ['reports no password without a warning of the registry', undefined, 0],
  ])('%s', async (_what, passwordUntil, count) => {
    const context = createRegistryContext({ settings: {}, tlds: ['com'] });
    const running = {
      port: { list: refuse, check: refuse, policies: () => [] },
      sessions: () => ({ busy: 0, idle: 1, passwordUntil }),
      close: async () => undefined,
    };

    const findings = await diagnoseRegistry({ ...context, factory: async () => running } as never, context);

    const found = findings.filter(({ check }) => check === 'password');
    expect(found).toHaveLength(count);
    for (const { outcome, detail, fix } of found)
      expect([outcome, detail, fix]).toEqual([
        'failed',
        expect.stringContaining('2026-12-01'),
        expect.stringContaining(`registry password ${context.name}`),
      ]);
  });

  it('names both currencies of a registry that charges in another one, and the setting that mends it', async () => {
    const context = createRegistryContext({ settings: {}, tlds: ['com'] });
    const running = {
      port: { list: refuse, check: chargeInAnother, policies: () => [] },
      close: async () => undefined,
    };

    const findings = await diagnoseRegistry({ ...context, factory: async () => running } as never, context);

    expect(findings.find(({ check: checked }) => checked === 'availability')).toEqual({
      check: 'availability',
      outcome: 'failed',
      detail: 'The registry charges in USD, and CURRENCY is JPY',
      fix: 'set CURRENCY=USD, or use an account that is charged in another currency',
    });
  });
});
