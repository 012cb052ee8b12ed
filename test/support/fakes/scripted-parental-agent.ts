import type { ParentalAgent, PublishedDelegation } from '../../../src/application/ports/dns/other-nameservers';
import type { NoticeResult } from '../../../src/domain/dns/dnssec/parent/parent-notice';
import { ScriptedParentZone } from './scripted-parent-zone';

/** Serves the DS records that a test sets, and records notifications. */
export class ScriptedParentalAgent extends ScriptedParentZone implements ParentalAgent {
  result: NoticeResult = { outcome: 'accepted', receiver: 'scanner.test:53', error: null };
  delegation: PublishedDelegation | undefined;
  readonly notified: string[] = [];
  /** What the parent does when it is notified. */
  onNotify: () => void = () => undefined;

  async queryDelegation(): Promise<PublishedDelegation | undefined> {
    return this.delegation;
  }

  async notify(name: string, type: 'CDS' | 'CSYNC'): Promise<NoticeResult> {
    this.notified.push(`${name} ${type}`);
    this.onNotify();
    return this.result;
  }
}
