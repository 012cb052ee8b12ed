import type { RegistryDomain } from '../../../../src/application/ports/registry/registry-port';
import { shownTransfer } from '../../../../src/http/api/resources/registration/transfers';
import { addYears } from '../../../../src/domain/shared/time/calendar';
import { pass } from '../../../support/use-cases/registration-scenario';
import { CODE, COMMAND, HOUR_MS, NAME, TransferScenario } from '../../../support/use-cases/transfer-scenario';

describe('the years of a completed transfer', () => {
  let transfer: TransferScenario;

  beforeEach(() => {
    transfer = new TransferScenario();
  });
  afterEach(() => transfer.close());

  /** Transfers the name with these facts; afterwards the registry has `expiresAt`. */
  async function years(facts: Partial<RegistryDomain>, expiresAt?: Date): Promise<unknown> {
    const { registry } = transfer.around;
    registry.holdElsewhere(NAME, CODE, facts);
    await transfer.scenario.requestTransfer.execute(COMMAND);
    await pass(transfer.around, 1_000);
    const [pending] = transfer.transfers();
    expect(pending && shownTransfer(pending)).toMatchObject({ state: 'pending', years: 1 });
    registry.endTransfer(NAME, 'completed');
    if (expiresAt) registry.hold(NAME, { expiresAt });
    await pass(transfer.around, HOUR_MS);
    const [done] = transfer.transfers();
    expect(done?.status).toBe('completed');
    return done && (shownTransfer(done) as { readonly years: unknown }).years;
  }

  const now = () => transfer.around.clock.now();

  it('are those by which the expiry moved', async () => {
    expect(await years({})).toBe(1);
  });

  it('are 0 at the ten-year limit', async () => {
    const limit = addYears(now(), 10);

    expect(await years({ createdAt: addYears(now(), -1), expiresAt: limit }, limit)).toBe(0);
  });

  it('do not count the automatic renewal that the transfer undoes', async () => {
    const renewed = addYears(now(), 1);

    expect(
      await years({ createdAt: addYears(now(), -1), phase: 'auto_renew_grace', expiresAt: renewed }, renewed),
    ).toBe(1);
  });

  it('are known at a registry that shows the expiry with the auth code only', async () => {
    transfer.around.registry.hideDatesElsewhere();

    expect(await years({})).toBe(1);
  });

  it('are unknown if the registry did not show the expiry before', async () => {
    expect(await years({ createdAt: new Date(0), expiresAt: new Date(0) }, addYears(now(), 1))).toBeNull();
  });
});
