import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A folder with the example frames of the RFCs, one XML file each. Their license does not let them be copied here. */
const RFC_FRAMES = process.env['EPP_RFC_FRAMES'];

const RECORDINGS = resolve(__dirname, '../../fixtures/epp/namingo');

export const RFC_FRAMES_MISSING = RFC_FRAMES === undefined ? 'EPP_RFC_FRAMES is not set' : undefined;

interface Fixture {
  readonly file: string;
  readonly bytes: Buffer;
}

export function rfcFrames(): readonly Fixture[] {
  return fixturesIn(RFC_FRAMES ?? '');
}

function fixturesIn(folder: string): readonly Fixture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.xml'))
    .toSorted()
    .map((file) => ({ file, bytes: readFileSync(join(folder, file)) }));
}

const PROFILE_RESPONSES = resolve(__dirname, '../../fixtures/epp/profiles');

/** The responses of a registry in the tests of its profile, recorded and constructed. */
export function profileResponses(profile: string): readonly Fixture[] {
  if (profile === 'rfc') return recordedExchanges().map(({ title, response }) => ({ file: title, bytes: response }));
  const folder = join(PROFILE_RESPONSES, profile);
  return existsSync(folder) ? fixturesIn(folder) : [];
}

/**
 * By the svTRID, which travels with the response: `constructed-` in those of the tests, the registry's own in a recording.
 * @throws TypeError for another
 */
export function originOf(svTRID: string | undefined): 'constructed' | 'recorded' {
  if (svTRID?.startsWith('constructed-')) return 'constructed';
  if (svTRID?.startsWith('namingo-')) return 'recorded';
  throw new TypeError(`a response with the svTRID ${svTRID} is neither marked as constructed nor of a known recording`);
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
