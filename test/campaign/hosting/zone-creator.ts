import type { SeededRandom } from '../../crash/random';
import { aboveOf } from './zone-checks';
import { createByPowerDns, fill, isReverse, PATHS, pathOf, remove, type HostedZone } from './zone-actions';
import { send, type Client, type Response, type ZoneInstallation } from './zone-installation';

type Given = { readonly name: string } | { readonly network: string };

interface Plan {
  readonly kind: 'sub-zones' | 'zones between two others' | 'reverse zones' | 'other zones';
  readonly client: Client;
  readonly zone: Given;
}

const LABELS = ['k8s', 'team', 'www', 'a', 'x', 'mail', 'prod'] as const;
const MAX_LABELS = 20;
const SHARES = { below: 0.55, reverse: 0.75, signed: 0.15, deleted: 0.12, byPowerDns: 0.15 };

/** Creates zones at random, fills them, signs some and deletes some; several calls at a time. */
export class ZoneCreator {
  readonly failures: string[] = [];
  /** The names of zones that were deleted and not created again. */
  readonly deleted: string[] = [];
  readonly counts = new Map<string, number>();
  private readonly byName = new Map<string, HostedZone>();
  /** The ids of zones that have been signed. */
  private readonly signed = new Set<string>();
  private created = 0;

  constructor(private readonly installation: ZoneInstallation) {}

  zones(): readonly HostedZone[] {
    return [...this.byName.values()];
  }

  /** Signed zones that have a zone of the account above. */
  signedBelowOthers(): readonly HostedZone[] {
    return this.zones().filter((zone) => this.signed.has(zone.id) && aboveOf(zone, this.byName) !== undefined);
  }

  async createOne(random: SeededRandom): Promise<void> {
    const zone = await this.create(this.plan(random), random);
    if (!zone) return;
    for (let times = random.between(0, 3); times > 0; times -= 1) await this.fill(zone, random);
    const other = this.any(random);
    if (other) await this.fill(other, random);
    if (random.next() < SHARES.signed) await this.sign(zone);
    if (random.next() < SHARES.deleted) await this.delete(random);
  }

  private plan(random: SeededRandom): Plan {
    this.created += 1;
    const number = this.created;
    const client = random.oneOf(this.installation.clients);
    const drawn = random.next();
    const below = drawn < SHARES.below ? this.planBelow(random, number) : undefined;
    if (below) return below;
    if (drawn >= SHARES.below && drawn < SHARES.reverse)
      return { kind: 'reverse zones', client, zone: { network: this.network(client, random, number) } };
    const labels = Array.from({ length: random.between(0, 5) }, () => random.oneOf(LABELS));
    return { kind: 'other zones', client, zone: { name: [...labels, `z${number}`, 'example'].join('.') } };
  }

  /** Below a zone, or between two. */
  private planBelow(random: SeededRandom, number: number): Plan | undefined {
    const zone = this.any(random, ({ name }) => !isReverse(name) && name.split('.').length < MAX_LABELS);
    if (!zone) return undefined;
    const { client, name } = zone;
    const above = aboveOf(zone, this.byName);
    const between = above && name.slice(name.indexOf('.') + 1);
    if (above && between !== undefined && between !== above.name && random.between(0, 1) === 0)
      return { kind: 'zones between two others', client, zone: { name: between } };
    const labels = Array.from({ length: random.between(0, 2) }, () => random.oneOf(LABELS));
    const first = random.between(0, 3) === 0 ? random.oneOf(LABELS) : `s${number}`;
    return { kind: 'sub-zones', client, zone: { name: [first, ...labels, name].join('.') } };
  }

  /** Within those of the account: a zone above or below that of another account is not served without proof. */
  private network(client: Client, random: SeededRandom, number: number): string {
    const account = this.installation.clients.indexOf(client);
    const kind = random.between(0, 3);
    if (kind === 0) return `10.${account}.${number % 4}.${64 * random.between(0, 3)}/26`;
    if (kind === 1) return `10.${account}.${random.between(0, 3) === 0 ? number % 4 : random.between(4, 255)}.0/24`;
    const site = `2001:db8:${hex(4_096 * (account + 1) + (kind === 2 ? number % 4_096 : random.between(1, 50)))}`;
    return kind === 2 ? `${site}::/48` : `${site}:${hex(number % 65_536)}::/64`;
  }

  private async create({ kind, client, zone }: Plan, random: SeededRandom): Promise<HostedZone | undefined> {
    const byPowerDns = 'name' in zone && random.next() < SHARES.byPowerDns;
    const post = (more: object): Promise<Response> =>
      send(this.installation, client, 'POST', '/api/zones', { ...zone, ...more });
    const first = byPowerDns ? await createByPowerDns(this.installation, client, zone.name) : await post({});
    const response = first.text.includes('would hide records') ? await post({ move_records: true }) : first;
    if (response.status !== 201) {
      if (response.status !== 409) this.fail(`creating ${JSON.stringify(zone)}`, response);
      return undefined;
    }
    if (response !== first) this.count('created with records of the zone above');
    const name = 'name' in zone ? zone.name : (JSON.parse(response.text) as HostedZone).name;
    const path = `/api/zones/by-name/${encodeURIComponent(name)}`;
    const found = await send(this.installation, client, 'GET', path);
    if (found.status !== 200) {
      this.fail(`reading ${name}`, found);
      return undefined;
    }
    this.count(kind);
    const hosted = { id: (JSON.parse(found.text) as HostedZone).id, name, client };
    this.byName.set(name, hosted);
    if (this.deleted.includes(name)) this.deleted.splice(this.deleted.indexOf(name), 1);
    return hosted;
  }

  private async fill(zone: HostedZone, random: SeededRandom): Promise<void> {
    const path = random.oneOf(PATHS);
    const result = await fill(this.installation, zone, path, random);
    if (typeof result === 'string') this.failures.push(result);
    else this.count(result ? `writes by ${path}` : 'writes refused');
  }

  private async sign(zone: HostedZone): Promise<void> {
    const response = await send(this.installation, zone.client, 'PUT', `${pathOf(zone)}/dnssec`, { enabled: true });
    if (response.status === 404) return;
    if (response.status >= 300) return this.fail(`signing ${zone.name}`, response);
    this.count('signed');
    this.signed.add(zone.id);
  }

  private async delete(random: SeededRandom): Promise<void> {
    const zone = this.any(random);
    if (!zone) return;
    this.byName.delete(zone.name);
    const response = await remove(this.installation, zone, random.between(0, 3) === 0);
    if (response.status >= 300) return this.fail(`deleting ${zone.name}`, response);
    if (!this.byName.has(zone.name)) this.deleted.push(zone.name);
  }

  private any(random: SeededRandom, isFit: (zone: HostedZone) => boolean = () => true): HostedZone | undefined {
    const zones = this.zones().filter(isFit);
    return zones[random.between(0, zones.length - 1)];
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  private fail(what: string, { status, text }: Response): void {
    this.failures.push(`${what} returned ${status}: ${text.slice(0, 300)}`);
  }
}

function hex(value: number): string {
  return value.toString(16);
}

/** Of IPv4, a quarter below a /24 (RFC 2317), or of IPv6. */
