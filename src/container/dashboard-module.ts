import { hkdfSync, type KeyObject } from 'node:crypto';
import { ContainerModule } from 'inversify';
import type { Config } from '../config';
import type { IdentityProvider } from '../application/ports/access/authentication';
import { ActivityPages } from '../http/dashboard/activity/activity-pages';
import { ApiKeyPages } from '../http/dashboard/api-keys/api-key-pages';
import { BulkFormPages } from '../http/dashboard/bulk/bulk-form-pages';
import { BulkJobPages } from '../http/dashboard/bulk/bulk-job-pages';
import { DnssecPages } from '../http/dashboard/dnssec/dnssec-pages';
import { DashboardSettings } from '../http/dashboard/dashboard-settings';
import { DomainSettingPages } from '../http/dashboard/domain/domain-setting-pages';
import { NameserverPages } from '../http/dashboard/nameservers/nameserver-pages';
import { RegistrantPages } from '../http/dashboard/registrant/registrant-pages';
import { UserPages } from '../http/dashboard/team/user-pages';
import { RemovalPages } from '../http/dashboard/team/removal-pages';
import { DomainPages } from '../http/dashboard/domain/domain-pages';
import { MapPages } from '../http/dashboard/domain/map/map-pages';
import { DeletionPages } from '../http/dashboard/domain/danger/deletion-pages';
import { TransferOutStepPages } from '../http/dashboard/domain/danger/transfer-out-step-pages';
import { ReleasePages } from '../http/dashboard/domain/danger/release-pages';
import { VerificationPages } from '../http/dashboard/domain/verification-pages';
import { RenewalPages } from '../http/dashboard/domain/renewal-pages';
import { TagPages } from '../http/dashboard/domains/tag-pages';
import { ViewPages } from '../http/dashboard/domains/view-pages';
import { CostPages } from '../http/dashboard/costs/cost-pages';
import { AddPages } from '../http/dashboard/add/add-pages';
import { HostDnsPages } from '../http/dashboard/add/host-dns-pages';
import { DomainsPages } from '../http/dashboard/domains/domains-pages';
import { FormTokens, formTokens } from '../http/dashboard/middleware/form-tokens';
import { ImportPages } from '../http/dashboard/imports/import-pages';
import { SwitchPages } from '../http/dashboard/imports/switch-pages';
import { LivePages } from '../http/dashboard/live/live-pages';
import { NotificationPages } from '../http/dashboard/notifications/notification-pages';
import { OverviewPages } from '../http/dashboard/overview/overview-pages';
import { NameTreePages } from '../http/dashboard/records/name-tree-pages';
import { RecordPages } from '../http/dashboard/records/record-pages';
import { ProgressPages } from '../http/dashboard/register/progress-pages';
import { SearchPages } from '../http/dashboard/register/search-pages';
import { RegisterPages } from '../http/dashboard/register/register-pages';
import { OrderPages } from '../http/dashboard/register/order-pages';
import { PasskeyPages } from '../http/dashboard/second-factor/passkey-pages';
import { SecondFactorPages } from '../http/dashboard/second-factor/second-factor-pages';
import { SetUpPages } from '../http/dashboard/set-up/set-up-pages';
import { NoticePages } from '../http/dashboard/notices/notice-pages';
import { OutboxPages } from '../http/dashboard/sandbox/outbox-pages';
import { OtherRegistrarPages } from '../http/dashboard/sandbox/other-registrar-pages';
import { SandboxPages } from '../http/dashboard/sandbox/sandbox-pages';
import { SettingsPages } from '../http/dashboard/settings/settings-pages';
import { AccountPages } from '../http/dashboard/sign-in/account-pages';
import { SignOutPages } from '../http/dashboard/sign-in/sign-out-pages';
import { CallbackPages } from '../http/dashboard/providers/callback-pages';
import { ProviderSettingsPages } from '../http/dashboard/providers/provider-settings-pages';
import { ForgotPasswordPages } from '../http/dashboard/sign-in/forgot-password-pages';
import { SignInPages } from '../http/dashboard/sign-in/sign-in-pages';
import { TeamPages } from '../http/dashboard/team/team-pages';
import { TransferOutPages } from '../http/dashboard/transfers/transfer-out-pages';
import { SeveralTransfersPages } from '../http/dashboard/transfers/several-transfers-pages';
import { TransferPages } from '../http/dashboard/transfers/transfer-pages';
import { AccountTemplatePages } from '../http/dashboard/templates/account-template-pages';
import { ConnectedServicesPages } from '../http/dashboard/connect/connected-services-pages';
import { ConnectPages } from '../http/dashboard/connect/connect-pages';
import { DomainTemplatePages } from '../http/dashboard/templates/domain-template-pages';
import { MailPages } from '../http/dashboard/mail/mail-pages';
import { PalettePages } from '../http/dashboard/palette/palette-pages';
import { SecondaryPages } from '../http/dashboard/nameservers/secondary-pages';
import { MovePages } from '../http/dashboard/moves/move-pages';
import { ProposalPages } from '../http/dashboard/proposals/proposal-pages';
import { TrustRulePages } from '../http/dashboard/api-keys/trust/trust-rule-pages';
import { ApprovalRulesPages } from '../http/dashboard/proposals/approval-rules-pages';
import { WebhookPages } from '../http/dashboard/webhooks/webhook-pages';
import { DashboardPages } from '../http/dashboard/dashboard-route';
import { HealthPages } from '../http/dashboard/health/health-pages';
import { StatePages } from '../http/dashboard/state/state-pages';
import { HistoryPages } from '../http/dashboard/zone/history/history-pages';
import { PublicationPages } from '../http/dashboard/zone/publication-pages';
import { SeveralFilesPages } from '../http/dashboard/zone/several-files/several-files-pages';
import { ZoneFilePages } from '../http/dashboard/zone/zone-file-pages';

