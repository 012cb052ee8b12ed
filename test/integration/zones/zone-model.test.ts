import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Requester } from '../../../src/domain/access/actor';
import { AddRecord } from '../../../src/application/dns/records/add-record';
import { ChangeRecord } from '../../../src/application/dns/records/change-record';
import { EditRecords } from '../../../src/application/dns/records/edit-records';
import { ImportZoneFile } from '../../../src/application/dns/zones/zone-files/import-zone-file';
import { ListRecords } from '../../../src/application/dns/records/list-records';
import { ReadZoneHistory } from '../../../src/application/dns/zones/history/read-zone-history';
import { RemoveRecord } from '../../../src/application/dns/records/remove-record';
import { RollBackZone } from '../../../src/application/dns/zones/history/roll-back-zone';
import type { ZoneRequest } from '../../../src/application/dns/zones/zone-request';
import type { Written } from '../../../src/application/dns/zones/zone-request';
import type { DnsRecordState } from '../../../src/domain/dns/records/dns-record';
import { ZoneVersionMismatch } from '../../../src/domain/dns/dns-errors';
import { ServiceError } from '../../../src/domain/shared/service-error';
import { onBothDatabases } from '../../support/databases/databases';
import { seeded } from '../../support/seeded';
import { api, registered, type TestService } from '../../support/service/service';
import {
  applyToModel,
  type Command,
  type ModelRecord,
  type ModelZone,
  type ModelDraft,
} from '../../support/data/zone-model';

const CONTENTS = {
  A: ['192.0.2.1', '192.0.2.2'],
  TXT: ['one', 'two'],
  CNAME: ['host.example.net', 'other.example.net'],
} as const;
type ModelType = keyof typeof CONTENTS;

const draft = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    type: fc.constantFrom<ModelType>('A', 'A', 'TXT', 'CNAME'),
    pick: fc.constantFrom(0, 1),
    ttl: fc.constantFrom(60, 300),
  })
  .map(({ pick, ...rest }): ModelDraft => ({ ...rest, content: CONTENTS[rest.type][pick] }));
/** An index into the zone at the time of the command; 99 names no record. */
const which = fc.oneof({ weight: 9, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.constant(99) });
const patch = fc.record({
  which,
  name: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  pick: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
  ttl: fc.constantFrom(60, 300),
});
const plan = fc.oneof(
  draft.map((one) => ({ kind: 'add' as const, draft: one })),
  patch.map((one) => ({ kind: 'change' as const, ...one })),
  which.map((one) => ({ kind: 'remove' as const, which: one })),
  fc.record({
    kind: fc.constant('edit' as const),
    create: fc.array(draft, { maxLength: 3 }),
    update: fc.array(patch, { maxLength: 2 }),
    remove: fc.array(which, { maxLength: 2 }),
  }),
  fc.array(draft, { maxLength: 5, size: 'max' }).map((drafts) => ({ kind: 'import' as const, drafts })),
  fc.nat(30).map((back) => ({ kind: 'restore' as const, back })),
);
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
const step = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 3 }),
  seen: fc.constantFrom<'any' | 'current' | 'stale'>('any', 'any', 'current', 'stale'),
  dryRun: fc.constantFrom(false, false, true),
});

function pickId(zone: ModelZone, index: number): string {
  return zone.length > 0 && index < 99 ? (zone[index % zone.length]?.id ?? '') : 'rec_none';
}

function patchFor(
  zone: ModelZone,
  { which: index, name, pick, ttl }: { which: number; name: string | undefined; pick: number | undefined; ttl: number },
) {
  const id = pickId(zone, index);
  const record = zone.find((candidate) => candidate.id === id);
  const content = record && pick !== undefined ? CONTENTS[record.type as ModelType][pick] : undefined;
  return { id, draft: { ttl, ...(name !== undefined && { name }), ...(content !== undefined && { content }) } };
}

