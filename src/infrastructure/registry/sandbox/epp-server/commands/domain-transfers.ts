import { NAMESPACES } from '../../../epp/codec/namespaces';
import type { Registration, TransferRecord } from '../../simulated/registration';
import { digestOf, type Case } from '../../simulated/registry-core';
import { approveTransfer, endTransfer, requestTransfer } from '../../simulated/transitions';
import type { CommandContext } from './command-context';
import { assertSponsor } from './domain-rules';
import { authInfoOf, detailsOf, domainNameOf, transferData, yearsOf } from '../xml/domain-xml';
import { EppFailure } from '../epp-failure';
import type { EppReply } from '../xml/epp-reply';
import { extensionOf } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';

/** Transfers of domains between registrars. Where nobody acts, the registry approves when the TLD's period ends. */
export class DomainTransfers {
  constructor(private readonly backend: RegistryBackend) {}

  async request(asking: CommandContext): Promise<EppReply> {
    const { request, registrar } = asking;
    const password = authInfoOf(request.body);
    if (yearsOf(request.body) !== 1) throw new EppFailure(2306, 'A transfer adds one year');
    const fees = extensionOf(request, NAMESPACES.fee);
    let price = 0;
    const held = await this.decide(asking, ({ held, offered, prices, command }) => {
      if (held.sponsor === registrar) throw new EppFailure(2106, `${held.name} is yours already`);
      if (held.transfer) throw new EppFailure(2300);
      if (held.transferLocked) throw new EppFailure(2304, 'clientTransferProhibited');
      if (!password || held.authCode?.digest !== digestOf(password)) throw new EppFailure(2202);
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

  async approve(asking: CommandContext): Promise<EppReply> {
    return this.end(
      asking,
      'clientApproved',
      ({ held, offered, prices, command }) => approveTransfer(held, { ...offered, renewal: prices.renewal }, command),
      'losing',
    );
  }

  async reject(asking: CommandContext): Promise<EppReply> {
    return this.end(asking, 'clientRejected', ({ held, command }) => endTransfer(held, 'rejected', command), 'losing');
  }

  async cancel(asking: CommandContext): Promise<EppReply> {
    return this.end(
      asking,
      'clientCancelled',
      ({ held, command }) => endTransfer(held, 'cancelled', command),
      'gaining',
    );
  }

  private async end(
    asking: CommandContext,
    state: TransferRecord['state'],
    act: (facts: Case) => ReturnType<typeof endTransfer>,
    whose: 'losing' | 'gaining',
  ): Promise<EppReply> {
    const held = await this.decide(asking, (facts) => {
      const { transfer } = facts.held;
      if (!transfer) throw new EppFailure(2301);
      if (whose === 'losing') assertSponsor(facts.held, asking.registrar);
      else if (transfer.gaining !== asking.registrar) throw new EppFailure(2201);
      const outcome = act(facts);
      const record = { ...recordOf(facts.held), state, actionAt: facts.command.now.getTime() };
      return { ...outcome, registration: outcome.registration && withRecord(outcome.registration, record) };
    });
    return { resData: transferData(held, recordOf(held)) };
  }

  private async decide(
    { request, registrar, svTRID }: CommandContext,
    act: (facts: Case) => ReturnType<typeof endTransfer>,
  ): Promise<Registration> {
    const held = await this.backend.core.decide(domainNameOf(request.body), { registrar, transactionId: svTRID }, act);
    if (!held) throw new TypeError('a transfer leaves the registration there');
    return held;
  }
}

function withRecord(held: Registration, transfer: TransferRecord): Registration {
  return { ...held, details: { ...detailsOf(held), transfer } };
}

function recordOf(held: Registration): TransferRecord {
  const { transfer } = detailsOf(held);
  if (!transfer) throw new EppFailure(2301);
  return transfer;
}
