import { DomainName } from '../../../../../domain/shared/domain-name';
import type { XmlElement } from '../../../epp/codec/xml-element';
import { detailsOf } from '../../simulated/registration';
import type { QueuedNotice } from '../../simulated/store/registry-store';
import type { CommandContext } from './command-context';
import { formerDomainData, publicDomainData, transferData } from '../xml/domain-xml';
import { EppError } from '../epp-error';
import type { ResponseData } from '../xml/epp-response';
import type { RegistryBackend } from '../registry-backend';

/** The poll command (RFC 5730 section 2.9.2.3). */
export class PollCommands {
  constructor(private readonly backend: RegistryBackend) {}

  async request({ registrar }: CommandContext): Promise<ResponseData> {
    await this.backend.core.applyDue();
    const { notice, count } = await this.oldest(registrar);
    if (!notice) return { code: 1300 };
    const resData = await this.dataOf(notice);
    return {
      code: 1301,
      queue: { count, id: notice.id, at: notice.at, text: notice.text },
      ...(resData && { resData }),
    };
  }

  /** `keep` (fault `redeliver`) leaves the message in the queue. */
  async acknowledge(
    { request, registrar }: CommandContext,
    { keep }: { readonly keep: boolean },
  ): Promise<ResponseData> {
    const id = request.element.attributes.get('msgID');
    if (!id) throw new EppError(2003, 'msgID is missing');
    const { notice } = await this.oldest(registrar);
    if (notice?.id !== id) throw new EppError(2303, 'msgID is not the oldest message');
    if (!keep) await this.backend.store.registry.change((records) => records.dropNotice(registrar, id));
    const { notice: next, count } = await this.oldest(registrar);
    return next ? { queue: { count, id: next.id } } : {};
  }

  private async oldest(
    registrar: string,
  ): Promise<{ readonly notice: QueuedNotice | undefined; readonly count: number }> {
    return this.backend.store.registry.read(async (records) => ({
      notice: await records.oldestNotice(registrar),
      count: await records.countNotices(registrar),
    }));
  }

  private async dataOf({ kind, name, registrar }: QueuedNotice): Promise<XmlElement | undefined> {
    if (kind === 'deleted') return formerDomainData(name, registrar);
    const held = await this.backend.core.find(DomainName.fromState(name));
    const record = held && detailsOf(held).transfer;
    if (held && record && kind !== 'changed') return transferData(held, record, this.backend.core.offerOf(held));
    return held && publicDomainData(held);
  }
}
