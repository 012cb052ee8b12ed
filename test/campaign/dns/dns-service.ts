import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeAccountSettings } from '../../../src/application/access/change-account-settings';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { KeyLimits } from '../../../src/domain/access/key-limits';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { startToKill, type KillMoment } from '../../crash/killed-at-dnssec-step';
import { freePort } from '../../support/free-port';
import { addressOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

export const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

/** A TSIG key for one use; all domains and records of the account if no limits are given. */
interface KeyPlan {
  readonly limits?: KeyLimits;
  readonly scope?: 'READ' | 'WRITE';
  /** Of another account, which has no domain. */
  readonly isStranger?: boolean;
}

/** The built service as a process on SQLite, with its DNS listener, an account and TSIG keys. */
export class DnsService {
  private process: ServiceProcess | undefined;
  private baseUrl = '';

  private constructor(
    readonly settings: Record<string, string>,
    readonly dns: Endpoint,
    readonly apiKey: string,
    /** `hmac-sha256:NAME:SECRET`, in the order of the plans. */
    readonly tsigKeys: readonly string[],
  ) {}

  static async start(
    folder: string,
    plans: readonly KeyPlan[],
    more: Record<string, string> = {},
  ): Promise<DnsService> {
    const dns = { address: '127.0.0.1', port: await freePort() };
    const settings = {
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
      ZONE_HISTORY_MIB_PER_DAY: '0',
      DNS_LISTEN: `${dns.address}:${dns.port}`,
      ...more,
    };
    const { container, close } = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
    const keys = container.get(IssueApiKey);
    const [account, stranger] = [
      await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'The clients' }),
      await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'Another account' }),
    ];
    await container
      .get(ChangeAccountSettings)
      .execute({ accountId: account.id, actor: OPERATOR, settings: { controlsSandbox: true } });
    const { text } = await keys.execute({ accountId: account.id, actor: OPERATOR, name: 'REST', scope: 'ADMIN' });
    const tsigKeys: string[] = [];
    for (const { isStranger = false, ...plan } of plans) {
      const accountId = isStranger ? stranger.id : account.id;
      tsigKeys.push((await keys.executeTsig({ accountId, actor: OPERATOR, name: 'TSIG', ...plan })).text);
    }
    await close();
    const service = new DnsService(settings, dns, text, tsigKeys);
    await service.restart();
    return service;
  }

  /** @param killAt a DNSSEC step, and a moment, at which the process kills itself */
  async restart(killAt?: `${string} ${KillMoment}`): Promise<void> {
    const started = killAt ? startToKill(this.settings, '/dev/null', killAt) : startProcess(this.settings);
    this.process = started;
    void this.forgetWhenEnded(started);
    this.baseUrl = await addressOf(started);
  }

  private async forgetWhenEnded(process: ServiceProcess): Promise<void> {
    await process.ended;
    if (this.process === process) this.process = undefined;
  }

  get isRunning(): boolean {
    return this.process !== undefined;
  }

  async kill(): Promise<void> {
    this.process?.signal('SIGKILL');
    await this.process?.ended;
  }

  get url(): string {
    return this.baseUrl;
  }

  /** Error lines of the current process. */
  errors(): readonly string[] {
    return (this.process?.stdout() ?? '').split('\n').filter((line) => /"level":"?(?:50|60|error|fatal)/.test(line));
  }

  /** Registers a domain and returns its id. */
  async register(name: string): Promise<string> {
    const body = await this.call('POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    const id = String(body['id']);
    while ((await this.call('GET', `/api/domains/${id}`))['status'] !== 'active') await sleep(10);
    return id;
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.apiKey}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }
}
