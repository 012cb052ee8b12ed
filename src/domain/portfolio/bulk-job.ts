import type { Actor } from '../access/actor';
import type { KeyAction } from '../access/key-limits';
import type { TemplateRecords, TemplateValues } from '../dns/templates/record-template';
import type { Registrant } from '../registration/registrant';
import type { ErrorCode } from '../shared/error-code';
import type { Money } from '../shared/money';

/** The most domains of one job. */
export const MAX_BULK_DOMAINS = 10_000;
/** What an account starts or retries within 24 hours at most: the domains need not exist, and each is stored for a month. */
export const MAX_DAILY_BULK = { jobs: 1_000, domains: 1_000_000 };

/** The most transfers of one job: each is reviewed with two queries of the registry, and its auth code is in the form. */
export const MAX_BULK_TRANSFERS = 500;
/** The most registrations of one job: a proposal of them lists every name. */
export const MAX_BULK_REGISTRATIONS = 500;
/** The most zone files of one job, and what they may have together: all of them are in memory while they are read. */
export const MAX_BULK_ZONE_FILES = { files: 200, octets: 2 * 1_048_576 };

/** What a job does to each of its domains. */
export type BulkDomainAction =
  | { readonly kind: 'auto_renewal'; readonly autoRenew: boolean }
  | { readonly kind: 'transfer_lock'; readonly locked: boolean }
  | { readonly kind: 'nameservers'; readonly hosts: readonly string[] }
  | {
      readonly kind: 'renewal';
      readonly years: number | undefined;
      readonly agreed?: AgreedRenewal;
      /** In ISO 8601; that of `agreed` if absent. */
      readonly currentExpiry?: string;
      /** That of `agreed` if absent. */
      readonly maxPrice?: Money;
    }
  | { readonly kind: 'registrant'; readonly registrant: Registrant }
  | {
      readonly kind: 'template';
      readonly templateId: string;
      readonly values: TemplateValues;
      /** What the template was when the job was started; undefined: what it is when the job runs. */
      readonly template?: TemplateRecords;
      /** That the zone must have; undefined: any. */
      readonly version?: number;
    }
  | { readonly kind: 'tags'; readonly add: readonly string[]; readonly remove: readonly string[] };

/** Names are transferred here from other registrars, with one registrant. */
export interface TransferAction {
  readonly kind: 'transfer';
  readonly registrant: Registrant;
  readonly autoRenew: boolean;
}

/** Names are registered, with one registrant and the same nameservers: those of the service if they are absent. */
export interface RegistrationAction {
  readonly kind: 'registration';
  readonly registrant: Registrant;
  readonly autoRenew: boolean;
  readonly nameservers?: readonly string[] | undefined;
}

/** The zones of many names get the records of their files. */
export interface ZoneFilesAction extends ZoneFileSettings {
  readonly kind: 'zone_files';
}

interface ZoneFileSettings {
  readonly mode: 'add' | 'replace';
  readonly withProviderRecords: boolean;
}

export type BulkAction = BulkDomainAction | ZoneFilesAction | OrderAction;
export type BulkKind = BulkAction['kind'];

/** Its items are names that the account does not have yet. */
export type OrderAction = TransferAction | RegistrationAction;

export function isOrder(action: BulkAction): action is OrderAction {
  return action.kind === 'transfer' || action.kind === 'registration';
}

/** Whether what failed can be repeated: auth codes, prices and files are not kept so long. */
export function isRetryable({ action, undoes }: Pick<BulkJob, 'action' | 'undoes'>): boolean {
  return !isOrder(action) && (action.kind !== 'zone_files' || undoes !== null);
}

/** What a job does to one domain. A zone whose records were changed is rolled back, unless it is no longer at the version that this made. */
export type DomainStep =
  BulkDomainAction | ZoneFileStep | { readonly kind: 'roll_back'; readonly version: number; readonly expected: number };

/** The records of a zone file, which is erased when the zone has them or refuses them. */
export interface ZoneFileStep extends ZoneFileSettings {
  readonly kind: 'zone_file';
  readonly text: string;
  /** That the zone must have; undefined: any. */
  readonly version?: number | undefined;
}

