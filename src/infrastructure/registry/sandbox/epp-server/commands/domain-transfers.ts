import { NAMESPACES } from '../../../epp/codec/namespaces';
import type { Registration, TransferRecord } from '../../simulated/registration';
import { digestOf, type DecisionContext } from '../../simulated/registry-core';
import { approveTransfer, endTransfer, requestTransfer } from '../../simulated/transitions';
import type { CommandContext } from './command-context';
import { assertSponsor } from './domain-rules';
import { authInfoOf, detailsOf, domainNameOf, transferData, yearsOf } from '../xml/domain-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';

/** Transfers of domains between registrars. The registry approves them at the end of the TLD's transfer period. */
export class DomainTransfers {
  constructor(private readonly backend: RegistryBackend) {}

  async request(context: CommandContext): Promise<ResponseData> {
    const { request, registrar } = context;
    const password = authInfoOf(request.body);
    if (yearsOf(request.body) !== 1) throw new EppError(2306, 'A transfer must be for one year');
    const fees = extensionOf(request, NAMESPACES.fee);
    let price = 0;
    const held = await this.decide(context, ({ held, offered, prices, command }) => {
      if (held.sponsor === registrar) throw new EppError(2106, `You already sponsor ${held.name}`);
      if (held.transfer) throw new EppError(2300);
      if (held.transferLocked) throw new EppError(2304, 'clientTransferProhibited');
      if (!password || held.authCode?.digest !== digestOf(password)) throw new EppError(2202);
      price = prices.renewal(1);
      assertAgreed(fees, price, false);
      const outcome = requestTransfer(held, digestOf(password), offered, command);
      const record: TransferRecord = {
        gaining: registrar,
        losing: held.sponsor,
        requestedAt: command.now.getTime(),
        state: 'pending',
        actionAt: outcome.registration?.transfer?.endsAt.getTime() ?? 0,
      };
      return { ...outcome, registration: outcome.registration && withRecord(outcome.registration, record) };
    });
    return { code: 1001, resData: transferData(held, recordOf(held)), extensions: [feeData('trnData', fees, price)] };
  }

  async approve(context: CommandContext): Promise<ResponseData> {
    return this.end(
      context,
      'clientApproved',
      ({ held, offered, prices, command }) => approveTransfer(held, { ...offered, renewal: prices.renewal }, command),
      'losing',
    );
  }

  async reject(context: CommandContext): Promise<ResponseData> {
    return this.end(context, 'clientRejected', ({ held, command }) => endTransfer(held, 'rejected', command), 'losing');
  }

  async cancel(context: CommandContext): Promise<ResponseData> {
    return this.end(
      context,
      'clientCancelled',
      ({ held, command }) => endTransfer(held, 'cancelled', command),
      'gaining',
    );
  }

  private async end(
    context: CommandContext,
    state: TransferRecord['state'],
    act: (facts: DecisionContext) => ReturnType<typeof endTransfer>,
    whose: 'losing' | 'gaining',
  ): Promise<ResponseData> {
    const held = await this.decide(context, (facts) => {
      const { transfer } = facts.held;
      if (!transfer) throw new EppError(2301);
      if (whose === 'losing') assertSponsor(facts.held, context.registrar);
      else if (transfer.gaining !== context.registrar) throw new EppError(2201);
      const outcome = act(facts);
      const record = { ...recordOf(facts.held), state, actionAt: facts.command.now.getTime() };
      return { ...outcome, registration: outcome.registration && withRecord(outcome.registration, record) };
    });
    return { resData: transferData(held, recordOf(held)) };
  }

  private async decide(
    { request, registrar, svTRID }: CommandContext,
    act: (facts: DecisionContext) => ReturnType<typeof endTransfer>,
  ): Promise<Registration> {
    const held = await this.backend.core.decide(domainNameOf(request.body), { registrar, transactionId: svTRID }, act);
    if (!held) throw new TypeError('a transfer must not end the registration');
    return held;
  }
}

function withRecord(held: Registration, transfer: TransferRecord): Registration {
  return { ...held, details: { ...detailsOf(held), transfer } };
}

function recordOf(held: Registration): TransferRecord {
  const { transfer } = detailsOf(held);
  if (!transfer) throw new EppError(2301);
  return transfer;
}
