import {
  closeScenarios,
  openScenario,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const at = (day: string) => new Date(`${day}T00:00:00.000Z`);

describe('an order for a domain of a restored backup', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const renew = (currentExpiry?: Date) =>
    scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', ...(currentExpiry && { currentExpiry }) });
  const stored = () => around.storage.tables.domains.get('dom_1');
  const given = async (hours: number, expiresAt = at('2027-01-01')) => {
    const repeatsUntil = new Date(around.clock.now().getTime() + hours * 3_600_000);
    await around.givenDomain({ expiresAt, inBackup: { expiresAt: at('2027-01-01'), repeatsUntil } });
  };

  beforeEach(() => {
    ({ around, scenario } = openScenario());
  });
  afterEach(() => closeScenarios(around, scenario));

  it('adopts a renewal that the backup lacks, and is refused instead of being charged for a second one', async () => {
    await given(24);
    around.registry.hold('example.com', { expiresAt: at('2028-01-01') });

    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(renew()).rejects.toMatchObject({
        reason: 'expiry_differs',
        details: expect.stringContaining('send its current_expiry, 2028-01-01'),
      });

    expect(stored()?.expiresAt).toEqual(at('2028-01-01'));
    expect(around.registry.charges).toEqual([]);
  });

  it('is refused with the expiry of the backup, and executed with that of the registry', async () => {
    await given(24);
    around.registry.hold('example.com', { expiresAt: at('2028-01-01') });

    await expect(renew(at('2027-01-01'))).rejects.toMatchObject({
      details: expect.stringContaining('The current expiry is 2028-01-01, not 2027-01-01'),
    });
    await renew(at('2028-01-01'));

    expect(stored()?.expiresAt).toEqual(at('2029-01-01'));
    expect(around.registry.charges).toHaveLength(1);
  });

  it('stays refused without an expiry after a renewal that named one, because the lost request may still be repeated', async () => {
    await given(24);
    around.registry.hold('example.com', { expiresAt: at('2028-01-01') });
    await renew(at('2028-01-01'));

    await expect(renew()).rejects.toMatchObject({ reason: 'expiry_differs' });
  });

  it('is executed, and so is the next one, if the registry has the expiry of the backup', async () => {
    await given(24);

    await renew();
    await renew();

    expect(stored()?.expiresAt).toEqual(at('2029-01-01'));
  });

  it('is not accepted before the registry has responded', async () => {
    await given(24);
    around.registry.next('info').isUnreachable();

    await expect(renew()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(around.storage.tables.operations.size).toBe(0);
  });

  it('needs no expiry once the Idempotency-Keys from after the backup are over', async () => {
    await given(0, at('2028-01-01'));
    around.registry.hold('example.com', { expiresAt: at('2028-01-01') });

    await renew();

    expect(stored()?.expiresAt).toEqual(at('2029-01-01'));
  });

  it('is a conflict if it is a restore from redemption of a domain that was restored after the backup', async () => {
    const repeatsUntil = new Date(around.clock.now().getTime() + 3_600_000);
    await around.givenDomain({ status: 'redemption', inBackup: { expiresAt: at('2027-01-01'), repeatsUntil } });
    around.registry.hold('example.com', { expiresAt: at('2027-01-01'), phase: 'registered' });

    await expect(scenario.restoreDomain.execute({ ...OURS, domainId: 'dom_1' })).rejects.toMatchObject({
      code: 'DOMAIN_STATUS_CONFLICT',
    });

    expect(stored()?.status).toBe('active');
    expect(around.registry.charges).toEqual([]);
  });
});
