import { quantityText } from '../../../../../domain/shared/text/quantity-text';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf } from '../../../epp/codec/xml-element';
import { detailsOf, type Outcome } from '../../simulated/registration';
import { digestOf, type DecisionContext } from '../../simulated/registry-core';
import { approveTransfer, endTransfer, requestTransfer } from '../../simulated/transfers';
import type { CommandContext } from './command-context';
import { assertSponsor } from './domain-rules';
import { authInfoOf, domainNameOf, nameOf, transferData, yearsOf } from '../xml/domain-xml';
import { EppError } from '../epp-error';
import type { Release } from '../personalities/personality';
import type { ResponseData } from '../xml/epp-response';
import { extensionOf } from '../xml/epp-request';
import { assertAgreed, feeData } from '../xml/fee-xml';
import type { RegistryBackend } from '../registry-backend';

const { domain: DOMAIN, fee: FEE } = NAMESPACES;

/** Transfers of domains between registrars. The registry approves them at the end of the TLD's transfer period. */
export class DomainTransfers {
  constructor(private readonly backend: RegistryBackend) {}

  async request(context: CommandContext): Promise<ResponseData> {
    const { request, registrar } = context;
    const password = authInfoOf(request.body);
    const years = childOf(request.body, DOMAIN, 'period') && yearsOf(request.body);
    const fees = extensionOf(request, FEE);
    const immediate = this.backend.personality.transfers === 'immediate';
    let price = 0;
    const response = await this.decide(context, (facts) => {
      const { held, offered, prices } = facts;
      const { min } = offered.renewalYears;
      if (years !== undefined && years !== min)
        throw new EppError(2306, `A transfer under .${offered.suffix} adds ${quantityText(min, 'year')}`);
      if (held.sponsor === registrar) throw new EppError(2106, `You already sponsor ${held.name}`);
      if (held.transfer) throw new EppError(2300);
      if (held.transferLocked) throw new EppError(2304, 'clientTransferProhibited');
      if (!password || held.authCode?.digest !== digestOf(password)) throw new EppError(2202);
      price = prices.renewal(min);
      assertAgreed(fees, price, false);
      const requested = requestTransfer(facts, digestOf(password));
      return immediate ? completed(requested, facts) : requested;
    });
    return { ...response, code: immediate ? 1000 : 1001, extensions: [feeData('trnData', fees, price)] };
  }

  async approve(context: CommandContext): Promise<ResponseData> {
    return this.end(context, approveTransfer, 'losing');
  }

  async reject(context: CommandContext): Promise<ResponseData> {
    return this.end(context, (facts) => endTransfer(facts, 'rejected'), 'losing');
  }

  async cancel(context: CommandContext): Promise<ResponseData> {
    return this.end(context, (facts) => endTransfer(facts, 'cancelled'), 'gaining');
  }

  /** The sponsor moves the name, with its expiry and without a charge. */
  async release({ registrar, svTRID, now }: CommandContext, { name, registrarTag }: Release): Promise<ResponseData> {
    if ((await this.backend.store.passwordHash(registrarTag)) === undefined)
      throw new EppError(2306, 'V016 There is no such tag');
    await this.backend.core.decide(nameOf(name), { registrar, transactionId: svTRID }, ({ held }) => {
      if (held.sponsor !== registrar) throw new EppError(2201, 'V096 The name is not on your tag');
      const text = `${held.name} was released by ${registrar} to ${registrarTag}`;
      const notice = { at: now, name: held.name, text };
      return {
        registration: { ...held, sponsor: registrarTag, addGraceEndsAt: null, refundable: 0 },
        charges: [],
        notices: [
          { ...notice, registrar, kind: 'transferred_out' },
          { ...notice, registrar: registrarTag, kind: 'transferred_in' },
        ],
      };
    });
    return {};
  }

  private async end(
    context: CommandContext,
    act: (facts: DecisionContext) => Outcome,
    whose: 'losing' | 'gaining',
  ): Promise<ResponseData> {
    return this.decide(context, (facts) => {
      const { transfer } = facts.held;
      if (!transfer) throw new EppError(2301);
      if (whose === 'losing') assertSponsor(facts.held, context.registrar);
      else if (transfer.gaining !== context.registrar) throw new EppError(2201);
      return act(facts);
    });
  }

  private async decide(
    { request, registrar, svTRID }: CommandContext,
    act: (facts: DecisionContext) => Outcome,
  ): Promise<ResponseData> {
    const held = await this.backend.core.decide(domainNameOf(request.body), { registrar, transactionId: svTRID }, act);
    const record = held && detailsOf(held).transfer;
    if (!record) throw new EppError(2301);
    return { resData: transferData(held, record, this.backend.core.offerOf(held)) };
  }
}

/** A requested transfer that the registry approves at once. */
function completed(requested: Outcome, facts: DecisionContext): Outcome {
  const { registration } = requested;
  if (!registration) return requested;
  const approved = approveTransfer({ ...facts, held: registration });
  return { ...approved, notices: [...requested.notices, ...approved.notices] };
}
