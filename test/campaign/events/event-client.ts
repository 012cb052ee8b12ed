import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../crash/random';
import type { EventReplicas, FinalResponse } from './event-replicas';
import type { MadeChange } from './expected-events';

interface OwnDomain {
  readonly id: string;
  readonly name: string;
  /** Records by their ids, each with a content of its kind once. */
  readonly records: Map<string, string>;
  autoRenew: boolean;
  transferLocked: boolean;
}

interface OwnZone {
  readonly id: string;
  readonly name: string;
  readonly records: Map<string, string>;
}

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};
const POLL_MS = 50;
/** The sandbox has at most 100 faults at a time, of three clients. */
const MOST_REFUSED = 30;

/** Makes changes of all kinds at random, one after the other, and says which events each must have. */
export class EventClient {
  readonly changes: MadeChange[] = [];
  readonly failures: string[] = [];
  /** Names that the registry has refused. */
  readonly refused: string[] = [];
  private readonly domains: OwnDomain[] = [];
  private readonly zones: OwnZone[] = [];
  private readonly keys: { readonly id: string; readonly name: string }[] = [];
  private readonly templates: { readonly id: string; readonly name: string }[] = [];
  private serial = 0;

  constructor(
    private readonly label: string,
    private readonly replicas: EventReplicas,
    private readonly apiKey: string,
    private readonly random: SeededRandom,
    private readonly controlsSandbox: boolean,
  ) {}

  async change(): Promise<void> {
    if (this.serial === 0 && this.controlsSandbox) return this.registerInVain();
    const domain = this.domains[this.random.between(0, this.domains.length - 1)];
    if (!domain || this.random.next() < 0.12) return this.register();
    await this.random.oneOf<() => Promise<void>>([
      () => this.addRecord(domain),
      () => this.addRecord(domain),
      () => this.addRecord(this.zones.at(-1) ?? domain),
      () => this.changeRecord(domain),
      () => this.removeRecord(domain),
      () => this.editRecords(domain),
      () => this.setAutoRenewal(domain),
      () => this.setTransferLock(domain),
      () => this.setTags(domain),
      () => this.setNameservers(domain),
      () => this.setContacts(domain),
      () => this.renew(domain),
      () => this.delete(domain),
      () => this.registerInVain(),
      () => this.createZone(),
      () => this.deleteZone(),
      () => this.createKey(),
      () => this.revokeKey(),
      () => this.createTemplate(),
      () => this.removeTemplate(),
    ])();
  }

  private unique(kind: string): string {
    this.serial += 1;
    return `${kind}-${this.label}-${this.serial}`;
  }

