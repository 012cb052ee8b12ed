import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { X509Certificate } from 'node:crypto';
import { SeededRandom } from '../../crash/random';
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
import { freePort } from '../../support/free-port';
import { startKnot } from '../../support/nameservers/knot';
import { missing, Nameserver, program } from '../../support/nameservers/nameserver';
import { startPowerdns } from '../../support/nameservers/powerdns';
import { createCliAdmin } from '../../support/nameservers/primary';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { DnsService } from './dns-service';

/**
 * Wildcard certificates by unmodified ACME clients without any pause. Pebble resolves through unbound, which asks Knot and PowerDNS;
 * PowerDNS stops now and then, and the service is killed.
 */
export const certificatesCampaign: Campaign = {
  name: 'certificates',
  unit: 'certificates',
  ciSize: 8,
  fullSize: 1_000,
  run,
};

const MISSING = missing('knotd', 'pdns_server', 'unbound', 'pebble', 'certbot', 'lego', 'uacme', 'dehydrated');
const WORKERS = 4;
const CERTIFICATES_PER_KILL = 10;
const STOPPED_MS = 800;
const RUNNING_MS = 2_000;
const DOWN_MS = 300;
/** A client fails if the service is down; its next run must succeed. */
const MAX_RUNS = 6;
/** As many as the acme-dns API keeps. */
const MAX_LEFT_OVER = 2;
const PORT_53_ADDRESS = '127.0.0.53';
/** The message of Pebble, which every client prints, for a challenge that is not in the zone. */
const FAILED_VALIDATION = /unauthorized|incorrect TXT|No TXT record|did not match|NXDOMAIN/i;

interface Access {
  readonly updates: DynamicUpdates;
  readonly http: HttpAccess;
}

type Issue = (order: CertificateOrder, access: Access) => Promise<X509Certificate>;

const CLIENTS: Readonly<Record<string, Issue>> = {
  'lego rfc2136': (order, { updates }) => issueWithLegoRfc2136(order, updates),
  'lego pdns': (order, { http }) => issueWithLegoPdns(order, http),
  'lego httpreq': (order, { http }) => issueWithLegoHttpReq(order, http),
  'acme-dns': (order, { http }) => issueWithLegoAcmeDns(order, http),
  certbot: (order, { updates }) => issueWithCertbot(order, updates),
  ...(mountNamespacesMissing() === undefined && {
    uacme: (order: CertificateOrder, { updates }: Access) => issueWithUacme(order, updates),
  }),
  ...(port53Missing() === undefined && {
    dehydrated: (order: CertificateOrder, { updates }: Access) =>
      issueWithDehydrated(order, { ...updates, address: PORT_53_ADDRESS }),
  }),
};

const HEAVY = ['certbot', 'uacme', 'dehydrated'].filter((name) => name in CLIENTS);
const LIGHT = Object.keys(CLIENTS).filter((name) => !HEAVY.includes(name));
/** Every light client before each heavy one: Python takes seconds to start, and dehydrated makes an RSA key for its account. */
const TURNS = HEAVY.flatMap((heavy) => [...LIGHT, heavy]);

class Certificates {
  readonly issued = new Map<string, number>();
  readonly failures: string[] = [];
  kills = 0;
  repetitions = 0;
  leftOver = 0;
  private started = 0;
  private isOver = false;
  private restarting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly service: DnsService,
    private readonly powerdns: Nameserver,
    private readonly pebble: Pebble,
    private readonly access: Access,
    private readonly folder: string,
    private readonly random: SeededRandom,
  ) {}

  /** @param domains ids by name */
  async run(count: number, domains: ReadonlyMap<string, string>): Promise<void> {
    const disturbing = Promise.all([
      this.killRepeatedly(Math.floor(count / CERTIFICATES_PER_KILL)),
      this.stopRepeatedly(),
    ]);
    await Promise.all(Array.from(domains, ([domain, id]) => this.issueFor(domain, id, count)));
    this.isOver = true;
    await disturbing;
  }

  private async issueFor(domain: string, id: string, count: number): Promise<void> {
    while (this.started < count) {
      const name = TURNS[this.started % TURNS.length] ?? '';
      this.started += 1;
      await this.issue(name, domain, id);
    }
  }

  private async issue(name: string, domain: string, id: string): Promise<void> {
    for (let attempt = 1; attempt <= MAX_RUNS; attempt += 1) {
      try {
        await this.removeLeftOver(id);
        const certificate = await CLIENTS[name]?.({ pebble: this.pebble, folder: this.folder, domain }, this.access);
        if (!certificate?.subjectAltName?.includes(`DNS:*.${domain}`))
          this.failures.push(`${name} got a certificate for other names`);
        this.issued.set(name, (this.issued.get(name) ?? 0) + 1);
        return;
      } catch (error) {
        const text = String(error);
        if (FAILED_VALIDATION.test(text)) this.failures.push(`${name}, ${domain}: ${text.slice(-1_500)}`);
        else this.repetitions += 1;
        await this.restarting;
        if (attempt === MAX_RUNS) this.failures.push(`${name} failed ${MAX_RUNS} times: ${text.slice(-1_500)}`);
      }
    }
  }

  /**
   * Clients cannot clean up while the service is down. Pebble 2.4 asks over UDP without EDNS and takes a truncated response for
   * an empty one, which unbound sends for nine values.
   */
  private async removeLeftOver(id: string): Promise<void> {
    const path = `/api/domains/${id}/dns/records`;
    const page = await this.service.call('GET', `${path}?type=TXT&name=_acme-challenge`);
    const records = Object.values(page) as { id: string }[];
    if (records.length <= MAX_LEFT_OVER) return;
    for (const record of records) {
      await this.service.call('DELETE', `${path}/${record.id}?wait=published`);
      this.leftOver += 1;
    }
  }

  private async killRepeatedly(kills: number): Promise<void> {
    while (this.kills < kills && !this.isOver) {
      const after = (this.kills + this.random.next()) * CERTIFICATES_PER_KILL;
      while (this.started < after && !this.isOver) await sleep(20);
      await sleep(this.random.between(0, 1_000));
      this.restarting = this.service
        .kill()
        .then(() => sleep(DOWN_MS))
        .then(() => this.service.restart());
      await this.restarting;
      this.kills += 1;
    }
  }

  private async stopRepeatedly(): Promise<void> {
    while (!this.isOver) {
      await sleep(RUNNING_MS);
      this.powerdns.signal('SIGSTOP');
      await sleep(STOPPED_MS);
      this.powerdns.signal('SIGCONT');
    }
  }
}

