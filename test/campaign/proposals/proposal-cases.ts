import type { SeededRandom } from '../../crash/random';
import type { FinalResponse } from '../events/event-replicas';
import { afterPlan, readSnapshot, textOf, type DomainSnapshot, type SeenPlan } from './domain-snapshot';
import { bulkJobEnded, randomWrite, runningJobsEnded, type OwnDomain, type RandomWrite } from './proposal-writes';
import type { ProposingInstallation } from './proposing-installation';

interface SeenProposal {
  readonly id: string;
  readonly state: string;
  readonly plan: SeenPlan;
  readonly path: string;
}

interface Ended {
  readonly before: DomainSnapshot;
  readonly responses: readonly FinalResponse[];
  /** Another change of the zone was made at the same time. */
  readonly isRace: boolean;
}

/** Half of them are accepted by one request. */
const ACCEPTANCES = [1, 1, 2, 3] as const;

/** Random writes of one domain, one after the other: each is proposed or refused, decided on, and compared with its plan. */
export class ProposalCases {
  readonly failures: string[] = [];
  readonly counts = new Map<string, number>();
  private serial = 0;
  private last: DomainSnapshot | undefined;
  private renewals = 0;
  private jobs = 0;

  constructor(
    private readonly at: ProposingInstallation,
    readonly domain: OwnDomain,
    private readonly label: string,
    private readonly random: SeededRandom,
    private readonly mostJobs: number,
  ) {}

  async runOne(): Promise<void> {
    const before = this.last ?? (await this.snapshot());
    const mayStartJob = this.jobs < this.mostJobs;
    const context = {
      at: this.at,
      domain: this.domain,
      before,
      random: this.random,
      unique: this.unique(),
      mayStartJob,
    };
    const write = randomWrite(context);
    if (write.what.includes(' /api/bulk')) this.jobs += 1;
    const sent = await write.send();
    const waiting = await this.snapshot();
    this.compare(`${write.what} changed something before it was accepted`, waiting, before);
    this.last = waiting;
    if (sent.kind === 'wrong') return this.fail(`${write.what} returned ${sent.what}`);
    this.count(sent.kind);
    if (sent.kind === 'proposed') await this.decide(write, sent.id, waiting);
  }

  /** Its registration, and each renewal that was accepted. */
  get expectedCharges(): number {
    return 1 + this.renewals;
  }

  private async decide(write: RandomWrite, id: string, before: DomainSnapshot): Promise<void> {
    const draw = this.random.next();
    if (draw < 0.1) return this.turnDown(write, id, before);
    const isDisturbed = draw < 0.4;
    const isRace = draw < 0.25;
    let disturbance: Promise<DomainSnapshot> | undefined;
    if (isDisturbed && !isRace) before = await this.disturb(before);
    if (isRace) disturbance = this.disturb(before);
    const responses = await this.acceptAtOnce(id, this.random.oneOf(ACCEPTANCES));
    before = (await disturbance) ?? before;
    const proposal = await this.ended(write, id, { before, responses, isRace });
    this.checkState(write, proposal, { isDisturbed });
    this.checkResponses(write, proposal, responses);
  }

  /** The proposer withdraws it, or another rejects it while it is accepted: one of them decides. */
  private async turnDown(write: RandomWrite, id: string, before: DomainSnapshot): Promise<void> {
    const { replicas, approvers, agent, writer } = this.at;
    const proposer = write.what.endsWith('agent') ? agent : writer;
    const [by, what] =
      this.random.between(0, 1) === 0 ? ([approvers[0], 'reject'] as const) : ([proposer.apiKey, 'withdraw'] as const);
    const accepted = this.random.between(0, 1) === 0 ? this.acceptAtOnce(id, 2) : Promise.resolve([]);
    const turned = await replicas.send(by, 'POST', `/api/proposals/${id}/${what}`, {}, this.unique());
    const responses = await accepted;
    const proposal = await this.ended(write, id, { before, responses, isRace: false });
    const wasDone = proposal.state === 'accepted';
    if (wasDone !== (turned.status === 409) || (turned.status !== 200 && turned.status !== 409))
      this.fail(
        `${what} of ${id}, which is ${proposal.state}, returned ${turned.status} ${JSON.stringify(turned.body)}`,
      );
    if (!wasDone && responses.some(({ status }) => status === 200))
      this.fail(`${id} is ${proposal.state} although an acceptance returned 200`);
  }

