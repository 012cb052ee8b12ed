import { isPrice, price } from './money';
import { FormActions } from './form-actions';
import { PostForm } from './forms';
import { PageHeading } from './parts';

export interface RepeatFormPageProps {
  readonly title: string;
  /** What happened, why, and what the button does. */
  readonly reason: string;
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly submit: string;
  readonly cancel: string;
}

/** Shown for people to check, not to read. */
const INTERNAL = new Set(['price', 'currency', 'expires_at', 'expected']);

/** A form as it was sent, to be sent again with one click. */
export function RepeatFormPage({ title, reason, action, fields, submit, cancel }: RepeatFormPageProps) {
  const shown = fields.filter(([name, value]) => value !== '' && !INTERNAL.has(name));
  const agreed = priceIn(Object.fromEntries(fields));
  return (
    <>
      <PageHeading title={title} />
      <section class="card narrow">
        <div class="notice warning" role="alert">
          <p>{reason}</p>
        </div>
        {(shown.length > 0 || agreed !== undefined) && (
          <dl class="details">
            {shown.map(([name, value], index) => (
              <FieldValue key={index} label={labelOf(name)} value={value === 'on' ? 'yes' : value} />
            ))}
            {agreed !== undefined && <FieldValue label="Price" value={agreed} />}
          </dl>
        )}
        <PostForm action={action}>
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <FormActions submit={submit} cancel={cancel} />
        </PostForm>
      </section>
    </>
  );
}

function FieldValue({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd class="lines">{value}</dd>
    </>
  );
}

function labelOf(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function priceIn({ price: minor = '', currency = '' }: Readonly<Record<string, string>>): string | undefined {
  const agreed = { minor: minor === '' ? Number.NaN : Number(minor), currency };
  return isPrice(agreed) ? price(agreed) : undefined;
}
