import type { AppliedState, ImportedZone, ImportPlan, StatePlan } from '../../../typescript/src/namewright.ts';
import { pooled } from '../program/collect.ts';
import type { Session } from '../program/session.ts';
import { NotPlanned, type Refusal } from './not-planned.ts';
import type { StateContent, StateFile } from './state-files.ts';
import { isEmpty } from './state-text.ts';

/** Requests at the same time. */
export const REQUESTS = 4;
/** States of one request, and their characters: the service takes 100 and 4 MiB. */
const STATES = 100;
const CHARACTERS = 1_000_000;

/** What a state or a zone file would change. */
export interface Planned {
  readonly name: string;
  readonly plan: StatePlan | ImportPlan;
}

export interface NamePlan extends Planned {
  readonly file: string;
  /** Nothing would change if it were applied, not even the state that drift is compared with. */
  readonly isApplied: boolean;
  /** Carries it out, if the name is still as it was; again, it changes nothing. */
  readonly apply: () => Promise<AppliedState | ImportedZone>;
}

/** Many states in one request. @throws NotPlanned that names every name with an error */
export function planFiles(session: Session, files: readonly StateFile[]): Promise<NamePlan[]> {
  const plans = new Map<StateFile, NamePlan>();
  const refusals: Refusal[] = [];
  const zoneFiles = files.filter((each) => 'zoneFile' in each.content);
  const planning = async () => {
    await pooled(requestsOf(files), REQUESTS, (states) => planStates(session, states, { plans, refusals }));
    await pooled(zoneFiles, REQUESTS, async (each) => plans.set(each, await planZoneFile(session, each)));
    if (refusals.length > 0) throw new NotPlanned(refusals);
    return files.flatMap((each) => plans.get(each) ?? []);
  };
  return session.terminal.progress(() => `Planning: ${plans.size} of ${files.length}`, planning());
}

interface StateOfFile {
  readonly file: StateFile;
  readonly content: StateContent;
}

interface Outcomes {
  readonly plans: Map<StateFile, NamePlan>;
  readonly refusals: Refusal[];
}

/** The states, as many together as a request may have. */
function requestsOf(files: readonly StateFile[]): StateOfFile[][] {
  const requests: StateOfFile[][] = [];
  let characters = Infinity;
  for (const file of files) {
    const { content } = file;
    if (!('state' in content)) continue;
    const { length } = JSON.stringify(content.state);
    if (characters + length > CHARACTERS || requests.at(-1)?.length === STATES) {
      requests.push([]);
      characters = 0;
    }
    characters += length;
    requests.at(-1)?.push({ file, content });
  }
  return requests;
}

/** The service may leave out the last ones: they are sent again. */
async function planStates(session: Session, states: readonly StateOfFile[], outcomes: Outcomes): Promise<void> {
  for (let rest = states; rest.length > 0;) {
    const { plans } = await session.client.planStates({ body: { states: rest.map(requested) } });
    if (plans.length === 0) throw new TypeError('the service planned no state');
    for (const [index, { etag, plan, applied, error }] of plans.entries()) {
      const sent = rest[index];
      if (!sent) throw new TypeError('the service planned more states than were sent');
      const { file, name } = sent.file;
      if (error) outcomes.refusals.push({ file, name, ...error });
      else if (plan && etag !== null)
        outcomes.plans.set(sent.file, {
          file,
          name,
          plan,
          isApplied: applied,
          apply: () => applyState(session, sent, { etag, plan }),
        });
    }
    rest = rest.slice(plans.length);
  }
}

function requested({ file: { name }, content: { state, format, managedBy } }: StateOfFile) {
  return { name, state: { ...state }, format, ...(managedBy !== undefined && { managed_by: managedBy }) };
}

/** A registration costs at most what its plan showed, also if the state allows more. */
async function applyState(
  { client }: Session,
  { file: { name }, content }: StateOfFile,
  { etag, plan: { cost } }: { readonly etag: string; readonly plan: StatePlan },
) {
  const { state, format, managedBy } = content;
  const body = 'max_price' in state && cost.amount > 0 ? { ...state, max_price: cost } : state;
  const query = format === 'state' ? {} : { format, ...(managedBy !== undefined && { managed_by: managedBy }) };
  // One names what is registered, the other any zone; a name that is to be registered has none yet.
  const put = 'register' in body ? client.applyDomainState : client.applyZoneState;
  return (await put({ path: { name }, body, query, headers: { 'If-Match': etag } })) as AppliedState;
}

async function planZoneFile({ client }: Session, { file, name, content }: StateFile): Promise<NamePlan> {
  const body = 'zoneFile' in content ? content.zoneFile : '';
  const { id } = await client.getZoneByName({ path: { name } });
  const request = { path: { id }, body };
  const { data, headers } = await client.importZoneFileOfZone(
    { ...request, query: { dry_run: true } },
    { envelope: true },
  );
  const applied = { ...request, headers: { 'If-Match': headers.etag } };
  const apply = async () => (await client.importZoneFileOfZone(applied)) as ImportedZone;
  const plan = data as ImportPlan;
  return { file, name, plan, isApplied: isEmpty({ name, plan }), apply };
}
