import { DomainName } from '../../../domain/registration/domain-name';
import type { XmlElement } from '../epp/codec/xml-element';
import type { QueuedNotice } from '../simulated/registry-store';
import type { Asking } from './asking';
import { detailsOf, formerDomainData, publicDomainData, transferData } from './domain-words';
import { EppFailure } from './epp-failure';
import type { EppReply } from './epp-reply';
import type { Front } from './front';

/** The queue of what a registrar has to be told (RFC 5730 2.9.2.3). */
export class PollDesk {
  constructor(private readonly front: Front) {}

  async request({ registrar }: Asking): Promise<EppReply> {
    await this.front.core.applyDue();
    const { notice, count } = await this.oldest(registrar);
    if (!notice) return { code: 1300 };
    const resData = await this.dataOf(notice);
    return {
      code: 1301,
      queue: { count, id: notice.id, at: notice.at, text: notice.text },
      ...(resData && { resData }),
    };
  }

  /** `keeping` leaves the message where it is, as if the acknowledgement had been lost at the registry. */
  async acknowledge({ request, registrar }: Asking, { keeping }: { readonly keeping: boolean }): Promise<EppReply> {
    const id = request.element.attributes.get('msgID');
    if (!id) throw new EppFailure(2003, 'msgID is missing');
    const { notice } = await this.oldest(registrar);
    if (notice?.id !== id) throw new EppFailure(2303, 'That is not the oldest message');
    if (!keeping) await this.front.store.registry.change((records) => records.dropNotice(registrar, id));
    const { notice: next, count } = await this.oldest(registrar);
    return next ? { queue: { count, id: next.id } } : {};
  }

  private async oldest(
    registrar: string,
  ): Promise<{ readonly notice: QueuedNotice | undefined; readonly count: number }> {
    return this.front.store.registry.read(async (records) => ({
      notice: await records.oldestNotice(registrar),
      count: await records.countNotices(registrar),
    }));
  }

  private async dataOf({ kind, name, registrar }: QueuedNotice): Promise<XmlElement | undefined> {
    if (kind === 'deleted') return formerDomainData(name, registrar);
    const held = await this.front.core.find(DomainName.restore(name));
    const record = held && detailsOf(held).transfer;
    if (held && record && kind !== 'changed') return transferData(held, record);
    return held && publicDomainData(held);
  }
}
