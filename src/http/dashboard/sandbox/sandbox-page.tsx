import {
  REGISTRY_FAULTS,
  type LedgerEntry,
  type RegistryFault,
} from '../../../application/ports/registry/registry-sandbox';
import type { FormIssues } from '../form-issues';
import { dateAndTime, shortDate } from '../layout/dates';
import { Field, PostForm, Select, type FormValues } from '../layout/forms';
import { price } from '../layout/money';
import { Card, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/parts';

const FAULT_WORDS: Readonly<Record<RegistryFault['kind'], string>> = {
  latency: 'answers late',
  refuse: 'refuses a change',
  lose_answer: 'does it and loses the answer',
  outage: 'does nothing and answers nothing',
};
const CHARGE_WORDS: Readonly<Record<LedgerEntry['kind'], string>> = {
  register: 'registration',
  renew: 'renewal',
  auto_renew: 'automatic renewal',
  restore: 'restore',
  refund: 'refund',
};
const KINDS = REGISTRY_FAULTS.map((kind) => ({ value: kind, label: FAULT_WORDS[kind] }));
const LEAPS = [1, 7, 30, 365];
const MOST_LINES = 200;

/** A form that comes back. */
export interface SandboxForm {
  readonly name: 'advance' | 'fault' | 'transfer';
  readonly values: FormValues;
}

export interface SandboxPageProps {
  /** Whether the account moves the clock and orders faults. */
  readonly controls: boolean;
  readonly time: Date;
  readonly faults: readonly RegistryFault[];
  /** Of the account, oldest first. */
  readonly ledger: readonly LedgerEntry[];
  readonly form?: (SandboxForm & { readonly issues: FormIssues }) | undefined;
}

export function SandboxPage({ controls, time, faults, ledger, form }: SandboxPageProps) {
  const of = (name: SandboxForm['name'], otherwise: FormValues) =>
    form?.name === name ? { values: form.values, issues: form.issues } : { values: otherwise, issues: undefined };
  return (
    <>
      <PageHeading
        title="Sandbox"
        lead="The registry is simulated: its time can be moved, and it can be told to fail."
      />
      <div class="columns">
        <Card title="Time">
          <p>
            It is <strong>{dateAndTime(time)}</strong> at the registry. Renewals, expiries and deletions that fall due
            on the way happen. There is no way back.
          </p>
          {controls ? (
            <PostForm action="/sandbox/advance" id="advance" {...of('advance', { days: '30' })}>
              <Field name="days" label="Days to go ahead" inputMode="numeric" list="leaps" required />
              <datalist id="leaps">
                {LEAPS.map((days) => (
                  <option key={days} value={String(days)} />
                ))}
              </datalist>
              <button class="primary" type="submit">
                Let them pass
              </button>
            </PostForm>
          ) : (
            <p>
              Its clock and faults meet all accounts, and this account does not control them. The operator can allow it.
            </p>
          )}
        </Card>
        <Card title="Transfer away">
          <p>What another registrar would ask for. The name must be unlocked, and the auth code be right.</p>
          <PostForm action="/sandbox/transfer-out" id="transfer" {...of('transfer', {})}>
            <Field name="name" label="Domain" required />
            <Field name="auth_code" label="Auth code" required autocomplete="off" />
            <button type="submit">Ask for the transfer</button>
          </PostForm>
        </Card>
      </div>
      {controls && (
        <Card title="Faults">
          <FaultList faults={faults} />
          <PostForm action="/sandbox/faults" id="fault" {...of('fault', { kind: 'refuse', times: '1' })}>
            <div class="fields">
              <Select name="kind" label="The registry" choices={KINDS} />
              <Field
                name="target"
                label="For (optional)"
                placeholder="com, or a domain"
                hint="Everything, where empty"
              />
              <Field name="times" label="How often (optional)" inputMode="numeric" hint="Until cleared, where empty" />
              <Field name="milliseconds" label="Milliseconds" inputMode="numeric" hint="Where it answers late" />
            </div>
            <button type="submit">Order the fault</button>
          </PostForm>
        </Card>
      )}
      <Card title="What the registry charged" class="flush">
        <Ledger entries={ledger} />
      </Card>
    </>
  );
}

function FaultList({ faults }: { readonly faults: readonly RegistryFault[] }) {
  if (faults.length === 0) return <p>None: the registry does what it should.</p>;
  return (
    <>
      <ul>
        {faults.map(({ kind, target, times, milliseconds }, index) => (
          <li key={index}>
            It {FAULT_WORDS[kind]}
            {milliseconds !== undefined && ` by ${milliseconds} ms`}, for {target ?? 'everything'},{' '}
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
  if (entries.length === 0) return <Empty title="Nothing was charged yet." />;
  return (
    <Table caption="Charges and refunds" columns={['Domain', 'When', 'What', 'Years', 'Amount']}>
      {entries
        .toReversed()
        .slice(0, MOST_LINES)
        .map(({ at, kind, name, years, amount }, index) => (
          <Row key={index}>
            <Cell class="main-cell">
              <strong>{name.value}</strong>
            </Cell>
            <Cell label="When">
              <Time at={at}>{shortDate(at)}</Time>
            </Cell>
            <Cell label="What">{CHARGE_WORDS[kind]}</Cell>
            <Cell label="Years">{years}</Cell>
            <Cell label="Amount">{price(amount)}</Cell>
          </Row>
        ))}
    </Table>
  );
}
