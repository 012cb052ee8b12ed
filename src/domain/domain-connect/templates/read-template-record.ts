import { present, type JsonObject } from '../json-object';
import type { DataField, Essential, TemplateRecord, TxtConflict } from './template';
import { isOneVariable, isTemplateText } from './template-text';

const MAX_TYPE_LENGTH = 20;
const MAX_NAME_LENGTH = 512;
const MAX_DATA_LENGTH = 4_096;
const TYPE = /^[A-Z0-9][A-Z0-9-]*$/;

type Field = keyof Pick<TemplateRecord, 'ttl' | 'priority' | 'weight' | 'port' | 'service' | 'protocol'>;

interface Shape {
  readonly host: 'host' | 'name';
  readonly isHostOptional?: boolean;
  readonly data: DataField;
  readonly required: readonly Field[];
}

const TARGET: Shape = { host: 'host', data: 'pointsTo', required: ['ttl'] };
const REDIRECT: Shape = { host: 'host', isHostOptional: true, data: 'target', required: [] };
const TEXT: Shape = { host: 'host', data: 'data', required: ['ttl'] };

/** The members of records by type, as the schema has them. All other types have those of `TEXT`. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['A', TARGET],
  ['AAAA', TARGET],
  ['CNAME', TARGET],
  ['NS', TARGET],
  ['MX', { ...TARGET, required: ['ttl', 'priority'] }],
  ['APEXCNAME', { ...TARGET, isHostOptional: true }],
  ['SPFM', { host: 'host', data: 'spfRules', required: [] }],
  ['SRV', { host: 'name', data: 'target', required: ['ttl', 'priority', 'weight', 'port', 'service', 'protocol'] }],
  ['REDIR301', REDIRECT],
  ['REDIR302', REDIRECT],
]);

/** Adds its issues to those of the object. */
export function readTemplateRecord(object: JsonObject): TemplateRecord {
  const type = object.text('type', MAX_TYPE_LENGTH).toUpperCase();
  if (type !== '' && !TYPE.test(type)) object.report('type', 'must be the name of a record type');
  const shape = SHAPES.get(type) ?? TEXT;
  const host = textOf(object, shape.host, MAX_NAME_LENGTH, shape.isHostOptional !== true);
  if (type === 'APEXCNAME' && host !== '@' && host !== '') object.report('host', 'must be @ or absent for APEXCNAME');
  return {
    type,
    host,
    data: textOf(object, shape.data, MAX_DATA_LENGTH, true),
    dataField: shape.data,
    ...fieldsOf(object, shape.required),
    txtConflict: txtConflictOf(object),
    ...present('groupId', fixedText(object, 'groupId')),
    essential: essentialOf(object),
  };
}

/** Every type can have a TTL. */
function fieldsOf(object: JsonObject, required: readonly Field[]): Partial<Pick<TemplateRecord, Field>> {
  const values = [...new Set<Field>(['ttl', ...required])].map((field) => {
    if (field === 'service' || field === 'protocol') return [field, textOf(object, field, MAX_NAME_LENGTH, true)];
    const value = object.numberText(field, isOneVariable, 'an integer or one %variable%');
    if (value === undefined && required.includes(field)) object.reportMissing(field);
    return [field, value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<Pick<TemplateRecord, Field>>;
}

/** A text that can have variables. */
function textOf(object: JsonObject, field: string, maxLength: number, isRequired: boolean): string {
  const text = object.anyText(field, maxLength);
  if (text === undefined && isRequired) object.reportMissing(field);
  if (text !== undefined && !isTemplateText(text))
    object.report(field, 'has a % that neither starts nor ends a %variable%');
  return text ?? '';
}

/** A text that cannot have variables. */
function fixedText(object: JsonObject, field: string): string | undefined {
  const text = object.optionalText(field, MAX_NAME_LENGTH);
  if (text?.includes('%') === true) object.report(field, 'cannot have variables');
  return text;
}

function txtConflictOf(object: JsonObject): TxtConflict {
  const mode = fixedText(object, 'txtConflictMatchingMode') ?? 'None';
  const prefix = fixedText(object, 'txtConflictMatchingPrefix');
  if (mode === 'None' || mode === 'All') return { mode };
  if (mode !== 'Prefix') object.report('txtConflictMatchingMode', 'must be None, All or Prefix');
  else if (prefix === undefined) object.report('txtConflictMatchingPrefix', 'is required for the mode Prefix');
  return { mode: 'Prefix', prefix: prefix ?? '' };
}

function essentialOf(object: JsonObject): Essential {
  const essential = fixedText(object, 'essential') ?? 'Always';
  if (essential === 'Always' || essential === 'OnApply') return essential;
  object.report('essential', 'must be Always or OnApply');
  return 'Always';
}
