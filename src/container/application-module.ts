import { ContainerModule } from 'inversify';
import { Authenticate } from '../application/access/api-keys/authenticate';
import { CreateAccount } from '../application/access/create-account';
import { ChangeAccountSettings } from '../application/access/change-account-settings';
import { Reauthenticate } from '../application/access/sign-in/reauthenticate';
import { ChangeRole } from '../application/access/users/change-role';
import { RevokeSetupLink } from '../application/access/users/revoke-setup-link';
import { ChangePassword } from '../application/access/sign-in/change-password';
import { EndSessions } from '../application/access/sign-in/end-sessions';
import { InviteUser } from '../application/access/users/invite-user';
import { IssueApiKey } from '../application/access/api-keys/issue-api-key';
import { IssueSetupLink } from '../application/access/users/issue-setup-link';
import { KeyUses } from '../application/access/api-keys/key-uses';
import { KnownBrowsers } from '../application/access/sign-in/known-browsers';
import { OpenFirstAccount } from '../application/access/open-first-account';
import { RemoveUser } from '../application/access/users/remove-user';
import { RevokeApiKey } from '../application/access/api-keys/revoke-api-key';
import { SetPassword } from '../application/access/users/set-password';
import { SignIn } from '../application/access/sign-in/sign-in';
import { AddRecord } from '../application/dns/records/add-record';
import { AddSecondary } from '../application/dns/publishing/add-secondary';
import { ChangeRecord } from '../application/dns/records/change-record';
import { CreateTsigKey } from '../application/dns/publishing/create-tsig-key';
import { EditRecords } from '../application/dns/records/edit-records';
import { ExportZoneFile } from '../application/dns/zones/export-zone-file';
import { GlueAddresses } from '../application/dns/publishing/glue-addresses';
import { ImportZoneFile } from '../application/dns/zones/import-zone-file';
import { ListRecords } from '../application/dns/records/list-records';
import { ReadZoneHistory } from '../application/dns/zones/read-zone-history';
import { PublicationWait } from '../application/dns/publishing/publication-wait';
import { RaiseVersions } from '../application/dns/publishing/raise-versions';
import { ReadPublication } from '../application/dns/publishing/read-publication';
import { RemoveRecord } from '../application/dns/records/remove-record';
import { RollBackZone } from '../application/dns/zones/roll-back-zone';
import { SharedCommits } from '../application/dns/zones/shared-commits';
import { ZoneCommit } from '../application/dns/zones/zone-commit';
import { ZoneWriter } from '../application/dns/zones/zone-writer';
import { IdempotentRequests } from '../application/idempotency/idempotent-requests';
import { DomainSync } from '../application/lifecycle/domain-sync';
import { LifecyclePlan } from '../application/lifecycle/lifecycle-plan';
import { LifecycleSync } from '../application/lifecycle/lifecycle-sync';
import { RegistryMessages } from '../application/lifecycle/registry-messages';
import { Delegations } from '../application/operations/delegations';
import { DomainDeletions } from '../application/operations/domain-deletions';
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
import { DailyCeilings } from '../application/ceilings/daily-ceilings';
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
  RollBackZone,
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
  DomainSync,
  RegistryMessages,
  Delegations,
  DomainDeletions,
  Renewals,
  OperationClaims,
  OperationEffects,
  OperationHandover,
  OperationQueue,
  OperationRunner,
  OperationWaits,
  IdempotentRequests,
  CleanUp,
  DailyCeilings,
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
