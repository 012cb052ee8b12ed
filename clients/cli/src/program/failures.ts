import {
  NamewrightError,
  ServiceUnreachable,
  WriteProposed,
  type ErrorCode,
} from '../../../typescript/src/namewright.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { NotPlanned } from '../states/not-planned.ts';
import { UsageError } from './usage-error.ts';

/** What to do next. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  INVALID_API_KEY: 'Run `namewright login` with a key that is active, or correct NAMEWRIGHT_API_KEY.',
  INSUFFICIENT_SCOPE:
    '`namewright whoami` shows what the key may do. Keys are created in the dashboard and by `namewright keys create`.',
  DOMAIN_NOT_FOUND: '`namewright domains` lists the domains that the key may see.',
  ZONE_NOT_FOUND: '`namewright zones` lists the zones that the key may see.',
  DOMAIN_UNAVAILABLE: '`namewright search` finds names that are free.',
  PRECONDITION_FAILED: 'Someone changed it in the meantime. Run the command again to see a new plan.',
  OPERATION_IN_PROGRESS: 'The operation continues. Check with `namewright domains NAME`, and do not repeat it.',
  REGISTRY_UNAVAILABLE: 'The operation continues. Check with `namewright domains NAME`, and do not repeat it.',
  RATE_LIMIT_EXCEEDED: 'Wait, or ask the operator for a higher limit.',
  SERVICE_UNAVAILABLE: 'Try again in a minute.',
  EVENTS_REMOVED: 'Continue with --after and the value above; what is between is lost.',
  INTERNAL_ERROR: 'Give the operator the id of the request.',
};

export function reportFailure(terminal: Terminal, error: unknown, json: boolean): void {
  const { code, message, lines } = explain(error);
  if (json) {
    terminal.note(printableJson({ error: { code, message, details: lines.join('\n') } }));
    return;
  }
  terminal.note(`${terminal.paintError('red', 'Error:')} ${printable(message)}`);
  for (const line of lines) terminal.note(printable(line));
}

interface Explanation {
  readonly code: string;
  readonly message: string;
  /** Details, and what to do. */
  readonly lines: readonly string[];
}

function explain(error: unknown): Explanation {
  if (error instanceof UsageError) return { code: 'USAGE', message: error.message, lines: [] };
  if (error instanceof ServiceUnreachable)
    return {
      code: 'UNREACHABLE',
      message: `${error.message} (${reasonOf(error.cause)})`,
      lines: ['Is the service running, and is this its URL? Before you repeat a change, look whether it was made.'],
    };
  if (error instanceof NotPlanned) return explainNotPlanned(error);
  if (error instanceof WriteProposed)
    return {
      code: 'PROPOSED',
      message: error.message,
      lines: ['Do not repeat the command: it would make another proposal.'],
    };
  if (!(error instanceof NamewrightError)) throw error;
  const advice = ADVICE[error.code as ErrorCode];
  return {
    code: error.code,
    message: `${error.message} (${error.code})`,
    lines: [
      ...(error.details?.split('\n') ?? []),
      ...(error.retryAfter === undefined ? [] : [`Possible again in ${error.retryAfter} s.`]),
      ...(advice === undefined ? [] : [advice]),
      ...(error.requestId === undefined ? [] : [`Request: ${error.requestId}`]),
    ],
  };
}

/** Every file, because all of them have to be corrected. */
function explainNotPlanned({ refusals }: NotPlanned): Explanation {
  const codes = [...new Set(refusals.map(({ code }) => code))];
  const lines = refusals.flatMap(({ file, message, code, details }) => [
    `${file}: ${message} (${code})`,
    ...(details?.split('\n').map((line) => `  ${line}`) ?? []),
  ]);
  return {
    code: codes[0] ?? '',
    message: refusals.length === 1 ? 'A file cannot be planned' : `${refusals.length} files cannot be planned`,
    lines: [...lines, ...codes.flatMap((code) => ADVICE[code as ErrorCode] ?? [])],
  };
}

/** `fetch failed` has its reason as the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.cause === undefined ? (code ?? error.message) : reasonOf(error.cause);
}
