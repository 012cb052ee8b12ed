import type { StatePlan } from '../../../typescript/src/namewright.ts';
import { changeLines, reversed, warningLines, type RecordChanges } from '../commands/dns/plan-text.ts';
import type { Paint } from '../terminal/colors.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import type { NamePlan, Planned } from './plan-state.ts';

/** A thousandth, which every currency has: sums of decimal numbers are not exact. */
const SMALLEST = 1_000;

interface Money {
  readonly amount: number;
  readonly currency: string;
}

type SettingChange = StatePlan['settings'][number];

export function isEmpty({ plan }: Planned): boolean {
  const { added, changed, removed } = recordsOf(plan);
  return 'empty' in plan ? plan.empty : added.length + changed.length + removed.length === 0;
}

/** The lines of a plan, below the name. */
export function planLines({ file, name, plan }: NamePlan, paint: Paint): string[] {
  return [
    `${paint('bold', printable(name))} (${printable(file)})`,
    ...changeLines(recordsOf(plan), paint),
    ...settingsOf(plan).map((change) => settingLine(change, paint)),
    ...operationsOf(plan).map(({ kind, price }) => `  at the registry: ${kind}${price ? `, ${moneyOf(price)}` : ''}`),
    ...notesOf(plan).map(({ line, note }) => paint('dim', `  Line ${line}: ${printable(note)}`)),
    ...warningLines(plan.warnings, paint),
  ];
}

/** What the service has and the state has not: the plan, seen from the other side. */
export function driftLines({ name, plan }: Planned, source: string, paint: Paint): string[] {
  const settings = settingsOf(plan).map(({ setting, before, after }) => ({ setting, before: after, after: before }));
  return [
    `${paint('bold', printable(name))} differs from ${printable(source)}`,
    ...changeLines(reversed(recordsOf(plan)), paint),
    ...settings.map((change) => settingLine(change, paint)),
  ];
}

/** `3 to add, 1 to change, 0 to remove, 1 setting, 10.44 USD`. */
export function totalOf(plans: readonly NamePlan[]): string {
  const records = plans.map(({ plan }) => recordsOf(plan));
  const sum = (count: (changes: RecordChanges) => number) => records.reduce((total, each) => total + count(each), 0);
  const settings = plans.reduce((total, { plan }) => total + settingsOf(plan).length, 0);
  return [
    `${sum(({ added }) => added.length)} to add`,
    `${sum(({ changed }) => changed.length)} to change`,
    `${sum(({ removed }) => removed.length)} to remove`,
    ...(settings === 0 ? [] : [settings === 1 ? '1 setting' : `${settings} settings`]),
    ...costs(plans).map(moneyOf),
  ].join(', ');
}

/** By currency; nothing without cost. */
function costs(plans: readonly NamePlan[]): Money[] {
  const totals = new Map<string, number>();
  for (const { plan } of plans) {
    if (!('cost' in plan) || plan.cost.amount === 0) continue;
    const { amount, currency } = plan.cost;
    totals.set(currency, (totals.get(currency) ?? 0) + Math.round(amount * SMALLEST));
  }
  return [...totals].map(([currency, units]) => ({ amount: units / SMALLEST, currency }));
}

function settingLine({ setting, before, after }: SettingChange, paint: Paint): string {
  return paint('yellow', `  ~ ${setting}: ${valueOf(before)} → ${valueOf(after)}`);
}

/** Lists as text, and members of objects as they are. */
function valueOf(value: unknown): string {
  if (value === null) return 'none';
  return Array.isArray(value) ? printable(value.join(', ')) || 'none' : printableJson(value);
}

function moneyOf({ amount, currency }: Money): string {
  return `${amount} ${currency}`;
}

function recordsOf(plan: Planned['plan']): RecordChanges {
  return 'records' in plan ? plan.records : plan;
}

function settingsOf(plan: Planned['plan']): readonly SettingChange[] {
  return 'settings' in plan ? plan.settings : [];
}

function operationsOf(plan: Planned['plan']): StatePlan['operations'] {
  return 'operations' in plan ? plan.operations : [];
}

function notesOf(plan: Planned['plan']): readonly { readonly line: number; readonly note: string }[] {
  return 'notes' in plan ? plan.notes : [];
}