/** A name that a job orders. */
export interface BulkOrder {
  readonly name: string;
  /** Default: as of a single order. */
  readonly years?: number | undefined;
  /** Default: any price. */
  readonly maxPrice?: Money | undefined;
  /** Of the registration of an internationalized name. */
  readonly idnLanguage?: string | undefined;
}

export interface OrderStep extends Omit<BulkOrder, 'name'> {
  readonly kind: 'transfer_order' | 'registration_order';
}

export type BulkStep = DomainStep | ZoneFilesAction | OrderAction | OrderStep;

/** What changes records of a zone. */
export type RecordsStep = Extract<BulkStep, { readonly kind: 'template' | 'zone_file' | 'roll_back' }>;

export function changesRecords(step: BulkStep): step is RecordsStep {
  return step.kind === 'template' || step.kind === 'zone_file' || step.kind === 'roll_back';
}

export function isOrderStep(step: BulkStep): step is OrderStep {
  return step.kind === 'transfer_order' || step.kind === 'registration_order';
}

/** The most that the step may cost; undefined: any price, or it orders nothing. */
export function mostOf(step: BulkStep): Money | undefined {
  if (step.kind === 'renewal') return step.maxPrice ?? step.agreed?.price;
  return isOrderStep(step) ? step.maxPrice : undefined;
}

/** The expiry that a renewal is from, in ISO 8601; undefined: any, or it is no renewal. */
export function currentExpiryOf(step: BulkStep): string | undefined {
  return step.kind === 'renewal' ? (step.currentExpiry ?? step.agreed?.expiresAt) : undefined;
}

/** The action that a key needs for each kind. */
export const KEY_ACTION_OF: Readonly<Record<BulkKind, KeyAction>> = {
  auto_renewal: 'settings',
  transfer_lock: 'settings',
  nameservers: 'settings',
  renewal: 'renew',
  registrant: 'settings',
  template: 'write',
  tags: 'settings',
  transfer: 'transfer',
  registration: 'register',
  zone_files: 'write',
};

/** The price and the expiry that a renewal was confirmed with, in ISO 8601. */
export interface AgreedRenewal {
  readonly price: Money;
  readonly expiresAt: string;
}

/** An action on many domains, in the background, each as if it were requested alone. */
export interface BulkJob {
  readonly id: string;
  readonly accountId: string;
  readonly actor: Actor;
  readonly action: BulkAction;
  readonly total: number;
  /** The job that this one undoes; null for any other. */
  readonly undoes: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

export type BulkItemState = 'waiting' | 'done' | 'failed';

/** A domain of a job, and what became of it. */
export interface BulkItem {
  /**
   * Of a transfer: the id of the transfer, reserved before it is requested, so that it is requested once. Of a registration: an id of
   * no domain, because a name with a zone here keeps its own.
   */
  readonly domainId: string;
  /** Empty if the account has no such domain. */
  readonly name: string;
  /** The id of the operation that the item begins, reserved before it begins, so that it begins once even if a process is killed. */
  readonly operationId: string;
  /** In place of the job's action. Of a zone file: null once it is done or has failed. */
  readonly ownAction: BulkStep | null;
  /** Of a transfer that is not stored yet. */
  readonly sealedAuthCode?: string;
  /** Sets the domain back as it was; null if that cannot be undone, or before the item begins. */
  readonly undo: BulkStep | null;
  readonly state: BulkItemState;
  /** How many calls the registry did not respond to. */
  readonly attempts: number;
  readonly error: BulkError | null;
}

/** A domain of a selection; the name is empty if the requester has no such domain. */
export type SelectedDomain = Pick<BulkItem, 'domainId' | 'name'> & { readonly ownAction?: BulkStep | null };

/** As the API returns the error of a single request. */
export interface BulkError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: string | null;
}

export type BulkCounts = Readonly<Record<BulkItemState, number>>;

export function isBulkJobFinished({ finishedAt }: Pick<BulkJob, 'finishedAt'>): boolean {
  return finishedAt !== null;
}
