import {
  REGISTRY_FAULTS,
  type LedgerEntry,
  type RegistryFault,
} from '../../../application/ports/registry/registry-sandbox';
import { formatDate } from '../../../domain/shared/time/date-text';
import type { FormIssues } from '../form-issues';
import { Field, Select } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { formatPrice } from '../layout/money';
import { Card, Cell, DateTime, Empty, PageHeading, Row, Table, Time } from '../layout/components';

const FAULT_DESCRIPTIONS: Readonly<Record<RegistryFault['kind'], string>> = {
  latency: 'responds late',
  refuse: 'refuses changes',
  lose_answer: 'executes the command but loses the response',
  outage: 'does not respond at all',
};
const CHARGE_LABELS: Readonly<Record<LedgerEntry['kind'], string>> = {
  register: 'registration',
  renew: 'renewal',
  auto_renew: 'automatic renewal',
  restore: 'restore',
  transfer: 'transfer',
  refund: 'refund',
};
const KINDS = REGISTRY_FAULTS.map((kind) => ({ value: kind, label: FAULT_DESCRIPTIONS[kind] }));
const SUGGESTED_DAYS = [1, 7, 30, 365];
const MAX_ROWS = 200;

/** A submitted form with issues. */
export interface SandboxForm {
  readonly name: 'advance' | 'fault' | 'transfer';
  readonly values: FormValues;
}

interface SandboxPageProps {
  /** Whether the account may advance the clock and inject faults. */
  readonly controls: boolean;
  readonly time: Date;
  readonly faults: readonly RegistryFault[];
  /** Charges of the account, oldest first. */
  readonly ledger: readonly LedgerEntry[];
  readonly form?: (SandboxForm & { readonly issues: FormIssues }) | undefined;
}

export function SandboxPage({ controls, time, faults, ledger, form }: SandboxPageProps) {
  const getFormProps = (name: SandboxForm['name'], defaults: FormValues) =>
    form?.name === name ? { values: form.values, issues: form.issues } : { values: defaults, issues: undefined };
  return (
    <>
      <PageHeading title="Sandbox" lead="Controls of the simulated registry: advance its clock and inject faults." />
      <div class="columns">
        <Card title="Clock">
          <p>
            It is{' '}
            <strong>
              <DateTime at={time} />
            </strong>{' '}
            at the registry. Renewals, expiries and deletions that fall due on the way happen. There is no way back.
          </p>
          {controls ? (
            <PostForm action="/sandbox/advance" id="advance" {...getFormProps('advance', { days: '30' })}>
              <Field name="days" label="Days to advance" inputMode="numeric" list="suggested-days" required />
              <datalist id="suggested-days">
                {SUGGESTED_DAYS.map((days) => (
                  <option key={days} value={String(days)} />
                ))}
              </datalist>
              <button class="primary" type="submit">
                Advance clock
              </button>
            </PostForm>
          ) : (
            <p>
              Clock and faults affect all accounts, and this account may not control them. Ask the operator of this
              service to allow it.
            </p>
          )}
        </Card>
        <Card title="Transfer to another registrar">
          <p>Starts a transfer to another registrar. It needs an unlocked domain and a valid auth code.</p>
          <PostForm action="/sandbox/transfer-out" id="transfer" {...getFormProps('transfer', {})}>
            <Field name="name" label="Domain" required />
            <Field name="auth_code" label="Auth code" required autocomplete="off" />
            <button type="submit">Start transfer</button>
          </PostForm>
          <p class="mt-4">
            To transfer a domain to you, <a href="/sandbox/other-registrar">register one at the other registrar</a>.
          </p>
        </Card>
      </div>
      {controls && (
        <Card title="Faults">
          <FaultList faults={faults} />
          <PostForm action="/sandbox/faults" id="fault" {...getFormProps('fault', { kind: 'refuse', times: '1' })}>
            <div class="fields">
              <Select name="kind" label="Fault" choices={KINDS} />
              <Field
                name="target"
                label="Target (optional)"
                placeholder="com or example.com"
                hint="Empty: all domains"
              />
              <Field name="times" label="Times (optional)" inputMode="numeric" hint="Empty: until cleared" />
              <Field
                name="milliseconds"
                label="Delay in milliseconds"
                inputMode="numeric"
                hint="For late responses only"
              />
            </div>
            <button type="submit">Add fault</button>
          </PostForm>
        </Card>
      )}
      <Card title="Mail">
        <p>
          People are told of expiries, transfers, sign-ins and more. The <a href="/sandbox/outbox">outbox</a> has the
          mails of this account.
        </p>
      </Card>
      <Card title="Charges" class="flush">
        <Ledger entries={ledger} />
      </Card>
    </>
  );
}

function FaultList({ faults }: { readonly faults: readonly RegistryFault[] }) {
  if (faults.length === 0) return <p>No faults. The registry works normally.</p>;
  return (
    <>
      <ul>
        {faults.map(({ kind, target, times, milliseconds }, index) => (
          <li key={index}>
            The registry {FAULT_DESCRIPTIONS[kind]}
            {milliseconds !== undefined && ` by ${milliseconds} ms`}, for {target ?? 'all domains'},{' '}
            {times === undefined ? 'until cleared' : `${times} more ${times === 1 ? 'time' : 'times'}`}.
          </li>
        ))}
      </ul>
      <PostForm action="/sandbox/faults/clear">
        <button class="quiet" type="submit">
          Clear all faults
        </button>
      </PostForm>
    </>
  );
}

function Ledger({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) return <Empty title="No charges yet" />;
  return (
    <Table caption="Charges and refunds" columns={['Domain', 'Date', 'Type', 'Years', 'Amount']}>
      {entries
        .toReversed()
        .slice(0, MAX_ROWS)
        .map(({ at, kind, name, years, amount }, index) => (
          <Row key={index}>
            <Cell class="main-cell">
              <strong>{name.value}</strong>
            </Cell>
            <Cell label="Date">
              <Time at={at}>{formatDate(at)}</Time>
            </Cell>
            <Cell label="Type">{CHARGE_LABELS[kind]}</Cell>
            <Cell label="Years">{years}</Cell>
            <Cell label="Amount">{formatPrice(amount)}</Cell>
          </Row>
        ))}
    </Table>
  );
}
