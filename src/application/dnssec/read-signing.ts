import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { delegationOf } from '../../domain/dns/delegation/delegation';
import { dsRecordsToCopy, type DsRecord } from '../../domain/dns/delegation/ds-record';
import type { CdsPolicy, CdsScanState } from '../../domain/dns/dnssec/parent/cds-scan';
import type { ParentNotice } from '../../domain/dns/dnssec/parent/parent-notice';
import type { ZoneSigning } from '../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../domain/registration/domain';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { requireOwned } from '../access/require-domain';
import { CdsScanReader } from '../ports/dns/other-nameservers';
import { ZoneSigningReader, type SigningKey } from '../ports/dns/signing-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { isSupported } from '../operations/assert-supported';
import { RegistrationSettings } from '../registration/registration-settings';
import type { SignedDomain } from './change-signing';
import { isDsWithParent } from './ds-with-parent';
import { ZoneSigner } from '../dns/signing/zone-signer';

interface ParentReport {
  /** What the parent should have: of each key the digests of types 2 and 4, of which one is enough. None if it should have none. */
  readonly ds: readonly DsRecord[];
  /** The last NOTIFY; null before the first. */
  readonly notice: ParentNotice | null;
}

export interface SigningReport extends SignedDomain {
  /** Whether the registry takes DS records for this domain. */
  readonly isSupported: boolean;
  /** Oldest first; none while the zone is not signed. */
  readonly keys: readonly SigningKey[];
  /** For a signed zone whose DS records the service cannot set. */
  readonly parent: ParentReport | undefined;
  /** For zones at other nameservers, if the TLD reads their CDS records. */
  readonly cds: { readonly policy: CdsPolicy; readonly scan: CdsScanState | undefined } | undefined;
}

/** Reads whether a zone is signed, what the service waits for and until when. @throws LimitedKey, DomainNotFound */
@injectable()
export class ReadSigning {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ZoneSigningReader) private readonly signings: ZoneSigningReader,
    @inject(ZoneSigner) private readonly signer: Pick<ZoneSigner, 'find'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(CdsScanReader) private readonly scans: Pick<CdsScanReader, 'find'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async execute({ accountId, actor, domainId }: Reader & { readonly domainId: string }): Promise<SigningReport> {
    const domain = requireOwned(await this.domains.find(accountId, domainId), { actor }, 'read');
    return this.of(domain);
  }

  /** For a domain that the caller has found. */
  async of(domain: Domain): Promise<SigningReport> {
    const signing = await this.signings.find(domain.id);
    const keys = signing ? ((await this.signer.find(domain.id))?.keys ?? []) : [];
    const isForeign =
      !signing && delegationOf(domain.toState().nameservers, this.settings.defaultNameservers) !== 'ours';
    const policy = isForeign ? this.policies.forName(domain.name)?.cds : undefined;
    return {
      domain,
      signing,
      keys,
      isSupported: isSupported(this.policies, domain.name, 'delegation_signers'),
      parent: signing && isDsWithParent(this.policies, domain) ? parentReport(domain, signing) : undefined,
      cds: policy && { policy, scan: await this.scans.find(domain.id) },
    };
  }
}

function parentReport({ name }: Domain, signing: ZoneSigning): ParentReport {
  const { dsRecords, notice } = signing.toState();
  return { ds: dsRecordsToCopy(name.value, dsRecords ?? []), notice };
}
