import type { CdsPolicy, ScanOutcome } from '../../../domain/dns/dnssec/parent/cds-scan';
import type { NoticeOutcome } from '../../../domain/dns/dnssec/parent/parent-notice';
import type { SigningState, SigningWait } from '../../../domain/dns/dnssec/signing-step';
import type { Tone } from '../layout/components';

/** The badge of each state. */
export const SIGNING_LABELS: Readonly<Record<SigningState, { readonly label: string; readonly tone: Tone }>> = {
  off: { label: 'off', tone: 'plain' },
  publishing: { label: 'publishing', tone: 'warning' },
  waiting_for_ds: { label: 'setting DS records', tone: 'warning' },
  active: { label: 'active', tone: 'good' },
  removing_ds: { label: 'removing DS records', tone: 'warning' },
  unpublishing: { label: 'removing signatures', tone: 'warning' },
  error: { label: 'needs attention', tone: 'bad' },
};

/** What the service waits for. */
export const WAIT_TEXTS: Readonly<Record<SigningWait, string>> = {
  service: 'The service is changing keys and signatures.',
  secondaries: 'Waiting until every nameserver serves the change.',
  caches: 'Waiting until resolvers no longer cache the former records.',
  registry: 'Waiting for the registry to confirm the DS records.',
  parent: 'Waiting until the nameservers of the parent zone have the DS records.',
  ds_caches: 'Waiting until resolvers no longer cache the former DS records.',
  key_lifetime: 'Resolvers that validate reject forged answers for this domain.',
};

/** The steps of switching on and off, in the words of the page. */
export const STEPS_ON = ['Sign and publish the zone', 'Wait for caches', 'Set the DS records', 'Active'] as const;
export const STEPS_OFF = ['Remove the DS records', 'Wait for caches', 'Remove the signatures', 'Off'] as const;

/** The position of the present step in `STEPS_ON` or `STEPS_OFF`. */
export function positionOf(state: SigningState, waitsFor: SigningWait): number {
  if (state === 'active') return STEPS_ON.length - 1;
  if (state === 'waiting_for_ds' || state === 'unpublishing') return 2;
  return waitsFor === 'caches' || waitsFor === 'ds_caches' ? 1 : 0;
}

/** What CDS and CDNSKEY records of a zone at other nameservers may do. */
export const CDS_POLICY_TEXTS: Readonly<Record<CdsPolicy, string>> = {
  rollovers: 'The nameservers of this domain can change its DS records by CDS records, once it has some.',
  delayed:
    'The nameservers of this domain can change its DS records by CDS records. The first ones are set when all nameservers have asked for them for three days.',
  authenticated:
    'The nameservers of this domain can change its DS records by CDS records. The first ones are set when the operators of the nameservers confirm them (RFC 9615).',
};

/** What the last scan found. */
export const CDS_OUTCOME_TEXTS: Readonly<Record<ScanOutcome, string>> = {
  none: 'The zone asks for no change.',
  unchanged: 'The registry has the DS records that the zone asks for.',
  changed: 'The DS records that the zone asks for were sent to the registry.',
  waiting: 'The zone asks for its first DS records.',
  refused: 'The request of the zone was refused:',
};

/** What became of the last NOTIFY to the parent. */
export const NOTICE_TEXTS: Readonly<Record<NoticeOutcome, string>> = {
  accepted: 'The parent was notified and will check the zone.',
  refused: 'The parent refused the notification.',
  no_response: 'The parent did not respond to the notification.',
  no_receiver: 'The parent takes no notifications. It may check CDS records from time to time.',
  unusable_receiver: 'The parent takes notifications at no address that this service can send to.',
  unknown: 'Whether the parent takes notifications could not be looked up.',
};
