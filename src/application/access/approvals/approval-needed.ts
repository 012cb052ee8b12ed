import { approvalRulesOf, type Actor } from '../../../domain/access/actor';
import {
  needsApproval,
  type ApprovalChange,
  type GivenRule,
  type PlannedChange,
} from '../../../domain/access/approvals/approval-rule';
import type { Denial } from '../../../domain/dns/dnssec/zone-signing-state';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import type {
  BulkDomainAction,
  BulkOrder,
  RegistrationAction,
  TransferAction,
  ZoneFilesAction,
} from '../../../domain/portfolio/bulk-job';
import type { OperationRequest } from '../../../domain/registration/operations/operation-request';
import type { Registrant } from '../../../domain/registration/registrant';
import type { Money } from '../../../domain/shared/money';
import { ServiceError } from '../../../domain/shared/service-error';

/** An order of a name as it was given, with the price that was found. */
interface AttemptedOrder {
  readonly name: string;
  readonly years: number;
  readonly registrant: Registrant;
  readonly autoRenew?: boolean | undefined;
  readonly price: Money;
}

/** What was to be done, so that it can be proposed by who did not send it as a write of the API: a person with a form. */
export type AttemptedChange =
  | {
      readonly kind: 'operation';
      readonly domainId: string;
      readonly request: OperationRequest;
      readonly keepZone?: boolean | undefined;
    }
  | { readonly kind: 'records'; readonly domainId: string; readonly version: number; readonly change: ZoneChange }
  | {
      readonly kind: 'zone_file';
      readonly domainId: string;
      readonly version: number;
      readonly text: string;
      readonly mode: 'add' | 'replace';
      readonly withProviderRecords: boolean;
    }
  | {
      readonly kind: 'roll_back';
      readonly domainId: string;
      readonly version: number;
      /** The version to go back to. */
      readonly to: number;
    }
  | {
      readonly kind: 'signing';
      readonly domainId: string;
      readonly enabled: boolean;
      readonly denial?: Denial | undefined;
    }
  | { readonly kind: 'key_rollover'; readonly domainId: string }
  | {
      readonly kind: 'zone_creation';
      readonly zone: { readonly name: string } | { readonly network: string };
      readonly movesRecords: boolean;
    }
  | { readonly kind: 'zone_verification'; readonly domainId: string; readonly movesRecords: boolean }
  | { readonly kind: 'zone_deletion'; readonly domainId: string }
  | {
      readonly kind: 'account_move';
      readonly domainId: string;
      readonly toAccountId: string;
      readonly reason: string;
    }
  | { readonly kind: 'disconnection'; readonly domainId: string; readonly serviceId: string }
  | { readonly kind: 'tags'; readonly domainId: string; readonly tags: readonly string[] }
  | ({
      readonly kind: 'registration';
      readonly nameservers?: readonly string[] | undefined;
      readonly idnLanguage?: string | undefined;
    } & AttemptedOrder)
  | ({ readonly kind: 'transfer'; readonly authCode?: string | undefined } & AttemptedOrder)
  | {
      readonly kind: 'bulk';
      readonly action: BulkDomainAction;
      readonly domainIds: readonly string[];
      /** What domains are renewed from, by their ids, in ISO 8601. */
      readonly currentExpiries?: Readonly<Record<string, string>> | undefined;
      /** What each renewal costs at most, by their ids. */
      readonly maxPrices?: Readonly<Record<string, Money>> | undefined;
    }
  | {
      readonly kind: 'bulk_transfer';
      readonly action: TransferAction;
      readonly orders: readonly (BulkOrder & { readonly authCode?: string | undefined })[];
    }
  | {
      readonly kind: 'bulk_registration';
      readonly action: RegistrationAction;
      readonly orders: readonly BulkOrder[];
    }
  | {
      readonly kind: 'bulk_zone_files';
      readonly action: ZoneFilesAction;
      readonly files: readonly {
        readonly name: string;
        readonly text: string;
        readonly version?: number | undefined;
      }[];
    }
  | { readonly kind: 'bulk_retry'; readonly jobId: string }
  | { readonly kind: 'bulk_undo'; readonly jobId: string }
  | {
      readonly kind: 'rules';
      /** Of the rules that these replace. */
      readonly version: string;
      readonly rules: readonly GivenRule[];
    };

const WORDS: Readonly<Record<ApprovalChange | 'rules', string>> = {
  nameservers: 'a change of nameservers',
  dnssec: 'a change of DNSSEC',
  contacts: 'a change of the registrant',
  deletion: 'a deletion',
  transfer_out: 'what lets a name leave',
  records: 'a change of these records',
  purchases: 'purchases that cost as much as these together',
  rules: 'a change of the approval rules, or of a tag that they name',
};

/** A rule of the account asks for a second person. Nothing was changed; the API and the dashboard propose the change instead. */
export class ApprovalNeeded extends ServiceError {
  readonly code = 'INSUFFICIENT_SCOPE';

  /** @param attempted undefined: only the write of the API itself can be proposed */
  constructor(
    private readonly change: ApprovalChange | 'rules',
    readonly attempted: AttemptedChange | undefined,
  ) {
    super(
      'The change needs a second person',
      `The approval rules of the account ask for one for ${WORDS[change]}. Propose it with POST /api/proposals`,
    );
  }

  /** The same of a larger change that this one was a part of. */
  within(attempted: AttemptedChange | undefined): ApprovalNeeded {
    return new ApprovalNeeded(this.change, attempted);
  }
}

/** Runs `work`, parts of which may need approval: then the whole is what was attempted. @throws ApprovalNeeded */
export async function asPartOf<T>(
  whole: AttemptedChange | undefined | (() => AttemptedChange),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    throw error.within(typeof whole === 'function' ? whole() : whole);
  }
}

/** @param attempted computed only if it is needed @throws ApprovalNeeded */
export function assertNoApprovalNeeded(
  actor: Actor,
  change: PlannedChange,
  attempted: () => AttemptedChange | undefined,
): void {
  if (needsApproval(approvalRulesOf(actor), change)) throw new ApprovalNeeded(change.kind, attempted());
}

/** A tag that a rule names keeps its domain under the rule. @throws ApprovalNeeded */
export function assertTagsRemovable(actor: Actor, removed: readonly string[], attempted: () => AttemptedChange): void {
  const named = approvalRulesOf(actor).flatMap(({ tags = [] }) => tags);
  if (removed.some((tag) => named.includes(tag))) throw new ApprovalNeeded('rules', attempted());
}
