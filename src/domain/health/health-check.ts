/** From the worst to the best; `unknown` means that it could not be checked. */
export const CHECK_STATES = ['problem', 'warning', 'unknown', 'ok', 'not_applicable'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** The worst state of a domain's checks. */
export type HealthState = Exclude<CheckState, 'not_applicable'>;
export const HEALTH_STATES: readonly HealthState[] = ['problem', 'warning', 'unknown', 'ok'];

export const CHECK_IDS = [
  'delegation',
  'nameservers',
  'resolution',
  'dnssec',
  'mx',
  'spf',
  'dmarc',
  'caa',
  'cname_targets',
  'expiry',
  'transfer_lock',
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/** What this service can do about the finding of a check. */
export type HealthAction =
  'change_nameservers' | 'edit_records' | 'change_dnssec' | 'renew' | 'restore' | 'enable_auto_renewal' | 'lock';

/** The finding of one check. */
export interface Finding {
  readonly state: CheckState;
  /** One sentence. */
  readonly summary: string;
  /** What was seen, a line each. */
  readonly evidence?: readonly string[];
  /** What to do, in sentences. */
  readonly advice?: string;
  readonly action?: HealthAction;
}

export interface HealthCheck {
  readonly id: CheckId;
  readonly state: CheckState;
  readonly summary: string;
  readonly evidence: readonly string[];
  readonly advice: string | null;
  readonly action: HealthAction | null;
}

/** Records of strangers must not fill the database. */
const MAX_EVIDENCE = 20;
const MAX_TEXT_LENGTH = 300;

export function checkOf(id: CheckId, { state, summary, evidence = [], advice, action }: Finding): HealthCheck {
  const hidden = evidence.length - MAX_EVIDENCE;
  return {
    id,
    state,
    summary: clip(summary),
    evidence: [...evidence.slice(0, MAX_EVIDENCE).map(clip), ...(hidden > 0 ? [`… and ${hidden} more`] : [])],
    advice: advice === undefined ? null : clip(advice),
    action: action ?? null,
  };
}

/** The worst state; checks that do not apply say nothing about a domain. */
export function worstOf(states: readonly CheckState[]): HealthState {
  return HEALTH_STATES.find((state) => states.includes(state)) ?? 'ok';
}

function clip(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
