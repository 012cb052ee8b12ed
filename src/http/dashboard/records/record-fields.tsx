import { CAA_TAGS } from '../../../domain/dns/records/caa-content';
import { RECORD_RULES } from '../../../domain/dns/records/record-rules';
import { RECORD_TYPES, type RecordType } from '../../../domain/dns/records/record-type';
import { DEFAULT_TTL } from '../../../domain/dns/records/ttl';
import { Field, Select, useValue } from '../layout/forms';

/** From the interface's guidance. */
const TTLS: readonly (readonly [seconds: number, label: string])[] = [
  [DEFAULT_TTL, 'an hour, the standard'],
  [86_400, 'a day, for what rarely changes'],
  [300, 'five minutes, for what changes often'],
  [60, 'a minute, during a migration'],
];
const TYPES = RECORD_TYPES.map((type) => ({ value: type, label: type }));
const FLAGS = [
  { value: '0', label: '0' },
  { value: '128', label: '128, critical' },
];
const TAGS = CAA_TAGS.map((tag) => ({ value: tag, label: tag }));
const WITH_CONTENT = RECORD_TYPES.filter((type) => type !== 'CAA');

/** The fields of a record. Scripts leave those that the chosen type has; without them, the others stay empty. */
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
      <Select name="type" label="Type" choices={TYPES} fits autofocus={autofocus} />
      <Field name="name" label="Name" required hint={`@ for ${zoneName} itself`} />
      <For types={WITH_CONTENT} wide>
        <Field name="content" label="Content" hint={<ContentHints />} />
      </For>
      <For types={['CAA']}>
        <Select name="caa_flags" label="Flags" choices={FLAGS} />
      </For>
      <For types={['CAA']}>
        <Select name="caa_tag" label="Tag" choices={TAGS} />
      </For>
      <For types={['CAA']}>
        <Field name="caa_value" label="Value" hint="an issuer such as letsencrypt.org, or ; for nobody" />
      </For>
      <For types={typesWith('priority')}>
        <Field name="priority" label="Priority" inputMode="numeric" hint="the lowest is tried first" />
      </For>
      <For types={typesWith('weight')}>
        <Field name="weight" label="Weight" inputMode="numeric" hint="share among equal priorities" />
      </For>
      <For types={typesWith('port')}>
        <Field name="port" label="Port" inputMode="numeric" />
      </For>
      <Field
        name="ttl"
        label="TTL in seconds"
        inputMode="numeric"
        list={ttls}
        placeholder={String(DEFAULT_TTL)}
        hint="how long resolvers keep it"
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

function For({
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

/** What the content of each type must be, in the words of its rule. */
function ContentHints() {
  const current = useValue('type') ?? RECORD_TYPES[0];
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

function typesWith(number: 'priority' | 'weight' | 'port'): readonly RecordType[] {
  return RECORD_TYPES.filter((type) => RECORD_RULES[type].numbers[number] !== undefined);
}
