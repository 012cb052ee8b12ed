import { isPrice, formatPrice } from '../money';
import { FormActions } from './form-actions';
import { PostForm } from './forms';
import { PageHeading } from '../components';

interface ResubmitFormPageProps {
  readonly title: string;
  /** What happened, why, and what to do. */
  readonly reason: string;
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly submit: string;
  readonly cancel: string;
}

/** Fields that are not listed. */
const UNLISTED = new Set(['price', 'currency', 'expires_at', 'expected']);

/** Shows a submitted form and a button that sends it again. */
export function ResubmitFormPage({ title, reason, action, fields, submit, cancel }: ResubmitFormPageProps) {
  const shown = fields.filter(([name, value]) => value !== '' && !UNLISTED.has(name));
  const agreed = formatAgreedPrice(Object.fromEntries(fields));
  return (
    <>
      <PageHeading title={title} />
      <section class="card narrow">
        <div class="alert warning" role="alert">
          <p>{reason}</p>
        </div>
        {(shown.length > 0 || agreed !== undefined) && (
          <dl class="details">
            {shown.map(([name, value], index) => (
              <FieldValue key={index} label={formatLabel(name)} value={value === 'on' ? 'yes' : value} />
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

function formatLabel(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatAgreedPrice({ price: minor = '', currency = '' }: Readonly<Record<string, string>>): string | undefined {
  const agreed = { minor: minor === '' ? Number.NaN : Number(minor), currency };
  return isPrice(agreed) ? formatPrice(agreed) : undefined;
}
