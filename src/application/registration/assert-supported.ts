import type { DomainName } from '../../domain/registration/domain-name';
import type { RegistryFeature, TldPolicies } from '../../domain/registration/tld-policy';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** What users can ask for, in the words of an error. */
const FEATURES: Partial<Record<RegistryFeature, string>> = {
  add_grace: 'refunded deletions',
  restore: 'restoring domains',
  delete: 'deleting domains',
  auth_code: 'auth codes here. Ask the registrar for the auth code',
  transfer_in: 'transfers to us',
  cancel_transfer: 'cancelling transfers',
  decide_transfer: 'approving or rejecting transfers',
  delegation_signers: 'DS records',
  registrar_renewal: 'switching its own renewal',
};

export function isSupported(policies: TldPolicies, name: DomainName, feature: RegistryFeature): boolean {
  return !policies.forName(name)?.unsupported?.includes(feature);
}

/** Called before anything is stored or sent. @throws RegistryRejected if the name's registry lacks the feature */
export function assertSupported(policies: TldPolicies, name: DomainName, feature: RegistryFeature): void {
  if (isSupported(policies, name, feature)) return;
  throw new RegistryRejected(
    'unsupported',
    `The registrar for .${name.parent} does not support ${FEATURES[feature] ?? feature}`,
  );
}