/** In the order in which routes are tried. */
const PAGES = [
  ForgotPasswordPages,
  SignInPages,
  SignOutPages,
  CallbackPages,
  AccountPages,
  SetUpPages,
  OverviewPages,
  PalettePages,
  DomainsPages,
  AddPages,
  HostDnsPages,
  BulkFormPages,
  BulkJobPages,
  TagPages,
  ViewPages,
  DomainPages,
  MapPages,
  VerificationPages,
  DomainSettingPages,
  TransferOutPages,
  NameserverPages,
  SecondaryPages,
  RegistrantPages,
  RenewalPages,
  DeletionPages,
  ReleasePages,
  TransferOutStepPages,
  RecordPages,
  NameTreePages,
  MailPages,
  DomainTemplatePages,
  ConnectPages,
  ConnectedServicesPages,
  AccountTemplatePages,
  PublicationPages,
  DnssecPages,
  HealthPages,
  HistoryPages,
  StatePages,
  SeveralFilesPages,
  ZoneFilePages,
  SearchPages,
  RegisterPages,
  OrderPages,
  ProgressPages,
  ImportPages,
  SwitchPages,
  SeveralTransfersPages,
  TransferPages,
  ApiKeyPages,
  TrustRulePages,
  WebhookPages,
  ActivityPages,
  CostPages,
  ProposalPages,
  MovePages,
  ApprovalRulesPages,
  TeamPages,
  UserPages,
  RemovalPages,
  SettingsPages,
  NoticePages,
  ProviderSettingsPages,
  SecondFactorPages,
  PasskeyPages,
  LivePages,
  NotificationPages,
];

/** With the sandbox pages if the registry is simulated. */
export function dashboardModule(
  config: Config,
  secretKey: KeyObject,
  { sandbox, providers }: { readonly sandbox: boolean; readonly providers: readonly IdentityProvider[] },
): ContainerModule {
  const cookieSecret = Buffer.from(hkdfSync('sha256', secretKey, '', 'dashboard cookies', 32)).toString('base64');
  return new ContainerModule(({ bind }) => {
    bind(DashboardSettings).toConstantValue({
      cookieSecret,
      publicUrl: config.publicUrl,
      updates:
        config.dns.listen.kind === 'on'
          ? { host: config.dns.primaryName, port: config.dns.listen.endpoint.port }
          : undefined,
      signInAttempts: config.signInAttempts,
      confirmOrdersFrom: config.confirmOrdersFrom,
      rateLimitPerMinute: config.rateLimitPerMinute,
      recordTypes: config.recordTypes,
      recordsPerSet: config.maxRecordsPerSet,
      recordsPerZone: config.maxRecordsPerZone,
      compatibilityApis: config.compatibilityApis,
      identityProviders: providers.map(({ id, name, invitations, groups }) => ({
        id,
        name,
        invitations,
        groupsAccount: groups?.account,
      })),
    });
    bind(FormTokens).toConstantValue(formTokens(cookieSecret));
    for (const pages of sandbox ? [...PAGES, SandboxPages, OutboxPages, OtherRegistrarPages] : PAGES)
      bind(DashboardPages).to(pages);
  });
}
