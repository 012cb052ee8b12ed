import type {
  SecondaryAnswer,
  SecondaryReport,
  ZonePublisher,
  ZoneState,
} from '../../../src/application/ports/dns/zone-publisher';

/** Keeps what is announced; its secondaries answer what a test has told them to. */
export class RecordingPublisher implements ZonePublisher {
  readonly announced: ZoneState[] = [];
  private readonly secondaries = new Map<string, SecondaryAnswer>();

  /** From now on `secondary` gives this answer for every zone. */
  answersFrom(secondary: string, answer: SecondaryAnswer): void {
    this.secondaries.set(secondary, answer);
  }

  announce(zone: ZoneState): void {
    this.announced.push(zone);
  }

  async ask(_zone: ZoneState): Promise<readonly SecondaryReport[]> {
    return [...this.secondaries].map(([secondary, answer]) => ({ secondary, answer }));
  }
}
