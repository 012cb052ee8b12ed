/** As the REST interface and the dashboard show it. `off` is also the state of a zone that was never signed. */
export type SigningState =
  'off' | 'publishing' | 'waiting_for_ds' | 'active' | 'removing_ds' | 'unpublishing' | 'error';

/**
 * What has to happen before a zone moves on:
 * - `service`: work of this service, which starts at once;
 * - `secondaries`: every secondary serves a serial;
 * - `caches`: records without signatures, or without a new key, expire in caches;
 * - `registry`: the registry has the DS records, and the parent's nameservers publish them if they can be asked;
 * - `parent`: the parent's nameservers have the DS records, which it takes from the CDS records or a person sets;
 * - `ds_caches`: former DS records expire in caches;
 * - `key_lifetime`: the next key rollover.
 */
export type SigningWait = 'service' | 'secondaries' | 'caches' | 'registry' | 'parent' | 'ds_caches' | 'key_lifetime';

/**
 * The CDS and CDNSKEY records at the apex (RFC 7344), one of each for a key: none; of the oldest key that is not retired, or of all of
 * these; or the ones that ask the parent to delete the DS records (RFC 8078, section 4).
 */
export type CdsContent = 'none' | 'first' | 'keys' | 'delete';

interface StepRule {
  readonly state: Exclude<SigningState, 'off' | 'error'>;
  readonly waitsFor: SigningWait;
  /**
   * The CDS records that the step publishes, if it sets the parent's DS records: at its end, these are those of the CDS records, which
   * stay until the next such step. They are of keys that every resolver has by then.
   */
  readonly cds?: Exclude<CdsContent, 'none'>;
}

/**
 * The steps of enabling, of a rollover by double signature and double DS (RFC 6781 sections 4.1.2 and 4.1.3), and of
 * disabling, in their order.
 */
const STEPS = {
  sign: { state: 'publishing', waitsFor: 'service' },
  publish: { state: 'publishing', waitsFor: 'secondaries' },
  wait_for_signed: { state: 'publishing', waitsFor: 'caches' },
  add_ds: { state: 'waiting_for_ds', waitsFor: 'registry', cds: 'first' },

  check: { state: 'active', waitsFor: 'key_lifetime' },
  add_key: { state: 'active', waitsFor: 'service' },
  publish_key: { state: 'active', waitsFor: 'secondaries' },
  wait_for_key: { state: 'active', waitsFor: 'caches' },
  add_second_ds: { state: 'active', waitsFor: 'registry', cds: 'keys' },
  replace_ds: { state: 'active', waitsFor: 'registry', cds: 'first' },
  wait_for_new_ds: { state: 'active', waitsFor: 'ds_caches' },
  retire_key: { state: 'active', waitsFor: 'service' },

  remove_ds: { state: 'removing_ds', waitsFor: 'registry', cds: 'delete' },
  wait_without_ds: { state: 'removing_ds', waitsFor: 'ds_caches' },
  unsign: { state: 'unpublishing', waitsFor: 'service' },
  publish_unsigned: { state: 'unpublishing', waitsFor: 'secondaries' },
} as const satisfies Record<string, StepRule>;

export type SigningStep = keyof typeof STEPS;

/** @param hasProblem whether something keeps the zone from moving on */
export function signingStateOf(step: SigningStep, hasProblem: boolean): SigningState {
  return hasProblem ? 'error' : STEPS[step].state;
}

export function ruleOf(step: SigningStep): StepRule {
  return STEPS[step];
}

/** Whether a key rollover is in progress. */
export function isRollover(step: SigningStep): boolean {
  return STEPS[step].state === 'active' && step !== 'check';
}
