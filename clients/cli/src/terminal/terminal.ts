import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { UsageError } from '../program/usage-error.ts';
import { paintFor, type Paint } from './colors.ts';
import { printable } from './printable.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[2K';

export interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
}

/** Results go to standard output; questions, progress and errors to standard error. */
export class Terminal {
  readonly paint: Paint;
  readonly paintError: Paint;

  constructor(readonly streams: Streams) {
    this.paint = paintFor(streams.output, streams.env);
    this.paintError = paintFor(streams.errors, streams.env);
  }

  get env(): NodeJS.ProcessEnv {
    return this.streams.env;
  }

  /** Whether someone can answer questions. */
  get isInteractive(): boolean {
    return isTerminal(this.streams.input) && isTerminal(this.streams.errors);
  }

  get outputIsTerminal(): boolean {
    return isTerminal(this.streams.output);
  }

  print(text: string): void {
    this.streams.output.write(`${text}\n`);
  }

  note(text: string): void {
    this.streams.errors.write(`${text}\n`);
  }

  /** @throws UsageError if the input ends, as with Ctrl+C or Ctrl+D */
  async ask(question: string, { hidden = false } = {}): Promise<string> {
    const { input, errors } = this.streams;
    const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : errors;
    const lines = createInterface({ input, output, terminal: isTerminal(input), historySize: 0 });
    // From here on, the terminal shows nothing of what is typed: a prompt before would invite an early answer, which it shows.
    if (hidden) errors.write(question);
    try {
      return await new Promise<string>((resolve, reject) => {
        lines.once('SIGINT', () => reject(new UsageError('cancelled')));
        lines.once('close', () => reject(new UsageError('the input ended before an answer')));
        lines.question(hidden ? '' : question, resolve);
      });
    } finally {
      lines.close();
      if (hidden) errors.write('\n');
    }
  }

  /** Shows that `work` continues, in a terminal. */
  async progress<T>(title: string | (() => string), work: Promise<T>): Promise<T> {
    const { errors } = this.streams;
    if (!isTerminal(errors)) return work;
    let frame = 0;
    const timer = setInterval(() => {
      const text = printable(typeof title === 'string' ? title : title());
      errors.write(`${CLEAR_LINE}${SPINNER[(frame += 1) % SPINNER.length]} ${text} …`);
    }, SPINNER_INTERVAL_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      if (frame > 0) errors.write(CLEAR_LINE);
    }
  }

  /** All of standard input, up to `limit` characters. */
  async readInput(limit = 10_000_000): Promise<string> {
    let text = '';
    for await (const chunk of this.streams.input) {
      text += String(chunk);
      if (text.length > limit) throw new UsageError('the standard input is too long');
    }
    return text;
  }
}

function isTerminal(stream: NodeJS.ReadableStream | NodeJS.WritableStream): boolean {
  return (stream as Partial<ReadStream>).isTTY === true;
}
