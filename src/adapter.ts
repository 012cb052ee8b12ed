/**
 * `namewright-adapter`: types and errors for registry adapters in packages of their own. The service recognizes errors
 * by code and name, so an adapter may install its own copy of this package.
 */
export {
  RegistryRejected,
  RegistryNotContacted,
  RegistryUnavailable,
  OtherCurrency,
  RegistryInconclusive,
  unsupportedBy,
} from './application/ports/registry/registry-errors';
export type {
  AuthCode,
  Availability,
  ChargedDomain,
  GlueHost,
  RenewalPrices,
  PriceQuote,
  RegistrationRequest,
  RegistryDomain,
  RegistryMessage,
  RegistryPhase,
  RegistryPort,
  RejectionReason,
} from './application/ports/registry/registry-port';
export type {
  RegistryTransfer,
  RegistryTransfers,
  TransferRequest,
} from './application/ports/registry/registry-transfers';
export type { ListedName, NameListing, NamePage, SkippedName } from './application/ports/registry/registries';
export type { MessageQueue } from './application/ports/registry/registries';
export type { Clock, LifecycleClock, Log } from './application/ports/system';
export { DomainName } from './domain/shared/domain-name';
export { dsRecordOf, isSameDsRecord, type DsRecord, type DnsKey } from './domain/dns/delegation/ds-record';
export type { Nameservers } from './domain/registration/nameservers';
export { registrantName, streetLines, streetOf, type Registrant } from './domain/registration/registrant';
export type { RegistrationTerm } from './domain/registration/registration-term';
export type { LifecyclePeriods, RegistryFeature, TldPolicy, YearRange } from './domain/registration/names/tld-policy';
export type { Issue } from './domain/shared/issue';
export { addDays, addYears, isYearsAfter, sameDay } from './domain/shared/time/calendar';
export { isSame, isWithin, majorUnits, type Money } from './domain/shared/money';
export type {
  RegistryAdapter,
  RegistryContext,
  RegistryDiagnostics,
  RegistryFactory,
  RunningRegistry,
  SettingsContext,
  StoredValues,
} from './infrastructure/registry/registry-adapter';
export { LIMITED_FEATURES, LimitedRegistry } from './infrastructure/registry/limited-registry';
export { SettingsRejected } from './infrastructure/registry/settings-rejected';
export type {
  AuthCodePolicy,
  CommandFacts,
  ContactPolicy,
  Frame,
  RegistryProfile,
  DsRecordPolicy,
  TransferPolicy,
} from './infrastructure/registry/epp/profiles/profile';
export { rfc as rfcProfile } from './infrastructure/registry/epp/profiles/rfc';
export {
  childOf,
  childrenOf,
  elementFactory,
  tokenOf,
  type XmlElement,
} from './infrastructure/registry/epp/codec/xml-element';
export { listedFee, type PriceList } from './infrastructure/registry/price-list';
export { policyOf, type TldRules } from './infrastructure/registry/tld-rules';
export {
  asUnknownOutcome,
  JsonClient,
  type JsonClientSettings,
  type JsonRequest,
  type JsonResponse,
} from './infrastructure/registry/rest/json-client';
export { assertWithinTimeLimit } from './application/ports/registry/command-limit';
export {
  Purchases,
  type Purchase,
  type PurchaseContext,
  type VendorOrder,
} from './infrastructure/registry/rest/purchases';
export { responseReader, type ResponseReader } from './infrastructure/registry/rest/response-reader';
export {
  assertRenewable,
  findPolicy,
  foreignDomain,
  instantOf,
  listNames,
  nameOf,
  pendingDomain,
  requirePolicy,
} from './infrastructure/registry/rest/vendor-domains';
export {
  readVendorSettings,
  validateVendorSettings,
  type VendorAccount,
  type VendorSettings,
} from './infrastructure/registry/rest/vendor-settings';
export { contactIssues, phoneOf, type ContactForm } from './infrastructure/registry/rest/vendor-contacts';
export { addressIssues, amountOf, fromE164, toE164 } from './infrastructure/registry/rest/vendor-values';
export { validateSchema } from './infrastructure/settings/yaml-file';
