import { ContainerModule } from 'inversify';
import { Authenticate } from '../application/access/authenticate';
import { CreateAccount } from '../application/access/create-account';
import { ChangeAccountSettings } from '../application/access/change-account-settings';
import { Reauthenticate } from '../application/access/reauthenticate';
import { ChangeRole } from '../application/access/change-role';
import { RevokeSetupLink } from '../application/access/revoke-setup-link';
import { ChangePassword } from '../application/access/change-password';
import { EndSessions } from '../application/access/end-sessions';
import { InviteUser } from '../application/access/invite-user';
import { IssueApiKey } from '../application/access/issue-api-key';
import { IssueSetupLink } from '../application/access/issue-setup-link';
import { KeyUses } from '../application/access/key-uses';
import { KnownBrowsers } from '../application/access/known-browsers';
import { OpenFirstAccount } from '../application/access/open-first-account';
import { RemoveUser } from '../application/access/remove-user';
import { RevokeApiKey } from '../application/access/revoke-api-key';
import { SetPassword } from '../application/access/set-password';
import { SignIn } from '../application/access/sign-in';
import { AddRecord } from '../application/dns/add-record';
import { AddSecondary } from '../application/dns/add-secondary';
import { ChangeRecord } from '../application/dns/change-record';
import { CreateTsigKey } from '../application/dns/create-tsig-key';
import { EditRecords } from '../application/dns/edit-records';
import { ExportZoneFile } from '../application/dns/export-zone-file';
import { GlueAddresses } from '../application/dns/glue-addresses';
import { ImportZoneFile } from '../application/dns/import-zone-file';
import { ListRecords } from '../application/dns/list-records';
import { ReadZoneHistory } from '../application/dns/read-zone-history';
import { PublicationWait } from '../application/dns/publication-wait';
import { RaiseVersions } from '../application/dns/raise-versions';
import { ReadPublication } from '../application/dns/read-publication';
import { RemoveRecord } from '../application/dns/remove-record';
import { RestoreVersion } from '../application/dns/restore-version';
import { SharedCommits } from '../application/dns/shared-commits';
import { ZoneCommit } from '../application/dns/zone-commit';
import { ZoneWriter } from '../application/dns/zone-writer';
import { IdempotentRequests } from '../application/idempotency/idempotent-requests';
import { DomainLook } from '../application/lifecycle/domain-look';
import { LifecyclePlan } from '../application/lifecycle/lifecycle-plan';
import { LifecycleSync } from '../application/lifecycle/lifecycle-sync';
import { RegistryMessages } from '../application/lifecycle/registry-messages';
import { Delegations } from '../application/operations/delegations';
import { Departures } from '../application/operations/departures';
import { OperationClaims } from '../application/operations/operation-claims';
import { OperationEffects } from '../application/operations/operation-effects';
import { OperationHandover } from '../application/operations/operation-handover';
import { OperationQueue } from '../application/operations/operation-queue';
import { OperationRunner } from '../application/operations/operation-runner';
import { OperationWaits } from '../application/operations/operation-waits';
import { Renewals } from '../application/operations/renewals';
import { RegistryPort } from '../application/ports/registry/registry-port';
import { ChangeAutoRenewal } from '../application/registration/change-auto-renewal';
import { ChangeNameservers } from '../application/registration/change-nameservers';
import { ChangeRegistrant } from '../application/registration/change-registrant';
import { ChangeTransferLock } from '../application/registration/change-transfer-lock';
import { DeleteDomain } from '../application/registration/delete-domain';
import { FindDomain } from '../application/registration/find-domain';
import { CheckOperation } from '../application/registration/check-operation';
import { FindOperation } from '../application/registration/find-operation';
import { IssueAuthCode } from '../application/registration/issue-auth-code';
import { ListDomains } from '../application/registration/list-domains';
import { ListOperations } from '../application/registration/list-operations';
import { QuoteDomains } from '../application/registration/quote-domains';
import { RegisterDomain } from '../application/registration/register-domain';
import { RenewDomain } from '../application/registration/renew-domain';
import { RestoreDomain } from '../application/registration/restore-domain';
import { SearchDomains } from '../application/registration/search-domains';
import { CleanUp } from '../application/retention/clean-up';
import { Worker } from '../application/worker';
import { TldPolicies } from '../domain/registration/tld-policy';

const USE_CASES = [
  Authenticate,
  CreateAccount,
  IssueApiKey,
  OpenFirstAccount,
  RevokeApiKey,
  ChangePassword,
  EndSessions,
  InviteUser,
  IssueSetupLink,
  RemoveUser,
  ChangeRole,
  ChangeAccountSettings,
  Reauthenticate,
  RevokeSetupLink,
  SetPassword,
  SignIn,
  AddRecord,
  AddSecondary,
  ChangeRecord,
  CreateTsigKey,
  EditRecords,
  ExportZoneFile,
  GlueAddresses,
  ImportZoneFile,
  ListRecords,
  ReadZoneHistory,
  RaiseVersions,
  ReadPublication,
  RemoveRecord,
  RestoreVersion,
  ChangeAutoRenewal,
  ChangeNameservers,
  ChangeRegistrant,
  ChangeTransferLock,
  DeleteDomain,
  FindDomain,
  CheckOperation,
  FindOperation,
  IssueAuthCode,
  ListDomains,
  ListOperations,
  QuoteDomains,
  RegisterDomain,
  RenewDomain,
  RestoreDomain,
  SearchDomains,
];

const SERVICES = [
  PublicationWait,
  KeyUses,
  KnownBrowsers,
  SharedCommits,
  ZoneCommit,
  ZoneWriter,
  LifecyclePlan,
  LifecycleSync,
  DomainLook,
  RegistryMessages,
  Delegations,
  Departures,
  Renewals,
  OperationClaims,
  OperationEffects,
  OperationHandover,
  OperationQueue,
  OperationRunner,
  OperationWaits,
  IdempotentRequests,
  CleanUp,
  Worker,
];

/** One of each: the operation runner and the shared commits hold what is under way, the others hold nothing. */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const useCase of USE_CASES) bind<object>(useCase).toSelf().inSingletonScope();
    for (const service of SERVICES) bind<object>(service).toSelf().inSingletonScope();
    bind(TldPolicies)
      .toResolvedValue((registry: RegistryPort) => new TldPolicies(registry.policies()), [RegistryPort])
      .inSingletonScope();
  });
}
