import type { DomainName } from '../../domain/shared/domain-name';
import type { RegistryFeature, TldPolicies, TldPolicy } from '../../domain/registration/names/tld-policy';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** What users can ask for, in the words of an error. */
const FEATURES: Partial<Record<RegistryFeature, string>> = {
  add_grace: 'deleting domains',
  restore: 'restoring domains',
  auth_code: 'auth codes here. Ask the registrar for the auth code',
  transfer_in: 'transfers to us',
  cancel_transfer: 'cancelling transfers',
  decide_transfer: 'approving or rejecting transfers',
  delegation_signers: 'DS records',
  registrar_renewal: 'switching its own renewal',
  renewal: 'renewing on request: it renews domains by itself',
  registrant_change: 'changing the registrant here',
  transfer_lock: 'transfer locks',
};

export function isSupported(policies: TldPolicies, name: DomainName, feature: RegistryFeature): boolean {
  return !policies.forName(name)?.unsupported?.includes(feature);
}

/** Called before anything is stored or sent. @throws RegistryRejected if the name's registry lacks the feature */
export function assertSupported(policies: TldPolicies, name: DomainName, feature: RegistryFeature): void {
  if (isSupported(policies, name, feature)) return;
  if (feature === 'auth_code' && policies.forName(name)?.releases)
    throw new RegistryRejected(
      'unsupported',
      `The registry for .${name.parent} has no auth codes. Release the domain to the tag of the other registrar instead`,
    );
  throw new RegistryRejected(
    'unsupported',
    `The registrar for .${name.parent} does not support ${FEATURES[feature] ?? feature}`,
  );
}

/**
 * Called before anything is stored or sent. @throws RegistryRejected for auto-renewal off if the registry renews every
 * domain by itself and cannot be told not to
 */
export function assertAutoRenewal(autoRenew: boolean, policy: TldPolicy | undefined): void {
  if (autoRenew || policy?.deleteUnrenewedDays !== undefined) return;
  if (!RENEWAL_FEATURES.every((feature) => policy?.unsupported?.includes(feature))) return;
  throw new RegistryRejected(
    'unsupported',
    `The registry for .${policy?.suffix} renews every domain and charges for it, so auto-renewal cannot be off. Delete a domain before it expires instead`,
  );
}

/**
 * As `assertAutoRenewal`, for a new domain: also if the registry accepts that setting only later. @throws RegistryRejected
 */
export function assertNewAutoRenewal(autoRenew: boolean, policy: TldPolicy | undefined): void {
  assertAutoRenewal(autoRenew, policy);
  if (autoRenew || policy?.deleteUnrenewedDays !== undefined) return;
  if (policy?.unsupported?.includes('renewal') !== true) return;
  throw new RegistryRejected(
    'unsupported',
    `The registry for .${policy.suffix} renews every new domain. Turn auto-renewal off afterwards`,
  );
}

const RENEWAL_FEATURES: readonly RegistryFeature[] = ['renewal', 'registrar_renewal'];
