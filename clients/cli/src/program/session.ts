import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Namewright } from '../../../typescript/src/namewright.ts';
import { printableJson } from '../terminal/printable.ts';
import { tableLines } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { accessOf, Profiles, profileOf, type Access } from './profiles.ts';
import { UsageError } from './usage-error.ts';

/** Fewer than of a program: someone waits. */
const RETRIES = 2;
/** A wait that a person wants to know about. */
const LONG_WAIT_MS = 2_000;

/** What a command has: the client, and ways to ask and to answer. */
export class Session {
  readonly profiles: Profiles;
  private connected: Namewright | undefined;

  constructor(
    readonly terminal: Terminal,
    readonly json: boolean,
    private readonly profile: string | undefined,
  ) {
    this.profiles = new Profiles(terminal.env);
  }

  get profileName(): string {
    return profileOf(this.terminal.env, this.profile);
  }

  /** @throws UsageError without a key */
  get access(): Access {
    return accessOf(this.terminal.env, this.profile, this.profiles);
  }

  get client(): Namewright {
    this.connected ??= this.connect(this.access);
    return this.connected;
  }

  /** For what runs until it is ended: it survives a restart of the service. */
  get patientClient(): Namewright {
    return this.connect(this.access, Infinity);
  }

  connect(access: Access, retries = RETRIES): Namewright {
    return connect({ ...access, retries, sleep: (ms, signal) => this.wait(ms, signal) });
  }

  /** Prints a result: `value` for programs, `text` for people. */
  show(value: unknown, text: () => string | readonly string[]): void {
    if (this.json) {
      this.terminal.print(printableJson(value, 2));
      return;
    }
    for (const line of [text()].flat()) this.terminal.print(line);
  }

  showTable(value: unknown, headings: readonly string[], rows: readonly (readonly string[])[], none: string): void {
    this.show(value, () => {
      if (rows.length === 0) return none;
      const [first = '', ...lines] = tableLines(headings, rows);
      return [this.terminal.paint('bold', first), ...lines];
    });
  }

  /** Asks before something that cannot be taken back. @throws UsageError if it is refused or no one can be asked */
  async confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
    if (isConfirmed) return;
    if (!this.terminal.isInteractive) throw new UsageError(`${question} Without a terminal, only --yes can confirm it`);
    const answer = await this.terminal.ask(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was changed');
  }

  private async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const waiting = sleep(ms, undefined, signal && { signal });
    await (ms < LONG_WAIT_MS
      ? waiting
      : this.terminal.progress(`Another attempt in ${Math.round(ms / 1000)} s`, waiting));
  }
}
