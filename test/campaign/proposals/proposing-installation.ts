import { ChangeAccountSettings } from '../../../src/application/access/change-account-settings';
import { CreateAccount } from '../../../src/application/access/create-account';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { loadConfig } from '../../../src/config';
import { createContainer } from '../../../src/container/container';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import type { SeededRandom } from '../../crash/random';
import { freePort } from '../../support/free-port';
import { EventReplicas } from '../events/event-replicas';

/** Whose writes become proposals: a key that may only propose, or one under the rules of the account. */
export interface Proposer {
  readonly kind: 'agent' | 'writer';
  readonly apiKey: string;
  readonly tsig: TsigKey;
}

export interface ProposingInstallation {
  readonly replicas: EventReplicas;
  /** By the index of the replica. */
  readonly dnsPorts: readonly number[];
  /** Changes what no rule names. */
  readonly admin: string;
  /** Two other people, as far as the service knows. */
  readonly approvers: readonly [string, string];
  readonly agent: Proposer;
  readonly writer: Proposer;
}

/** Replicas on one database, with an account, its keys, and no rules yet. */
export async function startProposingInstallation(
  databaseUrl: string,
  count: number,
  random: SeededRandom,
): Promise<ProposingInstallation> {
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    HEALTH_CHECKS_PER_MINUTE: '0',
    HEALTH_RESOLVER: 'off',
    OPERATION_LEASE_MS: '1000',
    ZONE_HISTORY_MIB_PER_DAY: '0',
    COMPATIBILITY_APIS: 'powerdns',
  };
  const keys = await openAccount(settings);
  const dnsPorts = await Promise.all(Array.from({ length: count }, () => freePort()));
  const listens = dnsPorts.map((port) => ({ DNS_LISTEN: `127.0.0.1:${port}` }));
  const replicas = new EventReplicas(settings, count, random, listens);
  await replicas.startAll();
  return { replicas, dnsPorts, ...keys };
}

async function openAccount(
  settings: Record<string, string>,
): Promise<Omit<ProposingInstallation, 'replicas' | 'dnsPorts'>> {
  const { container, close } = await createContainer(
    loadConfig({ ...settings, DNS_LISTEN: 'off', LOG_LEVEL: 'silent' }),
  );
  try {
    const issue = container.get(IssueApiKey);
    const { id: accountId } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'The account' });
    await container
      .get(ChangeAccountSettings)
      .execute({ accountId, actor: OPERATOR, settings: { isTrusted: true, controlsSandbox: true } });
    const key = async (name: string) =>
      (await issue.execute({ accountId, actor: OPERATOR, name, scope: 'ADMIN' })).text;
    const proposer = async (kind: Proposer['kind']): Promise<Proposer> => {
      const given = { accountId, actor: OPERATOR, name: kind, ...(kind === 'agent' && { limits: { propose: true } }) };
      const { text: apiKey } = await issue.execute({ ...given, scope: 'WRITE' });
      return { kind, apiKey, tsig: parseKey((await issue.executeTsig(given)).text) };
    };
    return {
      admin: await key('admin'),
      approvers: [await key('first'), await key('second')],
      agent: await proposer('agent'),
      writer: await proposer('writer'),
    };
  } finally {
    await close();
  }
}

/** @param text `hmac-sha256:NAME:SECRET` */
function parseKey(text: string): TsigKey {
  const [, name = '', secret = ''] = text.split(':');
  return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
}