function createCommand(zone: ModelZone, version: number, planned: Plan): Command {
  switch (planned.kind) {
    case 'add':
    case 'import':
      return planned;
    case 'change':
      return { kind: 'change', ...patchFor(zone, planned) };
    case 'remove':
      return { kind: 'remove', id: pickId(zone, planned.which) };
    case 'edit':
      return {
        ...planned,
        update: planned.update.map((one) => patchFor(zone, one)),
        remove: planned.remove.map((one) => pickId(zone, one)),
      };
    case 'restore':
    default:
      return { kind: 'restore', version: version - planned.back };
  }
}

/** Applies commands to the real zone. */
class RealZone {
  private readonly requester: Requester;

  constructor(
    private readonly service: TestService,
    accountId: string,
    private readonly domainId: string,
  ) {
    this.requester = { accountId, actor: { kind: 'key', id: 'k1' } };
  }

  async state(): Promise<{ version: number; zone: ModelZone }> {
    const { zoneVersion, records } = await this.service.container
      .get(ListRecords)
      .page(this.requester, this.domainId, {}, 1000);
    return { version: zoneVersion, zone: records.map(modelRecord) };
  }

  async run(
    command: Command,
    expectedVersions: readonly number[] | undefined,
    mode: 'execute' | 'plan',
  ): Promise<boolean> {
    try {
      await this.dispatch(
        command,
        {
          ...this.requester,
          domainId: this.domainId,
          expectedVersions,
        },
        mode,
      );
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'INTERNAL_ERROR') throw error;
      return false;
    }
  }

  async zoneAt(version: number): Promise<ModelZone> {
    const { records } = await this.service.container
      .get(ReadZoneHistory)
      .version(this.requester, this.domainId, version);
    return records.map(modelRecord);
  }

  async versions(): Promise<readonly number[]> {
    const { versions } = await this.service.container
      .get(ReadZoneHistory)
      .page(this.requester, this.domainId, { limit: 1000 });
    return versions.map(({ version }) => version);
  }

  private dispatch(command: Command, request: ZoneRequest, mode: 'execute' | 'plan'): Promise<unknown> {
    const { container } = this.service;
    switch (command.kind) {
      case 'add':
        return container.get(AddRecord)[mode]({ ...request, draft: command.draft });
      case 'change':
        return container.get(ChangeRecord)[mode]({ ...request, recordId: command.id, patch: command.draft });
      case 'remove':
        return container.get(RemoveRecord)[mode]({ ...request, recordId: command.id });
      case 'edit':
        return container.get(EditRecords)[mode]({
          ...request,
          create: command.create,
          update: command.update.map(({ id, draft: changes }) => ({ id, patch: changes })),
          delete: command.remove,
        });
      case 'import':
        return container.get(ImportZoneFile)[mode]({
          ...request,
          text: command.drafts
            .map(
              ({ name, ttl, type, content }) =>
                `${name} ${ttl} ${type} ${type === 'CNAME' ? `${content}.` : content}\n`,
            )
            .join(''),
        });
      case 'restore':
      default:
        return container.get(RollBackZone)[mode]({ ...request, version: command.version });
    }
  }
}

function modelRecord({ id, name, type, content, ttl }: DnsRecordState): ModelRecord {
  return { id, name, type, content, ttl };
}

/** The records without their ids, sorted. */
function describeZone(zone: ModelZone): string[] {
  return zone.map(({ name, type, content, ttl }) => `${name} ${ttl} ${type} ${content}`).toSorted();
}

/** Whether the zones differ in ids or content, which raises the version. */
function hasChanged(before: ModelZone, next: ModelZone): boolean {
  return (
    before.length !== next.length || !before.every((record) => next.some((other) => isDeepStrictEqual(other, record)))
  );
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((others) => [item, ...others]));
}

interface Outcome {
  readonly command: Command;
  readonly accepted: boolean;
}

