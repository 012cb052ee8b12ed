import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { inject, injectable } from '../../ports/inject';
import { dsRecordOf } from '../../../domain/dns/delegation/ds-record';
import type { CdsContent } from '../../../domain/dns/dnssec/signing-step';
import { ECDSA_P256 } from '../../../domain/dns/dnssec/signing-records';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing-state';
import { SigningReader, type StoredSigningKey, type NewSigningKey } from '../../ports/dns/signing-repository';
import { ZoneReader } from '../../ports/dns/zone-repository';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { Clock, IdGenerator, SecretBox } from '../../ports/system';
import { dnsKeyOf } from './signatures/apex-content';
import { purposeOfSigningKey, SignChanges } from './signatures/sign-changes';
import type { PreparedSigning, SignedZone, SigningStores, ZoneSigner } from './zone-signer';

/** Keeps keys and signatures in the database. */
@injectable()
export class StoredZoneSigner implements ZoneSigner {
  constructor(
    @inject(SigningReader) private readonly zones: SigningReader,
    @inject(ZoneReader) private readonly records: Pick<ZoneReader, 'recordsAt'>,
    @inject(SignChanges) private readonly changes: SignChanges,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async createKey(): Promise<NewSigningKey> {
    const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
    // RFC 6605, section 4: the point without a prefix.
    const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-64).toString('base64');
    const id = this.ids.next('zk');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const key = { algorithm: ECDSA_P256, publicKey: point };
    const { keyTag } = dsRecordOf('', dnsKeyOf(key));
    return { id, ...key, keyTag, sealedPrivateKey: this.secrets.seal(der, purposeOfSigningKey(id)) };
  }

  async prepare(domainId: string, { denial, addedKey, removedKeyId }: PreparedSigning): Promise<void> {
    const found = await this.zones.findAny(domainId);
    const added = addedKey ? [{ ...addedKey, createdAt: this.clock.now(), retiredAt: null }] : [];
    const signedBy = denial ?? found?.denial;
    if (!found || !signedBy) return;
    const keys = [...found.keys, ...added].filter(({ id }) => id !== removedKeyId);
    await this.changes.prepare(this.zones, { ...found, denial: signedBy, keys });
  }

  async prepareChange(domainId: string, change: ZoneChange): Promise<void> {
    const zone = await this.zones.find(domainId);
    if (zone) await this.changes.prepareChange({ before: this.zones, zones: this.records }, zone, change);
  }

  async find(domainId: string): Promise<SignedZone | undefined> {
    return this.zones.find(domainId);
  }

  async start(
    { signing, zones }: SigningStores,
    domainId: string,
    { denial, key }: { readonly denial: Denial; readonly key: NewSigningKey },
  ): Promise<void> {
    await zones.lock(domainId);
    if (await signing.find(domainId)) throw new Error(`the zone of ${domainId} is signed already`);
    await signing.set(domainId, { denial, cds: 'none' });
    await signing.addKey(domainId, key, this.clock.now());
    await zones.raiseSerial(domainId, { isWhole: true });
  }

  async stop({ signing, zones }: SigningStores, domainId: string): Promise<void> {
    await zones.lock(domainId);
    const zone = await signing.find(domainId);
    if (!zone) return;
    for (const { id } of zone.keys) await signing.removeKey(domainId, id);
    await signing.set(domainId, undefined);
    await zones.raiseSerial(domainId, { isWhole: true });
  }

  async addKey({ signing, zones }: SigningStores, domainId: string, key: NewSigningKey): Promise<void> {
    await zones.lock(domainId);
    await signing.addKey(domainId, key, this.clock.now());
    await zones.raiseSerial(domainId, { isWhole: true });
  }

  async retireKey({ signing, zones }: SigningStores, domainId: string, keyId: string): Promise<void> {
    await zones.lock(domainId);
    await signing.retireKey(domainId, keyId, this.clock.now());
    await zones.raiseSerial(domainId);
  }

  async removeKey({ signing, zones }: SigningStores, domainId: string, keyId: string): Promise<void> {
    await zones.lock(domainId);
    const { keys = [] } = (await signing.find(domainId)) ?? {};
    if (!keys.some(({ id }) => id === keyId)) return;
    if (keys.length === 1) throw new Error(`${keyId} is the last key of the zone of ${domainId}`);
    await signing.removeKey(domainId, keyId);
    await zones.raiseSerial(domainId, { isWhole: true });
  }

  async setCds({ signing, zones }: SigningStores, domainId: string, cds: CdsContent): Promise<void> {
    await zones.lock(domainId);
    const zone = await signing.find(domainId);
    if (!zone || zone.cds === cds) return;
    // After the secret key was lost, DNSSEC can still be switched off, without these records.
    if (cds === 'delete' && !zone.keys.every((key) => this.isReadable(key))) return;
    await signing.set(domainId, { denial: zone.denial, cds });
    await zones.raiseSerial(domainId);
  }

  private isReadable({ id, sealedPrivateKey }: StoredSigningKey): boolean {
    try {
      this.secrets.open(sealedPrivateKey, purposeOfSigningKey(id));
      return true;
    } catch {
      return false;
    }
  }
}
