import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The path of Debian's libfaketime; undefined if it is not installed. */
export function fakeTimeLibrary(): string | undefined {
  return readdirSync(LIBRARIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map(({ name }) => join(LIBRARIES, name, 'faketime', 'libfaketime.so.1'))
    .find((path) => existsSync(path));
}

/** A clock of other programs that can be advanced while they run. Their timers keep real time. */
export class FakeTime {
  private readonly file: string;
  private aheadMs = 0;

  constructor(readonly folder: string) {
    this.file = join(folder, 'faketime');
    this.setAhead(0);
  }

  /** @param milliseconds of the programs' clocks before real time */
  setAhead(milliseconds: number): void {
    this.aheadMs = milliseconds;
    // Programs read the file with each look at the clock: an empty one would be the real time for them.
    writeFileSync(`${this.file}.next`, `+${(milliseconds / 1_000).toFixed(3)}\n`);
    renameSync(`${this.file}.next`, this.file);
  }

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: fakeTimeLibrary() ?? '',
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}
