import type { SecondaryReport, ZonePublisher } from '../../application/ports/zone-publisher';

/** Where DNS is switched off: nobody is told, and nobody serves anything. */
export class NoPublisher implements ZonePublisher {
  announce(): void {
    // There is nobody to tell.
  }

  async ask(): Promise<readonly SecondaryReport[]> {
    return [];
  }
}
