import { DomainName } from '../shared/domain-name';
import { ValidationError } from '../shared/validation-error';

export interface InvalidLine {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** The names of a text with one a line, without repetitions; comments begin with `#`. Invalid lines are reported by number. */
export function parseNameList(text: string): {
  readonly names: readonly string[];
  readonly invalid: readonly InvalidLine[];
} {
  const names = new Set<string>();
  const invalid: InvalidLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    // `trim` removes a byte order mark, too; zone files and exports write a final dot.
    const name = line.replace(/#.*/, '').trim().replace(/\.$/, '');
    if (name === '') continue;
    try {
      names.add(DomainName.parse(name).value);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const [issue] = error.issues;
      invalid.push({ line: index + 1, message: issue?.message ?? error.message });
    }
  }
  return { names: [...names], invalid };
}
