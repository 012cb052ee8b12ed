import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The example frames of the RFCs, which carry no licence that lets them be copied here. */
const RFC_FRAMES = resolve(__dirname, '../../../../shared/epp/rfc-frames');

const RECORDINGS = resolve(__dirname, '../../fixtures/epp/namingo');

export const RFC_FRAMES_MISSING = existsSync(RFC_FRAMES)
  ? undefined
  : 'the example frames of the RFCs are not beside this repository (../shared/epp/rfc-frames)';

export interface Fixture {
  readonly file: string;
  readonly bytes: Buffer;
}

export function rfcFrames(): readonly Fixture[] {
  return fixturesIn(RFC_FRAMES);
}

function fixturesIn(folder: string): readonly Fixture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.xml'))
    .toSorted()
    .map((file) => ({ file, bytes: readFileSync(join(folder, file)) }));
}

export interface Exchange {
  readonly title: string;
  readonly command: Buffer;
  readonly response: Buffer;
}

/** What was sent to an independent registry and what it answered, in the order of its recording; test/fixtures/epp/ORIGIN.md. */
export function recordedExchanges(): readonly Exchange[] {
  const files = new Map(fixturesIn(RECORDINGS).map(({ file, bytes }) => [file, bytes]));
  return [...files]
    .flatMap(([file, command]): Exchange[] => {
      const title = file.replace(/-cmd\.xml$/, '');
      const response = files.get(`${title}-rsp.xml`);
      return title !== file && response ? [{ title, command, response }] : [];
    })
    .toSorted((left, right) => Number.parseInt(left.title, 10) - Number.parseInt(right.title, 10));
}
