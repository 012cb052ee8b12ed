import { decode, type Answer } from 'dns-packet';
import { ChangeAccountSettings } from '../../../src/application/access/change-account-settings';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { CreateAccount } from '../../../src/application/access/create-account';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { freePort } from '../../support/free-port';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { POWERDNS_MISSING, startPowerdns } from '../../support/nameservers/powerdns';
import { createCliAdmin } from '../../support/nameservers/primary';
import {
  isCompleteTransfer,
  rcodeOf,
  requestFor,
  sendTcp,
  signRequest,
} from '../../support/nameservers/primary-client';
import { build } from '../../support/service/service-process';
import { DnsService } from '../dns/dns-service';

export interface Client {
  readonly accountId: string;
  readonly apiKey: string;
  readonly tsig: TsigKey;
}

/** A nameserver, and the key for transfers from it, if it asks for one. */
export interface TransferSource {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly key: TsigKey | undefined;
}

export interface Response {
  readonly status: number;
  readonly text: string;
}

/** The service with accounts that the operator trusts, Knot and PowerDNS. */
export interface ZoneInstallation {
  readonly service: DnsService;
  readonly databaseUrl: string;
  readonly clients: readonly [Client, ...Client[]];
  /** Of an account that has to prove its names, and cannot. */
  readonly stranger: Client;
  readonly primary: TransferSource;
  readonly secondaries: readonly TransferSource[];
  stop(): Promise<void>;
}

const ACCOUNTS = 5;

/** @param databaseUrl of an empty database */
export async function startInstallation(folder: string, databaseUrl: string): Promise<ZoneInstallation> {
  const absent = KNOT_MISSING ?? POWERDNS_MISSING;
  if (absent !== undefined) throw new Error(absent);
  build();
  // No one listens there: parents are not asked.
  const resolver = `127.0.0.1:${await freePort()}`;
  const service = await DnsService.start(folder, [], {
    DATABASE_URL: databaseUrl,
    DNSSEC_RESOLVER: resolver,
    RECORD_TYPES: 'all',
    COMPATIBILITY_APIS: 'powerdns',
  });
  const stops: (() => unknown)[] = [() => service.kill()];
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    const admin = createCliAdmin(service.settings);
    const createdKeys = new Map<string, TsigKey>();
    const noteKeys = async (...args: readonly string[]): Promise<string> => {
      const output = await admin(...args);
      if (args[0] === 'tsig' && args[1] === 'create') createdKeys.set(args[2] ?? '', parseKey(output));
      return output;
    };
    const knot = await startKnot(noteKeys, 'knot');
    stops.push(() => knot.stop());
    const powerdns = await startPowerdns(noteKeys, 'powerdns', { options: ['--allow-axfr-ips=127.0.0.1'] });
    stops.push(() => powerdns.stop());
    return {
      service,
      databaseUrl,
      ...(await openAccounts(service.settings)),
      primary: { name: 'the hidden primary', endpoint: service.dns, key: createdKeys.get('knot') },
      secondaries: [
        { name: 'Knot', endpoint: onLoopback(knot.plan.port), key: createdKeys.get('knot') },
        { name: 'PowerDNS', endpoint: onLoopback(powerdns.plan.port), key: undefined },
      ],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function onLoopback(port: number): Endpoint {
  return { address: '127.0.0.1', port };
}

async function openAccounts(settings: Record<string, string>): Promise<Pick<ZoneInstallation, 'clients' | 'stranger'>> {
  const { container, close } = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
  try {
    const keys = container.get(IssueApiKey);
    const open = async (number: number, isTrusted = true): Promise<Client> => {
      const { id: accountId } = await container
        .get(CreateAccount)
        .execute({ actor: OPERATOR, name: `Account ${number}` });
      await container
        .get(ChangeAccountSettings)
        .execute({ accountId, actor: OPERATOR, settings: { isTrusted, controlsSandbox: true } });
      const key = { accountId, actor: OPERATOR, name: 'Zones' };
      const { text: apiKey } = await keys.execute({ ...key, scope: 'ADMIN' });
      return { accountId, apiKey, tsig: parseKey((await keys.executeTsig(key)).text) };
    };
    const clients: [Client, ...Client[]] = [await open(1)];
    while (clients.length < ACCOUNTS) clients.push(await open(clients.length + 1));
    return { clients, stranger: await open(0, false) };
  } finally {
    await close();
  }
}

/** @param text `hmac-sha256:NAME:SECRET` */
function parseKey(text: string): TsigKey {
  const [, name = '', secret = ''] = text.split(':');
  return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
}

/** Sends a request with an API key: JSON, or a text as it is. */
export async function send(
  { service }: Pick<ZoneInstallation, 'service'>,
  { apiKey }: Client,
  method: string,
  path: string,
  body?: object | string,
): Promise<Response> {
  const type = typeof body === 'string' ? 'text/dns' : 'application/json';
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'X-API-Key': apiKey, 'Content-Type': type },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The records of a zone by AXFR; undefined if the nameserver refuses. */
export async function transfer(
  { endpoint, key }: TransferSource,
  zone: string,
): Promise<readonly Answer[] | undefined> {
  const request = requestFor({ type: 'AXFR', name: zone });
  const signed = key ? signRequest(request, key) : request;
  const messages = (await sendTcp(endpoint, signed, isCompleteTransfer)).map((message) => decode(message));
  const answers = messages.flatMap((message) => message.answers ?? []);
  return messages.length > 0 && rcodeOf(messages[0]) === 0 && answers.length > 0 ? answers : undefined;
}
