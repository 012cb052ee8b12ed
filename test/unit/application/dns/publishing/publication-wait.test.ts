import { PublicationWait } from '../../../../../src/application/dns/publishing/publication-wait';
import type {
  SecondaryAnswer,
  SecondaryReport,
  ZonePublisher,
} from '../../../../../src/application/ports/dns/publishing';

const ZONE = { domainId: 'dom_1', zoneName: 'example.com', serial: 42 };
const NEVER_MS = 600_000;

const serving = (serial: number): SecondaryAnswer => ({ kind: 'serves', serial, since: new Date(0) });

/** Answers each round of reports in turn, and the last one from then on. */
function asking(...rounds: readonly (readonly SecondaryAnswer[])[]): ZonePublisher & { asked: number } {
  const publisher = {
    asked: 0,
    notifySecondaries: () => undefined,
    querySecondaries: async (): Promise<readonly SecondaryReport[]> => {
      const answers = rounds[Math.min(publisher.asked, rounds.length - 1)] ?? [];
      publisher.asked += 1;
      return answers.map((answer, index) => ({ secondary: `ns${index}`, answer }));
    },
  };
  return publisher;
}

describe('a wait for publication', () => {
  it('ends when every secondary serves the serial or a later one', async () => {
    const publisher = asking(
      [serving(41), serving(42)],
      [{ kind: 'unknown_zone' }, serving(42)],
      [serving(43), serving(42)],
    );

    expect(await new PublicationWait(publisher, NEVER_MS).waitUntilPublished(ZONE)).toBe(true);
    expect(publisher.asked).toBe(3);
  });

  it('treats a serial that has wrapped around as later', async () => {
    expect(
      await new PublicationWait(asking([serving(3)]), NEVER_MS).waitUntilPublished({ ...ZONE, serial: 2 ** 32 - 1 }),
    ).toBe(true);
  });

  it('ends at once without a secondary', async () => {
    expect(await new PublicationWait(asking([]), NEVER_MS).waitUntilPublished(ZONE)).toBe(false);
  });

  it.each<[string, ZonePublisher]>([
    ['a secondary stays behind', asking([serving(42), serving(41)])],
    ['a secondary cannot be reached', asking([serving(42), { kind: 'unreachable' }])],
    [
      'no answer comes at all',
      { notifySecondaries: () => undefined, querySecondaries: () => new Promise(() => undefined) },
    ],
  ])('is over when its time is up, where %s', async (_what, publisher) => {
    expect(await new PublicationWait(publisher, 50).waitUntilPublished(ZONE)).toBe(false);
  });
});
