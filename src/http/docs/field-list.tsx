import type { Field, TypeDescription } from './describe-type';
import { InlineText } from './inline-text';

/** Objects in a request are open if they are required, those in a response are closed, and those in a schema are links. */
export type FieldsOf = 'request' | 'response' | 'schema';

export function FieldList({ fields, of }: { readonly fields: readonly Field[]; readonly of: FieldsOf }) {
  return (
    <ul class="field-list">
      {fields.map(({ name, isRequired, type }) => (
        <li key={name}>
          <code class="field-name">{name}</code> <TypeName type={type} />
          {of === 'response'
            ? !isRequired && <span class="type"> optional</span>
            : isRequired && <span class="required"> required</span>}
          <TypeNotes type={type} />
          {type.fields.length > 0 && !(of === 'schema' && type.schema !== undefined) && (
            <details open={of === 'request' && isRequired}>
              <summary>
                Fields of <code>{name}</code>
              </summary>
              <FieldList fields={type.fields} of={of} />
            </details>
          )}
          <Alternatives type={type} of={of} />
        </li>
      ))}
    </ul>
  );
}

/** The fields of a body, or what it is if it has none. */
export function BodyFields({ type, of }: { readonly type: TypeDescription; readonly of: FieldsOf }) {
  return (
    <>
      <p>
        <TypeName type={type} />
      </p>
      <TypeNotes type={type} />
      {type.fields.length > 0 && <FieldList fields={type.fields} of={of} />}
      <Alternatives type={type} of={of} />
    </>
  );
}

function TypeName({ type: { text, schema, isNullable } }: { readonly type: TypeDescription }) {
  return (
    <span class="type">
      {text}
      {isNullable && ' or null'}
      {schema !== undefined && (
        <>
          {' · '}
          <a href={`/docs/schemas#${schema}`}>{schema}</a>
        </>
      )}
    </span>
  );
}

/** Description, values and constraints. */
function TypeNotes({ type: { description, values, facts } }: { readonly type: TypeDescription }) {
  return (
    <>
      {description !== undefined && (
        <p>
          <InlineText text={description} />
        </p>
      )}
      {values.length > 0 && (
        <p class="values">
          One of
          {values.map((value) => (
            <code key={value}>{value}</code>
          ))}
        </p>
      )}
      {facts.length > 0 && (
        <p class="small">
          <InlineText text={facts.join(' · ')} />
        </p>
      )}
    </>
  );
}

/** The objects of which a value is one. */
function Alternatives({ type, of }: { readonly type: TypeDescription; readonly of: FieldsOf }) {
  return (
    <>
      {type.alternatives.map((alternative, index) => (
        <details key={index} open={of === 'request'}>
          <summary>
            Alternative {index + 1}: <TypeName type={alternative} />
          </summary>
          <TypeNotes type={alternative} />
          <FieldList fields={alternative.fields} of={of} />
        </details>
      ))}
    </>
  );
}
