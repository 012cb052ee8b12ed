import { dsRecordOf, type DsRecord, type DnsKey } from '../dns/delegation/ds-record';
import type { SigningState } from '../dns/dnssec/signing-step';
import type { Finding } from './health-check';
import { failureOf, recordsOf, type Lookup } from './lookup';

interface ResolutionEvidence {
  /** The SOA record of the domain through the resolver, with and without validation (the CD bit). */
  readonly soa: Lookup;
  readonly unchecked: Lookup;
  /** The NS records through the resolver. */
  readonly ns: Lookup;
  /** Of the domain, at the registry. */
  readonly nameservers: readonly string[];
}

/** Whether SERVFAIL comes from validation: without it, the resolver has an answer. */
function isBogus({ soa, unchecked }: Pick<ResolutionEvidence, 'soa' | 'unchecked'>): boolean {
  return soa.kind === 'servfail' && failureOf(unchecked) === undefined;
}

/** The domain as the configured resolver sees it. */
export function judgeResolution(found: ResolutionEvidence): Finding {
  const { soa, ns, nameservers } = found;
  if (soa.kind === 'failed')
    return { state: 'unknown', summary: 'The resolver did not respond.', evidence: [soa.reason] };
  if (isBogus(found))
    return {
      state: 'problem',
      summary: 'Resolvers that validate DNSSEC reject every answer for the domain.',
      evidence: ['SERVFAIL with validation, an answer without'],
      advice: 'See the DNSSEC check.',
      action: 'change_dnssec',
    };
  if (soa.kind === 'servfail')
    return {
      state: 'problem',
      summary: 'The domain does not resolve: no nameserver answered the resolver.',
      evidence: ['SERVFAIL'],
      advice: 'See the delegation and the nameservers.',
      action: 'change_nameservers',
    };
  if (soa.kind === 'no_name')
    return {
      state: 'problem',
      summary: 'The domain does not exist for resolvers.',
      evidence: ['NXDOMAIN'],
      advice:
        'The parent zone does not have the delegation: it may be new, on hold, or without nameservers. Resolvers may keep the answer for an hour.',
      action: 'change_nameservers',
    };
  const seen = recordsOf(ns).toSorted();
  const evidence = [`Serial: ${recordsOf(soa).join(', ') || 'none'}`, `NS: ${seen.join(', ') || 'none'}`];
  if (soa.kind === 'no_data')
    return {
      state: 'problem',
      summary: 'The nameservers answer without an SOA record.',
      evidence,
      action: 'change_nameservers',
    };
  if (ns.kind === 'found' && seen.join() !== nameservers.toSorted().join())
    return {
      state: 'warning',
      summary: 'The zone names other nameservers than the delegation.',
      evidence: [...evidence, `Delegation: ${nameservers.toSorted().join(', ')}`],
      advice: 'After a change of nameservers that is normal for up to two days. Otherwise make them equal.',
      action: 'change_nameservers',
    };
  const unread = failureOf(ns);
  return unread === undefined
    ? { state: 'ok', summary: 'The domain resolves.', evidence }
    : { state: 'unknown', summary: 'The domain resolves, but its NS records could not be read.', evidence: [unread] };
}

interface DnssecEvidence extends Pick<ResolutionEvidence, 'soa' | 'unchecked'> {
  readonly zoneName: string;
  /** At the parent, and in the zone. Both without validation. */
  readonly ds: Lookup;
  readonly dnskey: Lookup;
  /** Of the zone here. */
  readonly signing: SigningState;
  readonly isServedHere: boolean;
}

/** The chain of trust from the parent's DS records to the keys of the zone (RFC 4035 section 5). */
export function judgeDnssec(found: DnssecEvidence): Finding {
  const { zoneName, soa, ds, dnskey, signing, isServedHere } = found;
  if (signing === 'error' && isServedHere)
    return {
      state: 'problem',
      summary: 'A step of DNSSEC has failed.',
      advice: 'The DNSSEC page says what failed and what to do.',
      action: 'change_dnssec',
    };
  const failure = failureOf(ds);
  if (failure !== undefined)
    return { state: 'unknown', summary: 'The DS records could not be looked up.', evidence: [failure] };
  const dsRecords = recordsOf(ds);
  const keys = recordsOf(dnskey);
  const evidence = [...dsRecords.map((each) => `DS ${each}`), ...keys.map((each) => `DNSKEY ${each}`)];
  if (dsRecords.length === 0) return withoutDsRecords(found, evidence);
  if (isBogus(found))
    return {
      state: 'problem',
      summary: 'The resolver rejects the signatures of the zone.',
      evidence,
      advice: isServedHere
        ? 'If the nameservers serve the current zone, compare the DS records at the registry with the DNSSEC page.'
        : 'Remove the DS records, or have the zone signed with the keys that they name.',
      action: 'change_dnssec',
    };
  const unread = failureOf(dnskey);
  if (unread !== undefined)
    return { state: 'unknown', summary: 'The DNSKEY records could not be looked up.', evidence: [unread, ...evidence] };
  if (!keys.some((key) => dsRecords.some((dsRecord) => isDsOf(zoneName, dsRecord, key))))
    return {
      state: 'problem',
      summary:
        keys.length === 0
          ? 'The registry has DS records, and the zone is not signed.'
          : 'No DS record at the registry belongs to a key of the zone.',
      evidence,
      advice: 'Remove the DS records, or have the zone signed with the keys that they name.',
      action: 'change_dnssec',
    };
  if (soa.kind === 'failed')
    return { state: 'unknown', summary: 'The signatures could not be checked.', evidence: [soa.reason, ...evidence] };
  return soa.kind === 'found' && soa.isAuthentic
    ? { state: 'ok', summary: 'The resolver has validated the answer of the domain.', evidence }
    : {
        state: 'ok',
        summary: 'The DS records at the registry belong to keys of the zone.',
        evidence: [...evidence, 'The resolver did not validate the answer (no AD bit).'],
      };
}

function withoutDsRecords({ signing, isServedHere }: DnssecEvidence, evidence: readonly string[]): Finding {
  if (!isServedHere || signing === 'off')
    return {
      state: 'not_applicable',
      summary: 'DNSSEC is off.',
      ...(isServedHere && { advice: 'DNSSEC lets resolvers reject forged answers.', action: 'change_dnssec' }),
    };
  if (signing === 'active')
    return {
      state: 'warning',
      summary: 'DNSSEC is on, and the parent zone has no DS records.',
      evidence,
      advice: 'Resolvers may see new DS records up to a day later. The DNSSEC page shows what the registry has.',
      action: 'change_dnssec',
    };
  return { state: 'ok', summary: 'DNSSEC is being switched on or off.', evidence };
}

/** Both in presentation format: RFC 4034 sections 2.2 and 5.3. */
function isDsOf(zoneName: string, dsRecord: string, key: string): boolean {
  const [tag, algorithm, digestType, ...digest] = dsRecord.split(' ');
  const [flags, , keyAlgorithm, ...publicKey] = key.split(' ');
  const dnsKey: DnsKey = { flags: Number(flags), algorithm: Number(keyAlgorithm), publicKey: publicKey.join('') };
  const type = Number(digestType);
  // An outdated digest (SHA-1) cannot be computed here; the key tag must do.
  const made: DsRecord = dsRecordOf(zoneName, dnsKey, type === 4 ? 4 : 2);
  const isSameKey = made.keyTag === Number(tag) && made.algorithm === Number(algorithm);
  return isSameKey && ((type !== 2 && type !== 4) || made.digest === digest.join('').toUpperCase());
}
