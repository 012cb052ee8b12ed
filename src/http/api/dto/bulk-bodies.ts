import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import type { BulkAction, BulkKind } from '../../../domain/portfolio/bulk-job';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ContactsBody } from './domain-bodies';
import { parseTime } from './parse-time';
import { toRegistrant } from './registrant-body';
import { toTemplateValues } from './template-bodies';
import { Optional } from './validated';

const KINDS: readonly BulkKind[] = [
  'auto_renewal',
  'transfer_lock',
  'nameservers',
  'renewal',
  'registrant',
  'tags',
  'template',
];

export class BulkBody {
  @IsIn(KINDS) action!: BulkKind;
  @Optional() @IsArray() @IsString({ each: true }) domains?: string[];
  /** Query parameters of `GET /api/domains`. */
  @Optional() @IsObject() filter?: Record<string, unknown>;
  @Optional() @IsBoolean() auto_renew?: boolean;
  @Optional() @IsBoolean() transfer_locked?: boolean;
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
  @Optional() @IsInt() years?: number;
  /** By the id of the domain. */
  @Optional() @IsObject() current_expiry?: Record<string, unknown>;
  @Optional() @IsObject() @ValidateNested() @Type(() => ContactsBody) contacts?: ContactsBody;
  @Optional() @IsArray() @IsString({ each: true }) add_tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) remove_tags?: string[];
  @Optional() @IsString() template?: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
}

type Member = Exclude<keyof BulkBody, 'action' | 'domains' | 'filter'>;

/** What each action takes besides the domains; those in brackets may be absent. */
const MEMBERS: Readonly<
  Record<BulkKind, { readonly required: readonly Member[]; readonly optional: readonly Member[] }>
> = {
  auto_renewal: { required: ['auto_renew'], optional: [] },
  transfer_lock: { required: ['transfer_locked'], optional: [] },
  nameservers: { required: ['nameservers'], optional: [] },
  renewal: { required: [], optional: ['years', 'current_expiry'] },
  registrant: { required: ['contacts'], optional: [] },
  tags: { required: [], optional: ['add_tags', 'remove_tags'] },
  template: { required: ['template'], optional: ['values'] },
};
const ALL_MEMBERS = Object.values(MEMBERS).flatMap(({ required, optional }) => [...required, ...optional]);

/** @throws ValidationError for members that the action lacks or does not take */
export function toBulkAction(body: BulkBody): BulkAction {
  const { required, optional } = MEMBERS[body.action];
  const issues = [
    ...required
      .filter((member) => body[member] === undefined)
      .map((path) => ({ path, message: `is required for ${body.action}` })),
    ...ALL_MEMBERS.filter(
      (member) => body[member] !== undefined && !required.includes(member) && !optional.includes(member),
    ).map((path) => ({ path, message: `does not belong to ${body.action}` })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return ACTIONS[body.action](body);
}

const ACTIONS: { readonly [Kind in BulkKind]: (body: BulkBody) => Extract<BulkAction, { kind: Kind }> } = {
  auto_renewal: ({ auto_renew: autoRenew = false }) => ({ kind: 'auto_renewal', autoRenew }),
  transfer_lock: ({ transfer_locked: locked = false }) => ({ kind: 'transfer_lock', locked }),
  nameservers: ({ nameservers: hosts = [] }) => ({ kind: 'nameservers', hosts }),
  renewal: ({ years }) => ({ kind: 'renewal', years }),
  registrant: ({ contacts }) => ({
    kind: 'registrant',
    registrant: toRegistrant((contacts as ContactsBody).registrant),
  }),
  template: ({ template: templateId = '', values }) => ({
    kind: 'template',
    templateId,
    values: toTemplateValues(values),
  }),
  tags: ({ add_tags: add = [], remove_tags: remove = [] }) => ({ kind: 'tags', add, remove }),
};

/** The expiry that each domain is renewed from, for those that are named. @throws ValidationError */
export function toCurrentExpiries({ domains = [], current_expiry: given = {} }: BulkBody): ReadonlyMap<string, Date> {
  const ids = new Set(domains);
  return new Map(
    Object.entries(given).map(([id, time]) => {
      if (!ids.has(id)) throw ValidationError.of('current_expiry', 'must have ids of `domains` only');
      return [id, parseTime(`current_expiry.${id}`, typeof time === 'string' ? time : '')];
    }),
  );
}