  /** Compares the domain with the plan once what was accepted is done. */
  private async ended(write: RandomWrite, id: string, { before, responses, isRace }: Ended): Promise<SeenProposal> {
    const refused = await this.finish(responses);
    // A zone that changes between the acceptance and the job keeps its records, and the job says so.
    const isOutpaced = isRace && refused.length === 1 && refused[0] === 'PRECONDITION_FAILED';
    if (isOutpaced) this.count('accepted, but outpaced');
    else if (refused.length > 0) this.fail(`the job of ${write.what} (${id}) failed with ${refused.join(', ')}`);
    const proposal = (await this.at.replicas.send(this.at.admin, 'GET', `/api/proposals/${id}`)).body as SeenProposal;
    const after = await this.snapshot();
    this.last = after;
    this.count(proposal.state);
    const wasDone = proposal.state === 'accepted' && !isOutpaced;
    if (wasDone && 'expires_at' in write.settings) this.renewals += 1;
    const expected = wasDone ? afterPlan(before, proposal.plan, write) : before;
    this.compare(`${write.what} (${id}) is ${proposal.state}`, after, expected);
    return proposal;
  }

  /** A change that no rule names, and that the plan may meet. */
  private async disturb(before: DomainSnapshot): Promise<DomainSnapshot> {
    const record = { name: this.unique(), type: 'A', content: '192.0.2.254', ttl: 300 };
    const path = `/api/domains/${this.domain.id}/dns/records`;
    const { status, body } = await this.at.replicas.send(this.at.admin, 'POST', path, record, this.unique());
    if (status !== 201) this.fail(`the other change of ${this.domain.name} got ${status} ${JSON.stringify(body)}`);
    const { id } = body as { readonly id: string };
    return { ...before, records: [...before.records, { id, ...record }], zoneVersion: before.zoneVersion + 1 };
  }

  async acceptAtOnce(id: string, times: number): Promise<readonly FinalResponse[]> {
    const { replicas, approvers } = this.at;
    const accept = (index: number) =>
      replicas.send(approvers[index % 2] ?? approvers[0], 'POST', `/api/proposals/${id}/accept`, {});
    return Promise.all(Array.from({ length: times }, (_, index) => accept(index)));
  }

  /**
   * The write ended before its acceptance was answered, except for a bulk job. Its id is not known if a kill has cut off the response.
   * Returns the codes of what the job could not do.
   */
  private async finish(responses: readonly FinalResponse[]): Promise<readonly string[]> {
    for (const { body } of responses) {
      const { path, response } = body as { path?: string; response?: { status: number; body: { id?: string } } };
      const jobId = path === '/api/bulk' && response && response.status < 400 ? response.body.id : undefined;
      if (jobId !== undefined) return bulkJobEnded(this.at, jobId);
    }
    return runningJobsEnded(this.at, this.domain.name);
  }

  private checkState(
    write: RandomWrite,
    { id, state }: SeenProposal,
    { isDisturbed }: { readonly isDisturbed: boolean },
  ): void {
    const possible = ['accepted', ...(isDisturbed ? ['stale'] : [])];
    if (!possible.includes(state)) this.fail(`${write.what} (${id}) is ${state}, not ${possible.join(' or ')}`);
  }

  private checkResponses(write: RandomWrite, { id, state }: SeenProposal, responses: readonly FinalResponse[]): void {
    const wrong = responses.find(({ status }) => status !== 200 && status !== 409);
    if (wrong) this.fail(`an acceptance of ${write.what} got ${wrong.status} ${JSON.stringify(wrong.body)}`);
    const bodies = responses.filter(({ status }) => status === 200).map(({ body }) => body as { response: unknown });
    const answers = new Set(bodies.map(({ response }) => JSON.stringify(response)));
    if (answers.size > 1) this.fail(`acceptances of ${id} got ${[...answers].join(' and ')}`);
    if (state === 'stale' && bodies.length > 0) this.fail(`an acceptance of ${id}, which is stale, got 200`);
  }

  private snapshot(): Promise<DomainSnapshot> {
    return readSnapshot(this.at, this.domain);
  }

  private compare(what: string, is: DomainSnapshot, expected: DomainSnapshot): void {
    if (textOf(is) !== textOf(expected)) this.fail(`${what}: ${textOf(is)} instead of ${textOf(expected)}`);
  }

  private unique(): string {
    this.serial += 1;
    return `p${this.label}-${this.serial}`;
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  private fail(failure: string): void {
    this.failures.push(failure);
  }
}
