import { DomainName } from '../../../src/domain/shared/domain-name';
import { addYears, sameDay } from '../../../src/domain/shared/time/calendar';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import type { RegistryAdapter, RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import { freshId, freshName, HOSTS, REGISTRANT, years } from '../../../src/testing/registry-fixtures';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';

const usd = (minor: number) => ({ minor, currency: 'USD' });

let sandbox: SandboxRegistry;
let running: RunningRegistry;
let registry: RegistryAdapter;

beforeAll(async () => {
  sandbox = await startSandboxRegistry();
  const { id, password } = sandbox.registrars.first;
  const settings = {
    host: sandbox.host,
    port: sandbox.port,
    ca: sandbox.certificate.certificate,
    client_id: id,
    password,
  };
  const context = createRegistryContext({ settings, tlds: ['xyz', 'me', 'dev'] });
  running = await startEpp({ ...context, tlds: [...context.tlds, { suffix: 'ai', years: { min: 2, max: 10 } }] });
  registry = running.port;
});
afterAll(async () => {
  await running.close();
  const faults = await sandbox.faults();
  await sandbox.stop();
  expect(faults).toEqual([]);
});

const registered = (name: DomainName, count: number, minor: number) =>
  registry.register({
    name,
    term: years(count),
    registrant: REGISTRANT,
    nameservers: HOSTS,
    price: usd(minor),
    transactionId: freshId(),
  });
const price = async (name: DomainName, count?: number) =>
  (await registry.check([name], count === undefined ? undefined : years(count)))[0]?.price?.registration;

describe('prices of terms over EPP', () => {
  it('are the fees of the term, not a multiple of one year, and are charged as quoted', async () => {
    const name = freshName('xyz');

    expect([await price(name), await price(name, 1), await price(name, 2)]).toEqual([usd(2_04), usd(2_04), usd(15_02)]);
    await expect(registered(name, 2, 4_08)).rejects.toMatchObject({ reason: 'price_changed' });
    const { charged, createdAt, expiresAt } = await registered(name, 2, 15_02);

    expect(charged).toEqual(usd(15_02));
    expect(sameDay(expiresAt, addYears(createdAt, 2))).toBe(true);
  });

  it('are the fees of the term for a renewal, and the charged fee is returned', async () => {
    const name = freshName('me');
    const { expiresAt } = await registered(name, 1, 5_99);

    const { renewal } = await registry.price(name, years(2));
    await expect(registry.renew(name, expiresAt, years(2), freshId(), usd(2 * 17_99))).rejects.toMatchObject({
      reason: 'price_changed',
    });
    const { charged } = await registry.renew(name, expiresAt, years(2), freshId(), renewal);

    expect(renewal).toEqual(usd(33_00));
    expect(charged).toEqual(usd(33_00));
  });

  it('default to the shortest term of a TLD that does not sell one year', async () => {
    const name = freshName('ai');

    expect(await price(name)).toEqual(usd(139_96));
    const { charged, expiresAt } = await registered(name, 2, 139_96);
    await sandbox.server.advance(2 * 365 + 3);
    const expired = await registry.info(name);

    expect(charged).toEqual(usd(139_96));
    expect((await registry.price(name)).renewal).toEqual(usd(139_96));
    expect(expired).toMatchObject({ phase: 'auto_renew_grace', addedYears: 2 });
    expect(sameDay(expired?.expiresAt ?? new Date(0), addYears(expiresAt, 2))).toBe(true);
  });

  it('are the fees of the registry for a premium name, and the listed price is rejected', async () => {
    const name = DomainName.parse('one.dev');
    const { expiresAt } = await registered(name, 1, 900_00);

    expect((await registry.price(name)).renewal).toEqual(usd(900_00));
    await expect(registry.renew(name, expiresAt, years(1), freshId(), usd(12_18))).rejects.toMatchObject({
      reason: 'price_changed',
    });
    expect((await registry.renew(name, expiresAt, years(1), freshId(), usd(900_00))).charged).toEqual(usd(900_00));
  });
});
