import type { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../src/domain/access/actor';
import {
  issueWithCertbot,
  issueWithDehydrated,
  issueWithLegoAcmeDns,
  issueWithLegoHttpReq,
  issueWithLegoPdns,
  issueWithLegoRfc2136,
  issueWithUacme,
  mountNamespacesMissing,
  type CertificateOrder,
  type DynamicUpdates,
  type HttpAccess,
} from '../../support/acme/acme-clients';
import { startPebble, type Pebble } from '../../support/acme/pebble';
import { forwardPort53, port53Missing } from '../../support/acme/port-53';
import { describeOrSkip } from '../../support/describe-or-skip';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { missing, type Nameserver } from '../../support/nameservers/nameserver';
import { createInProcessAdmin } from '../../support/nameservers/primary';
import { api, hosted, registered, startService, type TestService } from '../../support/service/service';

const MISSING =
  KNOT_MISSING ??
  missing('pebble', 'certbot', 'lego', 'uacme', 'dehydrated', 'nsupdate') ??
  port53Missing() ??
  mountNamespacesMissing();
/** Port 53 of 127.0.0.1 may be taken. */
const DNS_ADDRESS = '127.0.77.53';

const UPDATE_CLIENTS = {
  certbot: issueWithCertbot,
  lego: issueWithLegoRfc2136,
  uacme: issueWithUacme,
  dehydrated: (order: CertificateOrder, updates: DynamicUpdates) =>
    issueWithDehydrated(order, { ...updates, address: DNS_ADDRESS }),
};
const HTTP_CLIENTS = {
  'lego-pdns': issueWithLegoPdns,
  'lego-httpreq': issueWithLegoHttpReq,
  'lego-httpreq-raw': (order: CertificateOrder, access: HttpAccess) => issueWithLegoHttpReq(order, access, 'RAW'),
  'lego-exec-acme-dns': issueWithLegoAcmeDns,
};
type UpdateClient = keyof typeof UPDATE_CLIENTS;
type HttpClient = keyof typeof HTTP_CLIENTS;
const updateClients = Object.keys(UPDATE_CLIENTS) as UpdateClient[];
const httpClients = Object.keys(HTTP_CLIENTS) as HttpClient[];
const ON_HOSTED_ZONES: readonly string[] = ['certbot', 'lego', 'lego-httpreq', 'lego-exec-acme-dns'];

/** A client with what its name is here, for titles. */
function withPlace<C extends string>(client: C): [client: C, place: string] {
  return [client, ON_HOSTED_ZONES.includes(client) ? 'a hosted zone' : 'a registered domain'];
}

/** Pebble validates challenges at Knot, a secondary, and at once: nothing waits for propagation. */
describeOrSkip(MISSING)('ACME clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-acme-'));
  let service: TestService;
  let knot: Nameserver;
  let pebble: Pebble;
  let account: string;
  let endForwarding: () => void;
  const runs = new Map<UpdateClient | HttpClient, Promise<Run>>();

  /** All clients run side by side. */
  beforeAll(async () => {
    service = await startService({
      DNS_LISTEN: '127.0.0.1:0',
      DNS_UPDATE_WAITS: '60,60',
      PUBLISH_WAIT_MS: '60000',
      COMPATIBILITY_APIS: 'powerdns,httpreq,acme-dns',
    });
    account = await service.account();
    knot = await startKnot(createInProcessAdmin(service), 'knot');
    pebble = await startPebble(folder, `127.0.0.1:${knot.plan.port}`);
    endForwarding = await forwardPort53(DNS_ADDRESS, service.dns?.port ?? 0);
    for (const client of updateClients)
      runs.set(
        client,
        issue(client, async (order) => UPDATE_CLIENTS[client](order, await tsigKey(order.domain))),
      );
    for (const client of httpClients)
      runs.set(
        client,
        issue(client, async (order) => HTTP_CLIENTS[client](order, await apiKey(order.domain))),
      );
    await Promise.allSettled(runs.values());
  });

  afterAll(async () => {
    endForwarding();
    await pebble.stop();
    await knot.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Run {
    readonly names: string | undefined;
    readonly recordsAfterwards: readonly unknown[];
  }

  const issue = async (
    client: string,
    issueCertificate: (order: CertificateOrder) => Promise<X509Certificate>,
  ): Promise<Run> => {
    const domain = `${client}-client.com`;
    const rest = api(service, await service.key(account));
    const path = ON_HOSTED_ZONES.includes(client)
      ? await hosted(rest, domain)
      : `/api/domains/${await registered(rest, domain)}`;
    const { subjectAltName: names } = await issueCertificate({ pebble, folder, domain });
    const { body } = await rest.get(`${path}/dns/records`).expect(200);
    return { names, recordsAfterwards: body as unknown[] };
  };

  /** For the challenges of one domain, and nothing else. */
  const keyFor = (domain: string) => ({
    accountId: account,
    actor: OPERATOR,
    name: 'certificates',
    scope: 'WRITE' as const,
    limits: { domains: [domain], names: ['_acme-challenge'], types: ['TXT'] },
  });

  const tsigKey = async (domain: string): Promise<DynamicUpdates> => {
    const { text } = await service.container.get(IssueApiKey).executeTsig(keyFor(domain));
    const [, keyName = '', secret = ''] = text.split(':');
    return { address: '127.0.0.1', port: service.dns?.port ?? 0, keyName, secret };
  };

  const apiKey = async (domain: string): Promise<HttpAccess> => {
    const { key, text } = await service.container.get(IssueApiKey).execute(keyFor(domain));
    const { port } = service.server.address() as AddressInfo;
    const [, secret = ''] = text.split('.');
    return {
      url: `http://127.0.0.1:${port}`,
      key: text,
      keyId: key.toState().keyId,
      secret,
      resolver: `127.0.0.1:${service.dns?.port}`,
    };
  };

  it.each(updateClients.map(withPlace))(
    '%s gets a certificate for %s and its wildcard by dynamic updates without a pause, and leaves no record',
    async (client) => {
      const run = await runs.get(client);

      expect(run?.names).toContain(`DNS:${client}-client.com`);
      expect(run?.names).toContain(`DNS:*.${client}-client.com`);
      expect(run?.recordsAfterwards).toEqual([]);
    },
  );

  it.each(httpClients.map(withPlace))(
    '%s gets a certificate for %s and its wildcard with an API key, without a pause',
    async (client) => {
      const run = await runs.get(client);

      expect(run?.names).toContain(`DNS:${client}-client.com`);
      expect(run?.names).toContain(`DNS:*.${client}-client.com`);
      expect(run?.recordsAfterwards).toHaveLength(client === 'lego-exec-acme-dns' ? 2 : 0);
    },
  );
});
