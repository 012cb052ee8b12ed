import type { KeyObject } from 'node:crypto';
import { inject, injectable } from '../../../ports/inject';
import type { QuerySignature } from '../../../../domain/domain-connect/apply-query';
import { ConnectRefused } from '../../../../domain/domain-connect/connect-errors';
import { isSignedBy, keyName, readSignatureKey } from '../../../../domain/domain-connect/signature-key';
import { DnsProbe } from '../../../ports/health/health-repository';
import { Clock } from '../../../ports/system';

const KEPT_MS = 60_000;
const MAX_KEPT = 500;

interface KeptKey {
  readonly key: KeyObject;
  readonly until: number;
}

/** The public keys that service providers publish in DNS. The resolver validates them where their zone is signed. */
@injectable()
export class ProviderKeys {
  /** By name, oldest first. */
  private readonly kept = new Map<string, KeptKey>();

  constructor(
    @inject(DnsProbe) private readonly probe: Pick<DnsProbe, 'resolve'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * @param isFinal looks the key up again, because it may have been replaced or withdrawn since the person was asked
   * @throws ConnectRefused
   */
  async verify(signature: QuerySignature, domain: string, { isFinal = false } = {}): Promise<void> {
    const name = keyName(signature.key, domain);
    if (name === undefined) throw new ConnectRefused('The key of the signature is no name');
    const kept = isFinal ? undefined : this.keptAt(name);
    if (kept && isSignedBy(signature, kept)) return;
    const key = await this.lookUp(name);
    if (!isSignedBy(signature, key))
      throw new ConnectRefused(
        'The signature of the link is wrong: it was changed, or the provider has replaced its key',
      );
    this.keep(name, key);
  }

  /** @throws ConnectRefused */
  private async lookUp(name: string): Promise<KeyObject> {
    const lookup = await this.probe.resolve({ name, type: 'TXT' });
    if (lookup.kind === 'servfail')
      throw unavailable(`Resolvers do not trust or do not find the key of the provider (${name})`);
    if (lookup.kind === 'failed') throw unavailable(`The key of the provider (${name}) could not be looked up`);
    const key = lookup.kind === 'found' ? readSignatureKey(lookup.records) : undefined;
    if (!key) throw new ConnectRefused(`The provider publishes no usable key at ${name}`);
    return key;
  }

  private keptAt(name: string): KeyObject | undefined {
    const kept = this.kept.get(name);
    return kept && kept.until > this.clock.now().getTime() ? kept.key : undefined;
  }

  private keep(name: string, key: KeyObject): void {
    this.kept.delete(name);
    this.kept.set(name, { key, until: this.clock.now().getTime() + KEPT_MS });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

function unavailable(details: string): ConnectRefused {
  return new ConnectRefused(`${details}. Try again later.`, 'temporarily_unavailable');
}
