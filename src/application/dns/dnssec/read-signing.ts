import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import type { Domain } from '../../../domain/registration/domain';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import { requireDomain } from '../../access/require-domain';
import { ZoneSigningReader } from '../../ports/dns/zone-signings';
import { DomainReader } from '../../ports/registration/domain-repository';
import { isSupported } from '../../registration/assert-supported';
import type { SignedDomain } from './change-signing';
import { ZoneSigner, type SigningKey } from './zone-signer';

export interface SigningReport extends SignedDomain {
  /** Whether the registry takes DS records for this domain. */
  readonly isSupported: boolean;
  /** Oldest first; none while the zone is not signed. */
  readonly keys: readonly SigningKey[];
}

/** Reads whether a zone is signed, what the service waits for and until when. @throws LimitedKey, DomainNotFound */
@injectable()
export class ReadSigning {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ZoneSigningReader) private readonly signings: ZoneSigningReader,
    @inject(ZoneSigner) private readonly signer: Pick<ZoneSigner, 'find'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute({ accountId, actor, domainId }: Requester & { readonly domainId: string }): Promise<SigningReport> {
    const domain = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'read');
    return this.of(domain);
  }

  /** For a domain that the caller has found. */
  async of(domain: Domain): Promise<SigningReport> {
    const signing = await this.signings.find(domain.id);
    const keys = signing ? ((await this.signer.find(domain.id))?.keys ?? []) : [];
    return { domain, signing, keys, isSupported: isSupported(this.policies, domain.name, 'delegation_signers') };
  }
}
