import type { DsRecord } from '../../delegation/ds-record';
import { isSameDsRecords } from './child-ds-records';

/**
 * What CDS and CDNSKEY records of zones at other nameservers may do (RFC 7344):
 * - `rollovers`: change or remove DS records that exist;
 * - `delayed`: also set the first ones, once every nameserver has asked for the same for three days (RFC 8078, section 3.3);
 * - `authenticated`: also set the first ones, if the operators of the nameservers confirm them (RFC 9615).
 */
export const CDS_POLICIES = ['rollovers', 'delayed', 'authenticated'] as const;
export type CdsPolicy = (typeof CDS_POLICIES)[number];

/** `none`: the zone asks for nothing. `waiting`: for the end of the delay. `changed`: the DS records are sent to the registry. */
export type ScanOutcome = 'none' | 'unchanged' | 'changed' | 'waiting' | 'refused';

export interface CdsScanState {
  readonly domainId: string;
  readonly outcome: ScanOutcome;
  /** Why it was refused; null in other cases. */
  readonly reason: string | null;
  readonly scannedAt: Date;
  readonly dueAt: Date;
  /** When the oldest signature that was accepted last begins, in seconds since 1970: older ones are refused. */
  readonly inception: number | null;
  /** The first DS records that the zone asks for, and since when, while they wait. */
  readonly waiting: { readonly dsRecords: readonly DsRecord[]; readonly since: Date } | null;
}

/** Most signers renew signatures every few days, and a rollover takes longer. */
const INTERVAL_MS = 24 * 60 * 60_000;
/** RFC 8078, section 3.3, gives no figure; registries use three days. */
const ACCEPT_AFTER_MS = 3 * 24 * 60 * 60_000;

export type ScanFinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unchanged' | 'changed'; readonly inception: number }
  | { readonly kind: 'waiting'; readonly dsRecords: readonly DsRecord[] };

/** The state after a scan. A refusal keeps the inception, and ends the wait of first DS records. */
export function afterScan(
  before: CdsScanState | undefined,
  domainId: string,
  finding: ScanFinding,
  now: Date,
): CdsScanState {
  const inception = 'inception' in finding ? Math.max(finding.inception, before?.inception ?? 0) : before?.inception;
  return {
    domainId,
    outcome: finding.kind,
    reason: finding.kind === 'refused' ? finding.reason : null,
    scannedAt: now,
    dueAt: new Date(now.getTime() + INTERVAL_MS),
    inception: inception ?? null,
    waiting:
      finding.kind === 'waiting'
        ? { dsRecords: finding.dsRecords, since: waitingSince(before, finding.dsRecords, now) }
        : null,
  };
}

/** When first DS records are accepted, if the zone still asks for them then. */
export function acceptedAfter({ since }: { readonly since: Date }): Date {
  return new Date(since.getTime() + ACCEPT_AFTER_MS);
}

/** Since when the zone has asked for these first DS records at every scan. */
export function waitingSince(
  before: Pick<CdsScanState, 'waiting'> | undefined,
  dsRecords: readonly DsRecord[],
  now: Date,
): Date {
  const { waiting } = before ?? {};
  return waiting && isSameDsRecords(waiting.dsRecords, dsRecords) ? waiting.since : now;
}
