import { CAA_TAGS } from '../../../domain/dns/records/caa-content';
import { RECORD_RULES, RECORD_TYPES, type RecordType } from '../../../domain/dns/records/record-rules';
import { DEFAULT_TTL } from '../../../domain/dns/records/dns-record';
import { Field, Select, useFieldValue } from '../layout/forms';

/** Suggestions of the API's documentation. */
const TTLS: readonly (readonly [seconds: number, label: string])[] = [
  [DEFAULT_TTL, '1 hour (default)'],
  [86_400, '1 day, for records that rarely change'],
  [300, '5 minutes, for records that change often'],
  [60, '1 minute, during a migration'],
];
const TYPES = RECORD_TYPES.map((type) => ({ value: type, label: type }));
const FLAGS = [
  { value: '0', label: '0' },
  { value: '128', label: '128, critical' },
];
const TAGS = CAA_TAGS.map((tag) => ({ value: tag, label: tag }));
const WITH_CONTENT = RECORD_TYPES.filter((type) => type !== 'CAA');

/** The fields of a record. Scripts hide those that the selected type does not have. */
export function RecordFields({
  zoneName,
  id,
  autofocus = false,
}: {
  readonly zoneName: string;
  readonly id: string;
  readonly autofocus?: boolean;
}) {
  const ttls = `${id}-ttls`;
  return (
    <div class="fields record-fields">
      <Select name="type" label="Type" choices={TYPES} togglesFields autofocus={autofocus} />
      <Field name="name" label="Name" required hint={`@ for ${zoneName}`} />
      <FieldsForTypes types={WITH_CONTENT} wide>
        <Field name="content" label="Content" hint={<ContentHints />} />
      </FieldsForTypes>
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
      <Field
        name="ttl"
        label="TTL in seconds"
        inputMode="numeric"
        list={ttls}
        placeholder={String(DEFAULT_TTL)}
        hint="How long resolvers cache it"
      />
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
  readonly types: readonly RecordType[];
  readonly wide?: boolean;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div data-types={types.join(' ')} class={wide ? 'wide' : undefined}>
      {children}
    </div>
  );
}

/** The expected content of each type, as in its rule. */
function ContentHints() {
  const current = useFieldValue('type') ?? RECORD_TYPES[0];
  return (
    <>
      {WITH_CONTENT.map((type) => (
        <span key={type} data-types={type} hidden={type !== current}>
          {RECORD_RULES[type].expectation}
        </span>
      ))}
    </>
  );
}

function listTypesWith(number: 'priority' | 'weight' | 'port'): readonly RecordType[] {
  return RECORD_TYPES.filter((type) => RECORD_RULES[type].numbers[number] !== undefined);
}
