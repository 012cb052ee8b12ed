import type { Transfer } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { agreedTo, MAX_PRICE } from './max-price.ts';
import { REGISTRANT_OPTIONS, registrantOf } from './registrant.ts';

export const transfer = command({
  name: 'transfer',
  arguments: ['[NAME]'],
  summary: 'transfer a domain from another registrar, or list the transfers',
  details: [
    'Asks for the auth code without showing it; without a terminal, it is the first line of the standard input. Shows the price and asks.',
    'A transfer takes up to a week: `namewright transfer` shows how it goes.',
  ],
  options: {
    ...REGISTRANT_OPTIONS,
    'no-auth-code': { type: 'boolean', description: 'the registry needs none' },
    ...MAX_PRICE,
    cancel: { type: 'boolean', description: 'cancel the transfer of the name' },
    yes: { type: 'boolean', description: 'do not ask' },
  },
  examples: [
    'namewright transfer other-name.com --registrant-of my-name.com --max-price 20 --yes < auth-code.txt',
    'namewright transfer',
    'namewright transfer other-name.com --cancel --yes',
  ],
  run: async (session, [name], values) => {
    if (name === undefined) {
      const listed = await allTransfers(session);
      const rows = listed.map((each) => [each.name, each.state, each.ends_at ?? '', each.error?.message ?? '']);
      session.showTable(listed, ['NAME', 'STATE', 'ENDS', 'ERROR'], rows, 'No transfers.');
      return;
    }
    if (values.cancel) {
      await cancel(session, name, values.yes);
      return;
    }
    const registrant = await registrantOf(session, values);
    const code = values['no-auth-code'] ? undefined : await authCode(session);
    const body = { name, registrant, ...(code !== undefined && { auth_code: code }) };
    const plan = await session.client.requestTransfer({ body, query: { dry_run: true } });
    const { price: amount, currency } = plan;
    const price = amount !== undefined && currency !== undefined ? { amount, currency } : undefined;
    const agreed = agreedTo(name, price, values['max-price']);
    const years = `${plan.years ?? 0} more ${plan.years === 1 ? 'year' : 'years'}`;
    await session.confirm(`Transfer ${name}, with ${years}, for ${amount} ${currency}?`, values.yes);
    const requested = (await session.client.requestTransfer({ body: { ...body, ...agreed } })) as Transfer;
    session.show(requested, () => `The transfer of ${requested.name} is ${requested.state}.`);
  },
});

async function cancel(session: Session, name: string, isConfirmed: boolean | undefined): Promise<void> {
  const isOpen = (each: Transfer) => each.name === name.toLowerCase() && each.finished_at === null;
  const open = (await allTransfers(session)).find(isOpen);
  if (!open) throw new UsageError(`there is no open transfer of ${name}`);
  await session.confirm(`Cancel the transfer of ${name}?`, isConfirmed);
  const cancelled = await session.client.cancelTransfer({ path: { id: open.id } });
  const how = cancelled.state === 'cancelled' ? 'is cancelled' : 'is to be cancelled';
  session.show(cancelled, () => `The transfer of ${name} ${how}.`);
}

async function authCode({ terminal }: Session): Promise<string> {
  const text = terminal.isInteractive
    ? await terminal.ask('Auth code: ', { hidden: true })
    : await terminal.readInput();
  const [code = ''] = text.split('\n');
  if (code.trim() === '') throw new UsageError('the auth code is missing. With --no-auth-code, none is sent');
  return code.trim();
}

function allTransfers({ client }: Session): Promise<Transfer[]> {
  return collect(client.listTransfers.items({ query: { limit: 500 } }));
}
