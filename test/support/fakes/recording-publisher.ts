import type {
  SecondaryAnswer,
  SecondaryReport,
  ZonePublisher,
  ZoneState,
} from '../../../src/application/ports/dns/publishing';

/** Records the announced zones; its secondaries give the answers that a test sets. */
export class RecordingPublisher implements ZonePublisher {
  readonly announced: ZoneState[] = [];
  private readonly secondaries = new Map<string, SecondaryAnswer>();

  /** Sets the answer of `secondary` for every zone. */
  answersFrom(secondary: string, answer: SecondaryAnswer): void {
    this.secondaries.set(secondary, answer);
  }

  removeSecondaries(): void {
    this.secondaries.clear();
  }

  notifySecondaries(zone: ZoneState): void {
    this.announced.push(zone);
  }

  async querySecondaries(_zone: ZoneState): Promise<readonly SecondaryReport[]> {
    return [...this.secondaries].map(([secondary, answer]) => ({ secondary, answer }));
  }
}
