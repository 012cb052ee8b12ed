import type { ParentZone, PublishedSigners } from '../../../src/application/ports/dns/signing/parent-zone';

/** Serves what a test sets; cannot be asked if that is undefined. */
export class ScriptedParentZone implements ParentZone {
  published: Omit<PublishedSigners, 'isComplete'> | undefined;
  /** Whether every nameserver answers. */
  isComplete = true;

  async signersOf(): Promise<PublishedSigners | undefined> {
    return this.published && { ...this.published, isComplete: this.isComplete };
  }
}