/** The zone at each version after the commands in this order; undefined if the model accepts other commands. */
function replay(
  start: ModelZone,
  version: number,
  outcomes: readonly Outcome[],
  past: ReadonlyMap<number, ModelZone>,
  only: number | undefined,
): ModelZone[] | undefined {
  const zones: ModelZone[] = [];
  let zone = start;
  for (const { command, accepted } of outcomes) {
    const isSeen = only === undefined || only === version + zones.length;
    const next = isSeen
      ? applyToModel(
          zone,
          command,
          new Map([...past, ...zones.map((one, index) => [version + 1 + index, one] as const)]),
        )
      : undefined;
    if ((next !== undefined) !== accepted) return undefined;
    if (!next || !hasChanged(zone, next)) continue;
    zone = next;
    zones.push(next);
  }
  return zones;
}

onBothDatabases('a zone, compared with its model', (service) => {
  let serial = 0;

  it('equals the model after random concurrent commands, and its history returns every version', async () => {
    const accountId = await service().account();
    const client = api(service(), await service().key(accountId));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30, size: 'max' }), async (steps) => {
        const real = new RealZone(service(), accountId, await registered(client, `model-${(serial += 1)}.com`));
        let { version, zone } = await real.state();
        const past = new Map<number, ModelZone>();
        for (let made = 1; made <= version; made += 1) past.set(made, []);

        for (const { plans, seen, dryRun } of steps) {
          const commands = plans.map((planned) => createCommand(zone, version, planned));
          const only = { any: undefined, current: version, stale: version - 1 }[seen];
          const given = await Promise.all(
            commands.map(async (command): Promise<Outcome> => ({
              command,
              accepted: await real.run(command, only === undefined ? undefined : [only], dryRun ? 'plan' : 'execute'),
            })),
          );
          const now = await real.state();

          if (dryRun) {
            expect(given.map((one) => one.accepted)).toEqual(
              commands.map(
                (command) =>
                  (only === undefined || only === version) && applyToModel(zone, command, past) !== undefined,
              ),
            );
            expect(now).toEqual({ version, zone });
            continue;
          }
          const replays = permutations(given).flatMap((outcomes) => {
            const zones = replay(zone, version, outcomes, past, only);
            return zones &&
              now.version === version + zones.length &&
              describeZone(zones.at(-1) ?? zone).join() === describeZone(now.zone).join()
              ? [zones]
              : [];
          });
          expect(replays).not.toEqual([]);
          accepted += given.filter((one) => one.accepted).length;
          for (let made = version + 1; made <= now.version; made += 1) past.set(made, await real.zoneAt(made));
          expect(replays.map((zones) => zones.map(describeZone))).toContainEqual(
            [...past].filter(([made]) => made > version).map(([, zones]) => describeZone(zones)),
          );
          expect(past.get(now.version)).toEqual(now.zone);
          ({ version, zone } = now);
        }

        expect(await real.versions()).toEqual([...past.keys()].toReversed());
        for (const [made, zones] of past) expect(await real.zoneAt(made)).toEqual(zones);
      }),
      seeded(25),
    );
    expect(accepted).toBeGreaterThan(200); // otherwise the test proves little
  });

  it('loses no update of two writers that send expected versions, in 1,000 rounds', async () => {
    const accountId = await service().account();
    const domainId = await registered(api(service(), await service().key(accountId)), `model-${(serial += 1)}.com`);
    const request = { accountId, actor: { kind: 'key', id: 'k1' } as const, domainId };
    const { result: counter } = await service()
      .container.get(AddRecord)
      .execute({ ...request, draft: { type: 'TXT', name: 'n', content: '0' } });
    const list = () => service().container.get(ListRecords).page(request, domainId, {}, 10);
    const increment = async (): Promise<Written<unknown>> => {
      for (;;) {
        const { zoneVersion, records } = await list();
        const change = {
          ...request,
          recordId: counter.id,
          patch: { content: String(Number(records[0]?.content) + 1) },
          expectedVersions: [zoneVersion],
        };
        try {
          return await service().container.get(ChangeRecord).execute(change);
        } catch (error) {
          if (!(error instanceof ZoneVersionMismatch)) throw error;
        }
      }
    };
    const writer = async () => {
      for (let round = 0; round < 500; round += 1) await increment();
    };

    await Promise.all([writer(), writer()]);

    expect((await list()).records.map(({ content }) => content)).toEqual(['1000']);
  });
});
