// An adapter for REGISTRIES_FILE: registers in two steps, renews, and reads with a lag. `settings`: `url` of the vendor,
// `keys` (whether it sends the idempotency key), `read_lag_seconds`.
import { LIMITED_FEATURES, LimitedRegistry, policyOf, RegistryRejected, RegistryUnavailable } from '#dist/adapter.js';

const PRICE = { minor: 10_00, currency: 'USD' };

class LaggingRegistry extends LimitedRegistry {
  vendor = 'Lagging';

  constructor(settings, tlds) {
    super();
    this.settings = settings;
    this.tlds = tlds;
  }

  policies() {
    return this.tlds;
  }

  async check(names) {
    return names.map((name) => ({
      name,
      available: true,
      price: { registration: PRICE, renewal: PRICE, restore: PRICE },
    }));
  }

  async price() {
    return { renewal: PRICE, restore: PRICE };
  }

  async info(name) {
    const shown = await this.send('info', { name: name.value });
    return shown ? factsOf(name, shown) : undefined;
  }

  async registrant(name) {
    return (await this.send('info', { name: name.value }))?.registrant ?? undefined;
  }

  async register({ name, term, registrant, nameservers, idempotencyKey }) {
    await this.send('register', { name: name.value, years: term.years, hosts: nameservers.hosts }, idempotencyKey);
    await this.setRegistrant(name, registrant);
    return this.info(name);
  }

  async setRegistrant(name, registrant) {
    await this.send('registrant', { name: name.value, registrant });
  }

  async renew(name, _currentExpiry, { years }, _transactionId, _price, idempotencyKey) {
    const { charged, ...shown } = await this.send('renew', { name: name.value, years }, idempotencyKey);
    return { ...factsOf(name, shown), charged };
  }

  async setNameservers(name) {
    return this.info(name);
  }

  async setTransferLock(name) {
    return this.info(name);
  }

  async issueAuthCode() {
    throw new RegistryRejected('unsupported', 'no auth codes');
  }

  async withdrawAuthCode() {
    throw new RegistryRejected('unsupported', 'no auth codes');
  }

  async restore() {
    throw new RegistryRejected('unsupported', 'no restores');
  }

  async delete() {
    throw new RegistryRejected('unsupported', 'no deletions');
  }

  async poll() {
    return undefined;
  }

  async acknowledge() {}

  async send(command, body, key) {
    const { url, keys } = this.settings;
    const headers = { 'Content-Type': 'application/json', ...(keys && key && { 'Idempotency-Key': key }) };
    try {
      const response = await fetch(new URL(command, url), { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()).data;
    } catch (error) {
      throw new RegistryUnavailable('no response', undefined, { cause: error });
    }
  }
}

function factsOf(name, { createdAt, expiresAt, nameservers }) {
  return {
    name,
    phase: 'registered',
    sponsoredByUs: true,
    createdByUs: true,
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    nameservers,
    transferLocked: true,
    transferPending: false,
  };
}

// oxlint-disable-next-line import/no-default-export -- an adapter module must export its factory by default
export default async function startLagging({ settings, tlds }) {
  const { read_lag_seconds: readLagSeconds } = settings;
  const policies = tlds.map((rules) => ({
    ...policyOf(rules),
    ...(readLagSeconds !== undefined && { readLagSeconds }),
    unsupported: [
      'add_grace',
      'auto_renew',
      'restore',
      'delete',
      'auth_code',
      'withdraw_auth_code',
      'messages',
      ...LIMITED_FEATURES,
    ],
  }));
  return { port: new LaggingRegistry(settings, policies), close: async () => undefined };
}
