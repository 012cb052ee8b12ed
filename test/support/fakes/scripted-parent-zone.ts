import type { ParentZone, PublishedDsRecords } from '../../../src/application/ports/dns/other-nameservers';

/** Serves what a test sets; cannot be asked if that is undefined. */
export class ScriptedParentZone implements ParentZone {
  published: Omit<PublishedDsRecords, 'isComplete'> | undefined;
  /** Whether every nameserver answers. */
  isComplete = true;

  async queryDsRecords(): Promise<PublishedDsRecords | undefined> {
    return this.published && { ...this.published, isComplete: this.isComplete };
  }
}
