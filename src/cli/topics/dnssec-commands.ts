import type { RecheckSigning } from '../../application/dnssec/recheck-signing';
import type { NamedSigning, ZoneSigningReader } from '../../application/ports/dns/signing-repository';
import { OPERATOR } from '../../domain/access/actor';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandSpec } from '../command-spec';

export const DNSSEC_USAGE = `  dnssec list                           lists the zones of all accounts with DNSSEC: state, what the service waits for,
                                        since when, until when, name, and the reason of an error
  dnssec recheck NAME                   takes the next step of a zone at once instead of at the next poll, and tries one
                                        that failed again`;

const PAGE = 500;

export interface DnssecServices {
  readonly signings: Pick<ZoneSigningReader, 'page'>;
  readonly recheck: Pick<RecheckSigning, 'execute'>;
}

export const DNSSEC_COMMANDS: Readonly<Record<string, CommandSpec<{ readonly dnssec: DnssecServices }>>> = {
  'dnssec list': {
    required: [],
    optional: [],
    prepare:
      () =>
      async ({ dnssec }) => {
        const all: ReturnType<typeof present>[] = [];
        for (let last: string | undefined; ;) {
          const page = await dnssec.signings.page(PAGE, last);
          all.push(...page.map(present));
          last = page.at(-1)?.name;
          if (last === undefined) break;
        }
        const rows = all.map(({ state, waits_for, waits_since, until, name, reason }) => [
          state,
          waits_for,
          waits_since,
          until ?? '-',
          name,
          ...(reason === null ? [] : [reason]),
        ]);
        return { json: all, text: table(rows) };
      },
  },
  'dnssec recheck': {
    required: [],
    optional: [],
    operands: ['NAME'],
    prepare:
      (_options, text = '') =>
      async ({ dnssec }) => {
        const name = text.toLowerCase();
        const signing = await dnssec.recheck.execute({ name, actor: OPERATOR });
        if (!signing) throw ValidationError.of('name', 'is not the name of a domain with DNSSEC');
        const shown = present({ name, signing });
        return { json: shown, text: `${shown.state}, waits for ${shown.waits_for}` };
      },
  },
};

function present({ name, signing }: NamedSigning) {
  const { stepSince, until, problem } = signing.toState();
  return {
    name,
    state: signing.shownState,
    waits_for: signing.waitsFor,
    waits_since: stepSince.toISOString(),
    until: until?.toISOString() ?? null,
    rollover: signing.isRollingOver,
    reason: problem?.reason ?? null,
    remedy: problem?.remedy ?? null,
  };
}
