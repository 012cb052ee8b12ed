import { hkdfSync, type KeyObject } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { ApiKeyPrefix } from '../application/access/api-keys/authenticate';
import { BrowserMarkKey } from '../application/access/sign-in/known-browsers';
import { QuotaSettings } from '../application/quotas/daily-quotas';
import { DnssecSettings } from '../application/dnssec/dnssec-settings';
import {
  HistorySettings,
  ZoneLimitSettings,
  ZoneNameSettings,
  AuthoritySettings,
  NameserverSettings,
} from '../application/dns/dns-settings';
import { ConnectSettings } from '../application/dns/domain-connect/connect-settings';
import { ZoneVerification } from '../application/hosting/zone-verification';
import { PublicationWaitMs } from '../application/dns/publishing/publication-wait';
import { OperationSettings } from '../application/shared/operation-settings';
import { RenewalSettings } from '../application/operations/lifecycle-plan';
import { BackgroundSigner } from '../application/ports/dns/signing-repository';
import { Clock, IdGenerator, Log, SecretBox } from '../application/ports/system';
import { KeyGenerator } from '../application/ports/access/accounts-and-api-keys';
import { Passwords, OneTimePasswords, PasskeyCeremonies } from '../application/ports/access/authentication';
import { RequiredSecondFactor } from '../application/access/second-factor/remove-factors';
import { SimpleWebAuthnCeremonies } from '../infrastructure/system/simplewebauthn-ceremonies';
import { OtplibOneTimePasswords } from '../infrastructure/system/otplib-one-time-passwords';
import { JobTokens } from '../application/ports/access/trust-rules';
import { WebhookSender } from '../application/ports/access/webhooks';
import { TokenGenerator } from '../application/ports/access/users';
import { RetentionSettings } from '../application/retention/clean-up';
import { RegistrationSettings } from '../application/registration/registration-settings';
import type { Config } from '../config';
import { BcryptPasswords } from '../infrastructure/system/bcrypt-passwords';
import { RandomIds } from '../infrastructure/system/random/random-ids';
import { RandomKeys } from '../infrastructure/system/random/random-keys';
import { RandomTokens } from '../infrastructure/system/random/random-tokens';
import { SigningThreads } from '../infrastructure/system/signing-threads';
import { isPublicSuffix } from '../infrastructure/system/public-suffix-list';
import { OpenIdJobTokens } from '../infrastructure/identity/job-tokens';
import { IssuerKeys } from '../infrastructure/identity/issuer-keys';
import { HttpWebhookSender } from '../infrastructure/webhooks/http-webhook-sender';
import { ReceiverAddresses } from '../infrastructure/webhooks/receiver-addresses';
import { SystemClock } from '../infrastructure/system/system-clock';

const BYTES_PER_MIB = 1_048_576;

/** Clock, ids and secrets of this process, and the operator's settings for each area. */
export function systemModule(
  config: Config,
  { secretKey, secrets }: { readonly secretKey: KeyObject; readonly secrets: SecretBox },
  log: Log,
): ContainerModule {
  const receivers = new ReceiverAddresses(config.webhookNetworks);
  return new ContainerModule(({ bind }) => {
    bind(Clock).toConstantValue(new SystemClock());
    bind(IdGenerator).toConstantValue(new RandomIds());
    bind(BackgroundSigner).to(SigningThreads);
    bind(SecretBox).toConstantValue(secrets);
    bind(KeyGenerator).toConstantValue(new RandomKeys(config.apiKeyPrefix));
    bind(WebhookSender).toConstantValue(new HttpWebhookSender(receivers));
    bind(JobTokens).toConstantValue(new OpenIdJobTokens(new IssuerKeys(receivers), receivers.allowsHttp));
    bind(Log).toConstantValue(log);
    bind(BrowserMarkKey).toConstantValue(Buffer.from(hkdfSync('sha256', secretKey, '', 'known browsers', 32)));
    bind(Passwords).toConstantValue(new BcryptPasswords());
    bind(PasskeyCeremonies).toConstantValue(new SimpleWebAuthnCeremonies());
    bind(OneTimePasswords).toConstantValue(new OtplibOneTimePasswords());
    bind(RequiredSecondFactor).toConstantValue(config.requireSecondFactor);
    bind(TokenGenerator).toConstantValue(new RandomTokens());

    bind<string>(ApiKeyPrefix).toConstantValue(config.apiKeyPrefix);
    bind(NameserverSettings).toConstantValue(config);
    bind(ConnectSettings).toConstantValue({ url: config.domainConnect ? config.publicUrl : undefined });
    bind(RegistrationSettings).toConstantValue(config);
    bind(OperationSettings).toConstantValue({
      waitMs: config.operationWaitMs,
      leaseMs: config.operationLeaseMs,
      alone: config.database.kind === 'sqlite',
    });
    bind(DnssecSettings).toConstantValue(config.dns.dnssec);
    bind(AuthoritySettings).toConstantValue(config.dns);
    bind(RenewalSettings).toConstantValue({
      leadDays: config.renewalLeadDays,
      retryDays: config.renewalRetryDays,
    });
    bind(HistorySettings).toConstantValue({
      days: config.zoneHistoryDays,
      versions: config.zoneHistoryVersions,
    });
    bind(QuotaSettings).toConstantValue({
      'zone history': config.zoneHistoryMibPerDay * BYTES_PER_MIB,
      'stored responses': config.storedResponseMibPerDay * BYTES_PER_MIB,
    });
    bind(RetentionSettings).toConstantValue(config.retention);
    bind(PublicationWaitMs).toConstantValue(config.publishWaitMs);
    bind(ZoneNameSettings).toConstantValue({ isPublicSuffix, permitted: config.zonePublicSuffixes });
    bind<ZoneVerification>(ZoneVerification).toConstantValue(config.zoneVerification);
    bind(ZoneLimitSettings).toConstantValue({
      types: config.recordTypes,
      recordsPerSet: config.maxRecordsPerSet,
      recordsPerZone: config.maxRecordsPerZone,
    });
  });
}
