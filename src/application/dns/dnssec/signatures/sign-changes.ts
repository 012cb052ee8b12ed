import { createPrivateKey } from 'node:crypto';
import { inject, injectable } from 'inversify';
import type { PrivateSigningKey } from '../../../../domain/dns/dnssec/rrsig';
import { AuthoritySettings } from '../../dns-settings';
import type {
  DerivedChange,
  SignedZoneState,
  SigningReader,
  SigningRepository,
  StoredSigningKey,
} from '../../../ports/dns/signing-repository';
import type { TouchedZone } from '../../../ports/dns/touched-zones';
import { Clock, LifecycleClock } from '../../../ports/system/clock';
import { SecretBox } from '../../../ports/system/secret-box';
import { settleAll } from '../../../settle-all';
import { apexContent } from './apex-content';
import { planSignatures, type TouchedNames } from './plan-signatures';
import { RrsetSigner } from './rrset-signer';

const MAX_OPEN_KEYS = 1_000;
/** How long signatures that were made ahead are kept. */
const PREPARED_MS = 300_000;

export function purposeOfSigningKey(keyId: string): string {
  return `dnssec:${keyId}`;
}

interface Prepared {
  readonly keyIds: string;
  readonly signer: RrsetSigner;
  readonly until: number;
}

/** Brings the signatures of zones up to date with what a unit of work changed, before it commits. */
@injectable()
export class SignChanges {
  /** By id, least recently opened first. */
  private readonly openKeys = new Map<string, PrivateSigningKey>();
  /** By the id of the domain. */
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(AuthoritySettings) private readonly settings: AuthoritySettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly signatureClock: Clock,
  ) {}

  /** In the unit of work of the changes, after their writes. */
  async execute(signing: SigningRepository, touched: ReadonlyMap<string, TouchedZone>): Promise<void> {
    // Together, so that their statements do not wait for each other's results.
    await settleAll([...touched].map(([domainId, names]) => this.sign(signing, domainId, names)));
  }

  /** Makes signatures ahead for the zone as `reader` shows it. */
  async prepare(reader: SigningReader, zone: SignedZoneState, touched: TouchedNames | 'all'): Promise<void> {
    const now = performance.now();
    for (const [domainId, { until }] of this.prepared) if (until < now) this.prepared.delete(domainId);
    const signer = this.signerOf(zone);
    await planSignatures({ zone, reader, signer, apex: apexContent(zone, this.settings) }, touched);
    this.prepared.set(zone.domainId, { keyIds: keyIdsOf(zone), signer, until: now + PREPARED_MS });
  }

  private async sign(
    signing: SigningRepository,
    domainId: string,
    { names, cuts, isWhole, expiring }: TouchedZone,
  ): Promise<void> {
    const zone = await signing.find(domainId);
    if (!zone) return isWhole ? this.unsign(signing, domainId) : undefined;
    const parts = {
      zone,
      reader: signing,
      signer: this.signerOf(zone),
      apex: apexContent(zone, this.settings),
      expiring,
    };
    const changes = await planSignatures(parts, isWhole ? 'all' : { names, cuts });
    await signing.write(domainId, zone.serial, changes, this.clock.now());
    // Of a large zone they take much memory.
    if (isWhole) this.prepared.delete(domainId);
  }

  private async unsign(signing: SigningRepository, domainId: string): Promise<void> {
    const changes = (await signing.derived(domainId)).map((before): DerivedChange => ({ before, after: null }));
    const { serial } = (await signing.findAny(domainId)) ?? {};
    if (serial !== undefined) await signing.write(domainId, serial, changes, this.clock.now());
  }

  private signerOf(zone: SignedZoneState): RrsetSigner {
    const prepared = this.prepared.get(zone.domainId);
    if (prepared?.keyIds === keyIdsOf(zone)) return prepared.signer;
    return new RrsetSigner(
      zone.zoneName,
      zone.keys.map((key) => this.open(key)),
      this.signatureClock.now(),
    );
  }

  private open({ id, algorithm, keyTag, sealedPrivateKey }: StoredSigningKey): PrivateSigningKey {
    const open = this.openKeys.get(id);
    if (open) return open;
    const der = Buffer.from(this.secrets.open(sealedPrivateKey, purposeOfSigningKey(id)), 'base64');
    const opened = { id, algorithm, keyTag, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
    this.openKeys.set(id, opened);
    const [oldest] = this.openKeys.size > MAX_OPEN_KEYS ? this.openKeys.keys() : [];
    if (oldest !== undefined) this.openKeys.delete(oldest);
    return opened;
  }
}

function keyIdsOf({ keys }: SignedZoneState): string {
  return keys.map(({ id }) => id).join(' ');
}
