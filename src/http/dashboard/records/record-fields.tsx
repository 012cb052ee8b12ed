import { CAA_TAGS } from '../../../domain/dns/records/text/caa-content';
import {
  INTERFACE_TYPES,
  NAMED_TYPES,
  OTHER_TYPES,
  typeDefinition,
  type WritableType,
} from '../../../domain/dns/records/types/record-types';
import type { RecordNumber } from '../../../domain/dns/records/types/type-definition';
import { isReverseName } from '../../../domain/dns/zone-names/reverse-tree';
import { DEFAULT_TTL } from '../../../domain/dns/records/dns-record';
import { partField, partsOf } from './record-form';
import { Checkbox, Field, Select } from '../layout/forms/form-controls';
import { NOTICE_ID, useFieldValue } from '../layout/forms/forms';
import { groupByKind, KindIcons } from './record-type';

/** Suggestions of the API's documentation. */
const TTLS: readonly (readonly [seconds: number, label: string])[] = [
  [DEFAULT_TTL, '1 hour (default)'],
  [86_400, '1 day, for records that rarely change'],
  [300, '5 minutes, for records that change often'],
  [60, '1 minute, during a migration'],
];
const MORE_TYPES = 'The operator of this service can switch on more types';
const FLAGS = [
  { value: '0', label: '0' },
  { value: '128', label: '128, critical' },
];
const TAGS = CAA_TAGS.map((tag) => ({ value: tag, label: tag }));

/** Of the name in the form. Scripts keep it up to date. */
function FullName({ zoneName }: { readonly zoneName: string }) {
  const name = useFieldValue('name') ?? '';
  const isFull = name === zoneName || name.endsWith(`.${zoneName}`) || name.endsWith('.');
  const full = name === '@' ? zoneName : isFull ? name.replace(/\.$/, '') : `${name}.${zoneName}`;
  return <span data-full-name={zoneName}>{name !== '' && `→ ${full}`}</span>;
}

/** The fields of a record. Scripts hide those that the selected type does not have. */
export function RecordFields({
  zoneName,
  types,
  id,
  autofocus,
}: {
  readonly zoneName: string;
  /** Those that are switched on. */
  readonly types: readonly WritableType[];
  readonly id: string;
  readonly autofocus?: 'type' | 'name' | undefined;
}) {
  const ttls = `${id}-ttls`;
  const structured = types.filter((type) => partsOf(type).length > 0);
  const withContent = types.filter((type) => type !== 'CAA' && !structured.includes(type));
  const choices = groupByKind(types).map((kind) => ({
    label: kind.label,
    choices: kind.types.map((type) => ({ value: type, label: type === OTHER_TYPES ? 'Other, by number' : type })),
  }));
  return (
    <div class="fields record-fields">
      <Select
        name="type"
        label="Type"
        choices={choices}
        lead={<KindIcons types={types} />}
        togglesFields
        autofocus={autofocus === 'type'}
        hint={types.length < NAMED_TYPES.length ? MORE_TYPES : undefined}
      />
      {types.includes(OTHER_TYPES) && (
        <FieldsForTypes types={[OTHER_TYPES]}>
          <Field name="type_number" label="Type number" inputMode="numeric" hint="1 to 65535 (RFC 3597)" />
        </FieldsForTypes>
      )}
      <Field
        name="name"
        label="Name"
        required
        autofocus={autofocus === 'name'}
        // It takes the focus that the notice would have.
        describedBy={autofocus === 'name' ? NOTICE_ID : undefined}
        hint={
          <>
            @ for {zoneName} <FullName zoneName={zoneName} />
          </>
        }
      />
      <FieldsForTypes types={withContent} wide>
        <Field name="content" label="Content" hint={<ContentHints types={withContent} />} />
      </FieldsForTypes>
      {structured.map((type) => (
        <PartFields key={type} type={type} />
      ))}
      <FieldsForTypes types={['CAA']}>
        <Select name="caa_flags" label="Flags" choices={FLAGS} />
      </FieldsForTypes>
      <FieldsForTypes types={['CAA']}>
        <Select name="caa_tag" label="Tag" choices={TAGS} />
      </FieldsForTypes>
      <FieldsForTypes types={['CAA']}>
        <Field name="caa_value" label="Value" hint="An issuer such as letsencrypt.org, or ; to allow none" />
      </FieldsForTypes>
      <FieldsForTypes types={listTypesWith('priority')}>
        <Field name="priority" label="Priority" inputMode="numeric" hint="Lowest value first" />
      </FieldsForTypes>
      <FieldsForTypes types={listTypesWith('weight')}>
        <Field name="weight" label="Weight" inputMode="numeric" hint="Relative share within a priority" />
      </FieldsForTypes>
      <FieldsForTypes types={listTypesWith('port')}>
        <Field name="port" label="Port" inputMode="numeric" />
      </FieldsForTypes>
      {!isReverseName(zoneName) && (
        <FieldsForTypes types={['A', 'AAAA']} wide>
          <input type="hidden" name="has_ptr" value="on" />
          <Checkbox
            name="ptr"
            label="PTR record in the reverse zone"
            hint="If the account has the zone of the address"
          />
        </FieldsForTypes>
      )}
      <Field
        name="ttl"
        label="TTL in seconds"
        inputMode="numeric"
        list={ttls}
        placeholder={String(DEFAULT_TTL)}
        hint="How long resolvers cache it"
      />
      <Field name="comment" label="Comment" hint="Not published in DNS" />
      <datalist id={ttls}>
        {TTLS.map(([seconds, label]) => (
          <option key={seconds} value={String(seconds)}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  );
}

function FieldsForTypes({
  types,
  wide = false,
  children,
}: {
  readonly types: readonly WritableType[];
  readonly wide?: boolean;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div data-types={types.join(' ')} class={wide ? 'wide' : undefined}>
      {children}
    </div>
  );
}

/** The parts of the content of one type. Without scripts, those of other types are not shown, and the content takes their place. */
function PartFields({ type }: { readonly type: WritableType }) {
  const current = useFieldValue('type');
  return (
    <>
      {partsOf(type).map(({ label, example, hint }, index, parts) => (
        <div
          key={label}
          data-types={type}
          hidden={type !== current}
          class={index === parts.length - 1 ? 'wide' : undefined}
        >
          <Field name={partField(type, index)} label={label} placeholder={example} hint={hint} />
        </div>
      ))}
    </>
  );
}

/** The expected content of each type, as in its rule. */
function ContentHints({ types }: { readonly types: readonly WritableType[] }) {
  const current = useFieldValue('type') ?? types[0];
  return (
    <>
      {types.map((type) => (
        <span key={type} data-types={type} hidden={type !== current}>
          {typeDefinition(type === OTHER_TYPES ? 'TYPE0' : type).expectation}
        </span>
      ))}
    </>
  );
}

function listTypesWith(number: RecordNumber): readonly WritableType[] {
  return INTERFACE_TYPES.filter((type) => typeDefinition(type).numbers[number] !== undefined);
}

/** Filled by a script while the user types. Without scripts, the warnings are on the next page. */
export function RecordWarnings({ check }: { readonly check: string }) {
  return <div class="record-warnings" data-check={check} role="status" />;
}