  private async register(): Promise<void> {
    const name = `${this.unique('event')}.com`;
    const response = await this.send('POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    const body = await this.settled(response);
    const events = [`domain.requested ${name}`, `domain.registered ${name}`, `operation.succeeded ${name} register`];
    if (!body || body['status'] !== 'active') return this.fail(`registering ${name}`, response);
    this.done(response, ...events);
    const [autoRenew, transferLocked] = [Boolean(body['auto_renew']), Boolean(body['transfer_locked'])];
    this.domains.push({ id: String(body['id']), name, records: new Map(), autoRenew, transferLocked });
  }

  private async registerInVain(): Promise<void> {
    if (!this.controlsSandbox || this.refused.length === MOST_REFUSED) return this.register();
    const name = `${this.unique('refused')}.com`;
    const fault = await this.send('POST', '/api/sandbox/faults', { kind: 'refuse', target: name });
    if (fault.status >= 300) return this.fail(`refusing ${name}`, fault);
    const response = await this.send('POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    const isKnownAtOnce = response.status === 422;
    if (!isKnownAtOnce && !(await this.settled(response))) return this.fail(`registering ${name}`, response);
    this.done(
      response,
      `domain.requested ${name}`,
      `domain.registration_refused ${name}`,
      `operation.failed ${name} register`,
    );
    this.refused.push(name);
  }

  /** The domain once its registration is decided. */
  private async settled({ status, body }: FinalResponse): Promise<Record<string, unknown> | undefined> {
    if (status !== 201 && status !== 202) return undefined;
    let domain = body as Record<string, unknown>;
    while (domain['status'] === 'pending') {
      await sleep(POLL_MS);
      const response = await this.replicas.send(this.apiKey, 'GET', `/api/domains/${String(domain['id'])}`);
      domain = response.body as Record<string, unknown>;
    }
    return domain;
  }

  private async addRecord(zone: OwnDomain | OwnZone): Promise<void> {
    const content = this.unique('text');
    const response = await this.send('POST', `${this.pathOf(zone)}/dns/records`, { type: 'TXT', name: 'www', content });
    if (response.status !== 201) return this.fail(`adding to ${zone.name}`, response);
    this.done(response, `records.changed ${zone.name} +${content} ~ -`);
    zone.records.set((response.body as { id: string }).id, content);
  }

  private async changeRecord(domain: OwnDomain): Promise<void> {
    const [[id] = []] = domain.records;
    if (id === undefined) return this.addRecord(domain);
    const content = this.unique('text');
    const response = await this.send('PUT', `${this.pathOf(domain)}/dns/records/${id}`, { content });
    if (response.status !== 200) return this.fail(`changing a record of ${domain.name}`, response);
    this.done(response, `records.changed ${domain.name} + ~${content} -`);
    domain.records.set(id, content);
  }

  private async removeRecord(domain: OwnDomain): Promise<void> {
    const [[id, content] = []] = domain.records;
    if (id === undefined) return this.addRecord(domain);
    const response = await this.send('DELETE', `${this.pathOf(domain)}/dns/records/${id}`);
    if (response.status >= 300) return this.fail(`removing a record of ${domain.name}`, response);
    this.done(response, `records.changed ${domain.name} + ~ -${content}`);
    domain.records.delete(id);
  }

  private async editRecords(domain: OwnDomain): Promise<void> {
    const [[id, content] = []] = domain.records;
    if (id === undefined) return this.addRecord(domain);
    const added = this.unique('text');
    const create = [{ type: 'TXT', name: 'batch', content: added }];
    const response = await this.send('POST', `${this.pathOf(domain)}/dns/records/batch`, { create, delete: [id] });
    if (response.status !== 200) return this.fail(`editing ${domain.name}`, response);
    this.done(response, `records.changed ${domain.name} +${added} ~ -${content}`);
    domain.records.delete(id);
  }

  private async setAutoRenewal(domain: OwnDomain): Promise<void> {
    const value = { auto_renew: !domain.autoRenew };
    await this.set(domain, 'autorenew', value, undefined, value);
    domain.autoRenew = value.auto_renew;
  }

  private async setTransferLock(domain: OwnDomain): Promise<void> {
    const value = { transfer_locked: !domain.transferLocked };
    await this.set(domain, 'transfer-lock', value, 'set_transfer_lock', value);
    domain.transferLocked = value.transfer_locked;
  }

  private async setTags(domain: OwnDomain): Promise<void> {
    const tags = { tags: [this.unique('tag')] };
    await this.set(domain, 'tags', tags, undefined, tags);
  }

  private async setNameservers(domain: OwnDomain): Promise<void> {
    const nameservers = { nameservers: [`${this.unique('ns1')}.example.net`, 'ns2.example.net'] };
    await this.set(domain, 'nameservers', nameservers, 'set_nameservers', nameservers);
  }

  /** Their event says that they changed, and not how. */
  private async setContacts(domain: OwnDomain): Promise<void> {
    const registrant = { ...REGISTRANT, last_name: this.unique('Lovelace') };
    await this.set(domain, 'contacts', { registrant }, 'set_registrant', {});
  }

  private async set(domain: OwnDomain, what: string, body: object, operation: string | undefined, after: object) {
    const response = await this.send('PUT', `/api/domains/${domain.id}/${what}`, body);
    if (response.status !== 200) return this.fail(`setting ${what} of ${domain.name}`, response);
    const event = `domain.changed ${domain.name} ${JSON.stringify(after)}`;
    this.done(response, event, ...(operation === undefined ? [] : [`operation.succeeded ${domain.name} ${operation}`]));
  }

  private async renew(domain: OwnDomain): Promise<void> {
    const response = await this.send('POST', `/api/domains/${domain.id}/renew`, { years: 1 });
    // Ten years are the most that a registry sells.
    if (response.status === 422 || response.status === 400) return;
    if (response.status !== 200) return this.fail(`renewing ${domain.name}`, response);
    const { expires_at: expiresAt } = response.body as { readonly expires_at: string };
    this.done(response, `domain.renewed ${domain.name} ${expiresAt}`, `operation.succeeded ${domain.name} renew`);
  }

  private async delete(domain: OwnDomain): Promise<void> {
    if (this.random.next() < 0.5) return;
    this.domains.splice(this.domains.indexOf(domain), 1);
    const response = await this.send('DELETE', `/api/domains/${domain.id}`);
    if (response.status >= 300) return this.fail(`deleting ${domain.name}`, response);
    this.done(response, `domain.deleted ${domain.name}`, `operation.succeeded ${domain.name} delete`);
  }

  private async createZone(): Promise<void> {
    const name = `${this.unique('zone')}.example`;
    const response = await this.send('POST', '/api/zones', { name });
    if (response.status !== 201) return this.fail(`creating ${name}`, response);
    this.done(response, `zone.created ${name}`);
    this.zones.push({ id: (response.body as { id: string }).id, name, records: new Map() });
  }

  private async deleteZone(): Promise<void> {
    const zone = this.zones.shift();
    if (!zone) return this.createZone();
    const response = await this.send('DELETE', `/api/zones/${zone.id}`);
    if (response.status >= 300) return this.fail(`deleting ${zone.name}`, response);
    this.done(response, `zone.deleted ${zone.name}`);
  }

  private async createKey(): Promise<void> {
    const name = this.unique('key');
    const response = await this.send('POST', '/api/keys', { name, scope: 'READ' });
    if (response.status !== 201) return this.fail(`creating ${name}`, response);
    this.done(response, `key.created ${name}`);
    this.keys.push({ id: (response.body as { key_id: string }).key_id, name });
  }

  private async revokeKey(): Promise<void> {
    const key = this.keys.pop();
    if (!key) return this.createKey();
    const response = await this.send('DELETE', `/api/keys/${key.id}`);
    if (response.status >= 300) return this.fail(`revoking ${key.name}`, response);
    this.done(response, `key.revoked ${key.name}`);
  }

  private async createTemplate(): Promise<void> {
    const name = this.unique('template');
    const response = await this.send('POST', '/api/record-templates', { name, records: '@ 300 TXT "x"' });
    if (response.status !== 201) return this.fail(`creating ${name}`, response);
    this.done(response, `template.created ${name}`);
    this.templates.push({ id: (response.body as { id: string }).id, name });
  }

  private async removeTemplate(): Promise<void> {
    const template = this.templates.pop();
    if (!template) return this.createTemplate();
    const response = await this.send('DELETE', `/api/record-templates/${template.id}`);
    if (response.status >= 300) return this.fail(`removing ${template.name}`, response);
    this.done(response, `template.removed ${template.name}`);
  }

  private pathOf(zone: OwnDomain | OwnZone): string {
    return `/api/${'autoRenew' in zone ? 'domains' : 'zones'}/${zone.id}`;
  }

  private send(method: string, path: string, body?: object): Promise<FinalResponse> {
    return this.replicas.send(this.apiKey, method, path, body, this.unique('request'));
  }

  private done({ sentAt }: FinalResponse, ...events: readonly string[]): void {
    this.changes.push({ events, sentAt, respondedAt: performance.now() });
  }

  private fail(what: string, { status, body }: FinalResponse): void {
    this.failures.push(`${what} returned ${status}: ${JSON.stringify(body)}`);
  }
}