async function run(count: number, seed: number): Promise<CampaignResult> {
  if (MISSING !== undefined) throw new Error(MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-certificates-'));
  const httpPort = await freePort();
  const service = await DnsService.start(folder, [{}], {
    PORT: String(httpPort),
    COMPATIBILITY_APIS: 'powerdns,httpreq,acme-dns',
    DNS_UPDATE_WAITS: '30,30',
    PUBLISH_WAIT_MS: '30000',
  });
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => service.kill()];
  try {
    const admin = createCliAdmin(service.settings);
    const knot = await startKnot(admin, 'knot');
    stops.push(() => knot.stop());
    const powerdns = await startPowerdns(admin, 'powerdns');
    stops.push(() => powerdns.stop());
    const domains = new Map<string, string>();
    for (let index = 0; index < WORKERS; index += 1) {
      const domain = `certified-${index}.com`;
      const id = await service.register(domain);
      await published(service, id);
      domains.set(domain, id);
    }
    const unbound = await startUnbound([...domains.keys()], [knot.plan.port, powerdns.plan.port]);
    stops.push(() => unbound.stop());
    const resolver = `127.0.0.1:${unbound.plan.port}`;
    const pebble = await startPebble(folder, resolver);
    stops.push(() => pebble.stop());
    if (port53Missing() === undefined) stops.push(await forwardPort53(PORT_53_ADDRESS, service.dns.port));
    const [, keyName = '', secret = ''] = service.tsigKeys[0]?.split(':') ?? [];
    const [, keyId = '', apiSecret = ''] = /^nw_live_([^.]+)\.(.+)$/.exec(service.apiKey) ?? [];
    const access = {
      updates: { ...service.dns, keyName, secret },
      http: { url: service.url, key: service.apiKey, keyId, secret: apiSecret, resolver },
    };
    const campaign = new Certificates(service, powerdns, pebble, access, folder, new SeededRandom(seed));
    const startedAt = performance.now();
    await campaign.run(count, domains);
    const { issued, kills, repetitions, leftOver, failures } = campaign;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return {
      summary: `${[...issued].map(([name, each]) => `${each} ${name}`).join(', ')} in ${seconds} s; ${kills} kills, ${repetitions} runs repeated because the service was down, ${leftOver} left-over challenges removed`,
      failures,
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function published(service: DnsService, id: string): Promise<void> {
  while ((await service.call('GET', `/api/domains/${id}/dns/status`))['published'] !== true) await sleep(50);
}

/** A resolver without a cache that asks the secondaries for the domains. */
async function startUnbound(domains: readonly string[], ports: readonly number[]): Promise<Nameserver> {
  const plan = { name: 'unbound', port: await freePort(), folder: Nameserver.createFolder() };
  mkdirSync(plan.folder, { recursive: true });
  const file = join(plan.folder, 'unbound.conf');
  const addresses = ports.map((port) => `  stub-addr: 127.0.0.1@${port}`);
  const lines = [
    'server:',
    ...[`interface: 127.0.0.1`, `port: ${plan.port}`, `directory: "${plan.folder}"`].map((line) => `  ${line}`),
    ...['username: ""', 'chroot: ""', 'pidfile: ""', 'use-syslog: no', 'do-daemonize: no'].map((line) => `  ${line}`),
    ...['module-config: "iterator"', 'do-not-query-localhost: no'].map((line) => `  ${line}`),
    ...['cache-max-ttl: 0', 'cache-max-negative-ttl: 0', 'infra-host-ttl: 0'].map((line) => `  ${line}`),
    ...domains.flatMap((domain) => ['stub-zone:', `  name: "${domain}"`, ...addresses]),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const unbound = new Nameserver(plan, [program('unbound') ?? 'unbound', '-c', file]);
  await unbound.start();
  return unbound;
}
