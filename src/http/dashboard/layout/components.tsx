import type { ComponentChildren } from 'preact';
import { formatDate, formatDateTime } from '../../../domain/shared/time/date-text';
import { Explain, type Term } from './explain';
import { PostForm } from './forms/forms';
import { useTimeZone } from './page-context';

/** The heading of a page and its actions. */
export function PageHeading({
  title,
  lead,
  children,
}: {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="page-heading">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly id?: string;
  readonly class?: string;
  readonly aside?: ComponentChildren;
  /** What a button beside the title explains. */
  readonly term?: Term | undefined;
  readonly children: ComponentChildren;
}

export function Card({ title, id, class: className, aside, term, children }: CardProps) {
  return (
    <section class={className === undefined ? 'card' : `card ${className}`} id={id}>
      <div class="card-heading">
        <h2>{title}</h2>
        {term && <Explain term={term} />}
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Tone = 'good' | 'plain' | 'warning' | 'bad';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A table that becomes a list of cards on narrow screens. The roles keep it a table for screen readers. */
export function Table({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  readonly columns: readonly ComponentChildren[];
  readonly children: ComponentChildren;
}) {
  return (
    <table role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, index) => (
            <th key={index} role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

export function Row({
  id,
  class: className,
  children,
}: {
  readonly id?: string;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <tr role="row" id={id} class={className}>
      {children}
    </tr>
  );
}

/** @param label the column's name, shown on narrow screens */
export function Cell({
  label,
  class: className,
  children,
}: {
  readonly label?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <td role="cell" data-label={label} class={className}>
      {children}
    </td>
  );
}

interface ConfirmProps {
  /** Label of the button that opens the question. */
  readonly label: string;
  /** Added to the label for screen readers, such as the name of the row. */
  readonly about?: string;
  readonly action: string;
  readonly question: ComponentChildren;
  readonly button: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly danger?: boolean;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** A confirmation before an action that cannot be undone. Works without scripts. */
export function Confirm({
  label,
  about,
  action,
  question,
  button,
  fields = {},
  danger = true,
  children,
}: ConfirmProps) {
  return (
    <details class="confirm">
      <summary class={danger ? 'danger' : undefined}>
        {label}
        {about !== undefined && <span class="visually-hidden"> {about}</span>}
      </summary>
      <div class="confirm-body">
        <p>{question}</p>
        <PostForm action={action}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children}
          <button class={danger ? 'danger' : 'primary'} type="submit">
            {button}
          </button>
        </PostForm>
      </div>
    </details>
  );
}

/** A text with a Copy button, which needs scripts. */
export function Copyable({
  id,
  text,
  label,
  lines = false,
}: {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly lines?: boolean;
}) {
  return (
    <div class="copyable">
      {lines ? (
        <pre id={id} tabIndex={0} aria-label={label}>
          {text}
        </pre>
      ) : (
        <code id={id} aria-label={label} role="group">
          {text}
        </code>
      )}
      <button type="button" class="quiet" data-copy={id} hidden>
        Copy
        <span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}

/** A date or time as text, with the exact time in its attributes. */
export function Time({ at, children }: { readonly at: Date; readonly children: ComponentChildren }) {
  const timeZone = useTimeZone();
  const utc = at.toISOString();
  return (
    <time dateTime={utc} title={timeZone === 'UTC' ? utc : `${formatDateTime(at, timeZone)} (${utc})`}>
      {children}
    </time>
  );
}

/** 3 Mar 2027, 14:05 UTC, in the person's time zone. */
export function DateTime({ at }: { readonly at: Date }) {
  return <Time at={at}>{formatDateTime(at, useTimeZone())}</Time>;
}

/** 3 Mar 2027, the day in the person's time zone. Not for dates of registries, which are days in UTC. */
export function Day({ at }: { readonly at: Date }) {
  return <Time at={at}>{formatDate(at, useTimeZone())}</Time>;
}
