import type { SignedZone, ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import type { CdsContent } from '../../../src/domain/dns/dnssec/signing-step';
import type { NewSigningKey } from '../../../src/application/ports/dns/signing-repository';
import type { Stores } from '../../../src/application/ports/storage/unit-of-work';
import { dsRecordOf } from '../../../src/domain/dns/delegation/ds-record';
import type { Denial } from '../../../src/domain/dns/dnssec/zone-signing-state';

/** Keys without signatures. Raises the zone's serial for each change, and records what was done. */
export class ScriptedSigner implements ZoneSigner {
  readonly calls: string[] = [];
  private readonly zones = new Map<string, SignedZone>();
  private made = 0;

  async createKey(): Promise<NewSigningKey> {
    this.made += 1;
    const publicKey = Buffer.alloc(64, this.made).toString('base64');
    const { keyTag } = dsRecordOf('', { flags: 257, algorithm: 13, publicKey });
    return { id: `key_${this.made}`, algorithm: 13, keyTag, publicKey, sealedPrivateKey: '' };
  }

  async prepare(): Promise<void> {}

  async prepareChange(): Promise<void> {}

  async find(domainId: string): Promise<SignedZone | undefined> {
    return this.zones.get(domainId);
  }

  async start(
    stores: Stores,
    domainId: string,
    { denial, key }: { readonly denial: Denial; readonly key: NewSigningKey },
  ): Promise<void> {
    this.zones.set(domainId, { denial, cds: 'none', keys: [] });
    await this.change(stores, domainId, `start ${denial}`, (zone) => withKey(zone, key));
  }

  async stop(stores: Stores, domainId: string): Promise<void> {
    await this.change(stores, domainId, 'stop', () => undefined);
  }

  async addKey(stores: Stores, domainId: string, key: NewSigningKey): Promise<void> {
    await this.change(stores, domainId, `addKey ${key.id}`, (zone) => withKey(zone, key));
  }

  async retireKey(stores: Stores, domainId: string, keyId: string): Promise<void> {
    await this.change(stores, domainId, `retireKey ${keyId}`, (zone) => ({
      ...zone,
      keys: zone.keys.map((key) => (key.id === keyId ? { ...key, retiredAt: new Date(0) } : key)),
    }));
  }

  async removeKey(stores: Stores, domainId: string, keyId: string): Promise<void> {
    await this.change(stores, domainId, `removeKey ${keyId}`, (zone) => ({
      ...zone,
      keys: zone.keys.filter(({ id }) => id !== keyId),
    }));
  }

  async setCds(stores: Stores, domainId: string, cds: CdsContent): Promise<void> {
    await this.change(stores, domainId, `setCds ${cds}`, (zone) => ({ ...zone, cds }));
  }

  private async change(
    { zones }: Stores,
    domainId: string,
    call: string,
    change: (zone: SignedZone) => SignedZone | undefined,
  ): Promise<void> {
    this.calls.push(call);
    const zone = this.zones.get(domainId);
    const changed = zone && change(zone);
    if (changed) this.zones.set(domainId, changed);
    else this.zones.delete(domainId);
    await zones.raiseSerial(domainId);
  }
}

function withKey(zone: SignedZone, { sealedPrivateKey: _sealed, ...key }: NewSigningKey): SignedZone {
  return { ...zone, keys: [...zone.keys, { ...key, createdAt: new Date(0), retiredAt: null }] };
}
