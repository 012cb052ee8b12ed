import { isNativeError } from 'node:util/types';
import type { LogFacts } from '../../application/ports/system/log';

interface Line {
  readonly facts: LogFacts;
  readonly message: string;
}

interface Repetition {
  count: number;
  last: Line;
  readonly timer: NodeJS.Timeout;
}

const FOLD_WITHIN_MS = 60_000;
/** More kinds of error than that at a time are not folded. */
const KINDS = 100;

/** Tells the first of identical lines from its repetitions, and reports a minute later how many there were, with the last of them. */
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
    if (this.known.size < KINDS) this.follow(kind, line);
    return true;
  }

  /** Reports all that has not been reported yet. */
  end(): void {
    for (const [kind, { timer }] of this.known) {
      clearTimeout(timer);
      this.close(kind);
    }
  }

  private follow(kind: string, line: Line): void {
    const timer = setTimeout(() => {
      // What goes on is reported once a minute, not started afresh.
      if (this.close(kind)) this.follow(kind, line);
    }, FOLD_WITHIN_MS).unref();
    this.known.set(kind, { count: 0, last: line, timer });
  }

  private close(kind: string): boolean {
    const known = this.known.get(kind);
    this.known.delete(kind);
    if (!known || known.count === 0) return false;
    this.report(known.last, known.count);
    return true;
  }
}

/** An error is known by what and where it is, whichever request met it; a line without one by all its facts. */
function kindOf({ facts, message }: Line): string {
  const { err } = facts;
  if (!isNativeError(err)) return `${message} ${JSON.stringify(facts)}`;
  const code = 'code' in err ? String(err.code) : '';
  return `${message} ${code} ${err.name}: ${err.message} ${err.stack?.split('\n').find((line) => line.startsWith('    at ')) ?? ''}`;
}
