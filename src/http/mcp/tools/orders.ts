import { ValidationError } from '../../../domain/shared/validation-error';
import { anyObject, list, optional, text, type ValueOf } from '../../api/shape';
import { args, BOOLEAN, INTEGER, oneOf, result, TEXT } from '../schema';
import { tool } from '../tool';
import type { Json, ToolCall } from '../tool-call';
import { NAME } from './names';
import { APPLYING, applied, OUTCOME, planned, PLANNED } from './planned-write';

const ORDERED = args({
  action: oneOf('register', 'renew', 'restore', 'transfer'),
  name: NAME,
  years: optional(INTEGER),
  registrant_of: optional(TEXT),
  registrant: optional(anyObject({ description: 'As in the API' })),
  auth_code: optional(text({ description: 'For transfer, from the person' })),
  nameservers: optional(list(TEXT, { most: 13 })),
  auto_renew: optional(BOOLEAN),
  ...APPLYING,
});
type Order = ValueOf<typeof ORDERED>;

export const ORDER = tool({
  name: 'order',
  title: 'Register, renew, restore or transfer',
  description:
    'Without plan_id: a binding quote (15 minutes) and what would be ordered; buys nothing unless a person confirms at once. With the same arguments and plan_id: orders, once per plan_id, never above the quote. register and transfer need registrant_of (a domain of the account whose registrant is taken) or registrant. With propose, or a key that may only propose, it waits for a person.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: ORDERED,
  output: result({ ...PLANNED, ...OUTCOME }),
  async run(order, call) {
    const { plan_id: given, propose: _propose, reason: _reason, ...asked } = order;
    const planId = given ?? call.askedPlanId;
    if (planId === undefined) return quoted(order, asked, call);
    const plan = await call.openPlan(asked, planId);
    const write = { ...plan.target, body: await bodyOf(order, call, plan.quoteId) };
    return applied(call, { write, planId, plan, question: questionOf(order) }, order);
  },
});

/** A quote, and the order that it binds. A client that asks people asks at once. */
async function quoted(order: Order, asked: object, call: ToolCall): Promise<object> {
  const { action, name, years } = order;
  const kind = { register: {}, renew: { renewal: true }, restore: { restore: true }, transfer: { transfer: true } }[
    action
  ];
  const item = { name, ...(years !== undefined && action !== 'restore' && { years }), ...kind };
  const { quotes } = (await call.post('/api/domains/quote', { domains: [item] })) as {
    readonly quotes: readonly Json[];
  };
  const quoteId = quotes[0]?.['quote_id'];
  if (typeof quoteId !== 'string') throw ValidationError.of('name', `${name} has no price for ${action}`);
  const write = { method: 'POST', path: await pathOf(order, call), body: await bodyOf(order, call, quoteId) };
  const plan = (await planned(call, { asked, write, quoteId, needsConfirmation: () => true })) as Json;
  if (!order.propose) call.isConfirmed(String(plan['plan_id']), questionOf(order, plan['cost'] as Json | undefined));
  return plan;
}

function questionOf({ action, name }: Order, cost?: Json): string {
  const price = cost ? ` for ${String(cost['amount'])} ${String(cost['currency'])}` : '';
  return `${VERBS[action]} ${name}${price}?`;
}

const VERBS = { register: 'Register', renew: 'Renew', restore: 'Restore', transfer: 'Transfer' } as const;

/** @throws ToolRefusal */
async function pathOf({ action, name }: Order, call: ToolCall): Promise<string> {
  if (action === 'register') return '/api/domains';
  if (action === 'transfer') return '/api/transfers';
  const { id } = await call.get(`/api/domains/by-name/${encodeURIComponent(name)}`);
  return `/api/domains/${String(id)}/${action}`;
}

/** @throws ToolRefusal, ValidationError */
async function bodyOf(order: Order, call: ToolCall, quoteId: string | undefined): Promise<object> {
  const { action, name, years, nameservers, auto_renew, auth_code } = order;
  const common = {
    ...(years !== undefined && { years }),
    ...(auto_renew !== undefined && { auto_renew }),
    quote_id: quoteId,
  };
  if (action === 'restore') return { quote_id: quoteId };
  if (action === 'renew') return { ...(years !== undefined && { years }), quote_id: quoteId };
  const registrant = await registrantOf(order, call);
  return action === 'transfer'
    ? { name, ...common, registrant, ...(auth_code !== undefined && { auth_code }) }
    : { name, ...common, contacts: { registrant }, ...(nameservers && { nameservers }) };
}

/** @throws ToolRefusal, ValidationError */
async function registrantOf({ registrant, registrant_of: name }: Order, call: ToolCall): Promise<unknown> {
  if (registrant) return registrant;
  if (name === undefined) throw ValidationError.of('registrant_of', 'or registrant is needed');
  const { contacts } = await call.get(`/api/domains/by-name/${encodeURIComponent(name)}`);
  const found = (contacts as { readonly registrant: Json | null }).registrant;
  if (!found) throw ValidationError.of('registrant_of', 'has no registrant that this key may see');
  return withoutNull(found);
}

function withoutNull(value: Json): Json {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, typeof member === 'object' ? withoutNull(member as Json) : member]),
  );
}
