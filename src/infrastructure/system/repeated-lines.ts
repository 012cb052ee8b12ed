import { isNativeError } from 'node:util/types';
import type { LogFacts } from '../../application/ports/system';

interface Line {
  readonly facts: LogFacts;
  readonly message: string;
}

interface Repetition {
  count: number;
  last: Line;
  readonly timer: NodeJS.Timeout;
}

const FOLD_WINDOW_MS = 60_000;
/** Beyond this number of different lines, repetitions are not folded. */
const MAX_KINDS = 100;

/** Folds identical log lines: reports the last repetition and their number once a minute. */
export class RepeatedLines {
  private readonly known = new Map<string, Repetition>();

  constructor(private readonly report: (last: Line, count: number) => void) {}

  isFirst(line: Line): boolean {
    const kind = kindOf(line);
    const known = this.known.get(kind);
    if (known) {
      known.count += 1;
      known.last = line;
      return false;
    }
    if (this.known.size < MAX_KINDS) this.startCounting(kind, line);
    return true;
  }

  /** Reports all pending repetitions. */
  end(): void {
    for (const [kind, { timer }] of this.known) {
      clearTimeout(timer);
      this.reportRepetitions(kind);
    }
  }

  private startCounting(kind: string, line: Line): void {
    const timer = setTimeout(() => {
      // While repetitions continue, the next line is not a first line.
      if (this.reportRepetitions(kind)) this.startCounting(kind, line);
    }, FOLD_WINDOW_MS).unref();
    this.known.set(kind, { count: 0, last: line, timer });
  }

  /** Returns whether there were repetitions. */
  private reportRepetitions(kind: string): boolean {
    const known = this.known.get(kind);
    this.known.delete(kind);
    if (!known || known.count === 0) return false;
    this.report(known.last, known.count);
    return true;
  }
}

/** Identifies an error by message, code and location, and any other line by all its facts. */
function kindOf({ facts, message }: Line): string {
  const { err } = facts;
  if (!isNativeError(err)) return `${message} ${JSON.stringify(facts)}`;
  const code = 'code' in err ? String(err.code) : '';
  return `${message} ${code} ${err.name}: ${err.message} ${err.stack?.split('\n').find((line) => line.startsWith('    at ')) ?? ''}`;
}
