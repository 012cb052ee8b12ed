import type { RegistryPort } from '../../src/application/ports/registry-port';
import { DomainName } from '../../src/domain/registration/domain-name';
import { Nameservers } from '../../src/domain/registration/nameservers';
import type { Registrant } from '../../src/domain/registration/registrant';
import { RegistrationTerm } from '../../src/domain/registration/registration-term';
import { addYears, sameDay } from '../../src/domain/shared/calendar';
import { times } from '../../src/domain/shared/money';

export interface RegistryUnderTest {
  readonly registry: RegistryPort;
  /** The same registry after a restart of ours. */
  reopen(): Promise<RegistryPort>;
  close(): Promise<void>;
}

export const REGISTRANT: Registrant = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
export const HOSTS = Nameservers.of(['ns1.example.net', 'ns2.example.net']);

let serial = 0;
export const freshName = () => DomainName.parse(`contract-${(serial += 1)}.com`);
export const freshId = () => `contract-${(serial += 1)}`;
export const years = (count: number) => RegistrationTerm.ofYears(count);

/** Registers `name` at its price. */
export async function register(registry: RegistryPort, name: DomainName, term = 1, transactionId = freshId()) {
  const { registration } = await registry.price(name);
  return registry.register({ name, term: years(term), registrant: REGISTRANT, nameservers: HOSTS, price: times(registration, term), transactionId });
}

/** What every implementation of `RegistryPort` must do, whatever stands behind it. */
export function registryContract(title: string, open: () => Promise<RegistryUnderTest>): void {
  describe(title, () => {
    let subject: RegistryUnderTest;
    let registry: RegistryPort;

    beforeAll(async () => {
      subject = await open();
      registry = subject.registry;
    }, 60_000);
    afterAll(() => subject.close());

    it('answers a check in the order asked, and sells nothing under an unknown TLD', async () => {
      const taken = freshName();
      await register(registry, taken);
      const names = [freshName(), taken, DomainName.parse('some.unknowntld')];

      const answers = await registry.check(names);

      expect(answers.map(({ name, available }) => [name.value, available])).toEqual([[names[0]?.value, true], [taken.value, false], ['some.unknowntld', false]]);
      expect(answers.map(({ price }) => price !== undefined)).toEqual([true, false, false]);
    });

    it('registers a name locked, delegated, and for the term asked', async () => {
      const name = freshName();

      const registered = await register(registry, name, 3);

      expect(registered).toMatchObject({ ours: true, createdByUs: true, transferLocked: true, nameservers: HOSTS.hosts });
      expect(sameDay(registered.expiresAt, addYears(registered.createdAt, 3))).toBe(true);
      expect(await registry.info(name)).toEqual(registered);
    });

    it('refuses to register a name twice', async () => {
      const name = freshName();
      await register(registry, name);

      await expect(register(registry, name)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED', reason: 'unavailable' });
    });

    it('refuses another price than its own, and registers nothing', async () => {
      const name = freshName();
      const price = { minor: 1, currency: 'USD' };

      const attempt = registry.register({ name, term: years(1), registrant: REGISTRANT, nameservers: HOSTS, price, transactionId: freshId() });

      await expect(attempt).rejects.toMatchObject({ reason: 'price_changed' });
      expect(await registry.info(name)).toBeUndefined();
    });

    it('renews from the expiry quoted, and refuses the repetition', async () => {
      const name = freshName();
      const { expiresAt } = await register(registry, name);

      const renewed = await registry.renew(name, expiresAt, years(2), freshId());

      expect(sameDay(renewed.expiresAt, addYears(expiresAt, 2))).toBe(true);
      await expect(registry.renew(name, expiresAt, years(2), freshId())).rejects.toMatchObject({ reason: 'expiry_differs' });
      expect(await registry.info(name)).toEqual(renewed);
    });

    it('refuses a renewal past ten years from now', async () => {
      const name = freshName();
      const { expiresAt } = await register(registry, name);

      await expect(registry.renew(name, expiresAt, years(10), freshId())).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    });

    it('sets the transfer lock, and takes the repetition for success', async () => {
      const name = freshName();
      await register(registry, name);

      await registry.setTransferLock(name, false, freshId());
      const again = await registry.setTransferLock(name, false, freshId());

      expect(again.transferLocked).toBe(false);
      await registry.setRegistrant(name, { ...REGISTRANT, firstName: 'Grace' }, freshId());
    });

    it('issues another auth code each time, with an end in the future', async () => {
      const name = freshName();
      const { createdAt } = await register(registry, name);

      const first = await registry.issueAuthCode(name, freshId());
      const second = await registry.issueAuthCode(name, freshId());

      expect(second.code).not.toBe(first.code);
      expect(second.expiresAt.getTime()).toBeGreaterThan(createdAt.getTime());
    });

    it('refuses changes to a name that nobody holds', async () => {
      const name = freshName();

      expect(await registry.info(name)).toBeUndefined();
      await expect(registry.setTransferLock(name, true, freshId())).rejects.toMatchObject({ reason: 'not_held' });
      await expect(registry.renew(name, new Date(), years(1), freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });

    it('remembers over a restart of ours', async () => {
      const name = freshName();
      const registered = await register(registry, name);

      registry = await subject.reopen();

      expect(await registry.info(name)).toEqual(registered);
    });
  });
}
