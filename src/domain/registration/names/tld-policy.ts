import type { CdsPolicy } from '../../dns/dnssec/parent/cds-scan';
import { scriptOf } from '../../shared/idna';
import { ValidationError } from '../../shared/validation-error';
import type { Issue } from '../../shared/issue';
import type { DomainName } from '../../shared/domain-name';
import type { Registrant } from '../registrant';

/** A registry's rules for the names under one suffix. */
export interface TldPolicy {
  /** Lower-case A-labels without a leading dot: `com`, `co.uk`. */
  readonly suffix: string;
  /** Registration terms. */
  readonly years: YearRange;
  /** Renewal terms. */
  readonly renewalYears: YearRange;
  readonly nameservers: { readonly min: number; readonly max: number };
  readonly periods: LifecyclePeriods;
  /**
   * How many seconds after a command that took effect the registry's reads may still show the state before it. A command whose
   * response was lost is not repeated before. 0 if reads are consistent; `DEFAULT_READ_LAG_SECONDS` if absent.
   */
  readonly readLagSeconds?: number;
  /** What the registry or registrar does not offer here; nothing if absent. */
  readonly unsupported?: readonly RegistryFeature[];
  /**
   * Whose addresses `RegistryPort.setGlue` changes here: those of the domain's own nameservers under itself, or those of any
   * host under it. Absent without `setGlue`: changed addresses are sent with the next change of nameservers.
   */
  readonly glue?: 'own' | 'any';
  /** Whether `RegistryPort.release` moves names here to another registrar. */
  readonly releases?: boolean;
  /** Whether the registry asks for no auth code in a transfer to us. */
  readonly transfersWithoutCode?: boolean;
  /** What CDS records of zones at other nameservers may do; they are not read if absent. */
  readonly cds?: CdsPolicy;
  /**
   * The registry's languages or tables of internationalized names, by Unicode script. The first of a script is its default.
   * Absent if the registry does not ask for one.
   */
  readonly idnLanguages?: IdnLanguages;
  /**
   * At a registry that renews every name by itself: how many days before its expiry the service deletes a name with auto-renewal off.
   * The service deletes none there if absent.
   */
  readonly deleteUnrenewedDays?: number;
  /** What the registry would refuse in a registrant, by the field's name in the API; nothing if absent. */
  readonly registrantIssues?: (registrant: Registrant) => readonly Issue[];
}

export type IdnLanguages = Readonly<Record<string, readonly string[]>>;

/** BCP 47, and names of tables at registries. */
const IDN_LANGUAGE = /^[A-Za-z0-9][\w-]{0,33}[A-Za-z0-9]$/;

/**
 * The languages with which a name can be registered, its default first; empty if none are configured for its script. Undefined for an
 * ASCII name, and if the registry does not ask for a language.
 */
export function idnLanguagesOf(
  { value }: Pick<DomainName, 'value'>,
  { idnLanguages }: Pick<TldPolicy, 'idnLanguages'>,
): readonly string[] | undefined {
  const [label = ''] = value.split('.');
  if (!idnLanguages || !label.startsWith('xn--')) return undefined;
  return idnLanguages[scriptOf(label, Object.keys(idnLanguages)) ?? ''] ?? [];
}

/** @throws ValidationError unless the name can be registered with the language, if there is one */
export function assertIdnLanguage(
  language: string | undefined,
  name: DomainName,
  policy: TldPolicy,
  path = 'idn_language',
): void {
  if (language === undefined) return;
  const known = idnLanguagesOf(name, policy);
  if (!known) throw ValidationError.of(path, `must be absent: ${name.value} is registered without a language`);
  if (known.length > 0 && !known.includes(language))
    throw ValidationError.of(path, `must be one of ${known.join(', ')} for the script of this name`);
  if (!IDN_LANGUAGE.test(language))
    throw ValidationError.of(path, 'must be a language tag (BCP 47) or a table of the registry');
}

/** @throws ValidationError for a registrant that the registry would refuse */
export function assertRegistrantFits(registrant: Registrant, policy: TldPolicy | undefined, path: string): void {
  const issues = policy?.registrantIssues?.(registrant) ?? [];
  if (issues.length > 0)
    throw new ValidationError(issues.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })));
}

/** Of a registry that declares none: a repeated command may be charged, a late one is only late. */
export const DEFAULT_READ_LAG_SECONDS = 300;

export function readLagMsOf(policy: { readonly readLagSeconds?: number | undefined } | undefined): number {
  return (policy?.readLagSeconds ?? DEFAULT_READ_LAG_SECONDS) * 1_000;
}

/** What a registry or registrar may lack. */
export type RegistryFeature =
  /** Rejects a command if the agreed price differs from its own. */
  | 'price_guard'
  /** Deletes a name at once within days after its registration. */
  | 'add_grace'
  /** Adds a year to a name at its expiry. */
  | 'auto_renew'
  /** Restores a name from redemption. */
  | 'restore'
  /** Deletes a name on command after its add grace period. */
  | 'delete'
  /** Returns auth codes. A vendor that sends them to the registrant lacks it. */
  | 'auth_code'
  /** Invalidates auth codes. */
  | 'withdraw_auth_code'
  /** Tells the names of our account. */
  | 'list'
  | 'transfer_in'
  | 'cancel_transfer'
  /** Approves or rejects transfers to other registrars. */
  | 'decide_transfer'
  | 'delegation_signers'
  /** Renews a name on command. */
  | 'renewal'
  /** Replaces the registrant of a name on command. */
  | 'registrant_change'
  /** Locks names against transfers. */
  | 'transfer_lock'
  /** Renews names by itself, and lets us switch that. */
  | 'registrar_renewal'
  /** Serves zones that can be read. */
  | 'hosted_zone'
  /** Tells in messages what changes without a command (EPP's poll). */
  | 'messages';

/** Every whole number of years from `min` to `max` is available. */
export interface YearRange {
  readonly min: number;
  readonly max: number;
}

/** Length of each lifecycle period, in days. */
export interface LifecyclePeriods {
  /** After creation: a deletion takes effect immediately and is refunded (RFC 3915 addPeriod). */
  readonly addGrace: number;
  /** After expiry: the registry has added a year and refunds it on deletion (autoRenewPeriod). */
  readonly autoRenewGrace: number;
  /** After expiry: how long the account can renew. Shorter than `autoRenewGrace`, so that the added year is refunded. */
  readonly renewalGrace: number;
  /** After deletion: the domain can be restored (redemptionPeriod). */
  readonly redemption: number;
  /** After redemption: the domain can no longer be restored (pendingDelete). */
  readonly pendingDelete: number;
  /** How long a transfer request is pending before it takes effect (pendingTransfer). */
  readonly transfer: number;
  /** How long an auth code is valid. */
  readonly authCode: number;
}

/** Policies of all supported TLDs, by domain name. */
export class TldPolicies<P extends TldPolicy = TldPolicy> {
  private readonly bySuffix: ReadonlyMap<string, P>;

  constructor(policies: readonly P[]) {
    this.bySuffix = new Map(policies.map((policy) => [policy.suffix, policy]));
  }

  /** The policy of a name one label below a supported suffix. Undefined for other names, and for a suffix itself. */
  forName(name: DomainName): P | undefined {
    return this.bySuffix.has(name.value) ? undefined : this.bySuffix.get(name.parent);
  }

  all(): readonly P[] {
    return [...this.bySuffix.values()];
  }

  serves(suffix: string): boolean {
    return this.bySuffix.has(suffix);
  }
}
