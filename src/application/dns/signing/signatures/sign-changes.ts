import { createPrivateKey } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable } from '../../../ports/inject';
import type { PrivateSigningKey } from '../../../../domain/dns/dnssec/rrsig';
import { AuthoritySettings } from '../../dns-settings';
import {
  type DerivedChange,
  type SignedZoneState,
  type SigningReader,
  type SigningRepository,
  type StoredSigningKey,
  BackgroundSigner,
} from '../../../ports/dns/signing-repository';
import type { PlannedSignatures, TouchedZone, ZoneReader, ZoneWrite } from '../../../ports/dns/zone-repository';
import type { ZoneChange } from '../../../../domain/dns/zone-change';
import { Clock, LifecycleClock, SecretBox } from '../../../ports/system';
import { groupedBy } from '../../../../domain/shared/grouped-by';
import { settleAll } from '../../../shared/settle-all';
import { apexContent } from './apex-content';
import { UncommittedZone } from './uncommitted-zone';
import { planSignatures } from './plan-signatures';
import type { PlanReader } from './stored-rows';
import type { PendingSignatures } from './signature-changes';
import { touchedNames } from './touched-names';
import { RrsetSigner } from './rrset-signer';

const MAX_OPEN_KEYS = 1_000;
/** How long signatures that were made ahead are kept. */
const PREPARED_MS = 300_000;

export function purposeOfSigningKey(keyId: string): string {
  return `dnssec:${keyId}`;
}

/** What is to be written so that the signatures are those of a zone with this serial. */
interface Plan {
  readonly zone: SignedZoneState;
  /** The change of records that leads to the serial; undefined if they stay. */
  readonly change: ZoneChange | undefined;
  readonly changes: readonly DerivedChange[];
}

interface Prepared {
  readonly keyIds: string;
  readonly signer: RrsetSigner;
  /** Undefined if the zone changed while it was read. */
  readonly plan: Plan | undefined;
  readonly at: number;
}

interface ZoneParts {
  readonly signing: SigningRepository;
  /** Undefined if what the zone will be is not known before its changes are written. */
  readonly read: () => Promise<PlanReader | undefined>;
}

interface SigningOptions {
  readonly isOneOfMany: boolean;
  /** Waits until the other statements of the transaction are on their way to the database, so that it executes them meanwhile. */
  readonly afterSending?: () => Promise<unknown>;
}

/** Brings the signatures of zones up to date with what a unit of work changed, before it commits. */
@injectable()
export class SignChanges {
  /** By id, least recently opened first. */
  private readonly openKeys = new Map<string, PrivateSigningKey>();
  /** By the id of the domain. */
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(AuthoritySettings) private readonly settings: AuthoritySettings,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly signatureClock: LifecycleClock,
    @inject(BackgroundSigner) private readonly background: BackgroundSigner,
  ) {}

  /** In the unit of work of the changes, after their writes. */
  async execute(signing: SigningRepository, touched: ReadonlyMap<string, TouchedZone>): Promise<void> {
    // Together, so that their statements do not wait for each other's results: each step of all zones is one statement.
    const isOneOfMany = touched.size > 1;
    const signed = await settleAll(
      [...touched].map(async ([domainId, names]) => {
        const zone = await signing.find(domainId);
        if (!zone) return async () => (names.isWhole ? signing.clear(domainId) : undefined);
        return this.sign({ signing, read: async () => signing }, zone, names, { isOneOfMany });
      }),
    );
    await settleAll(signed.map(async (write) => write?.()));
  }

  /**
   * In the unit of work, before its first write, for zones that it has locked. Leaves out what is not known before the changes are
   * written, which `execute` signs.
   */
  async plan(
    signing: SigningRepository,
    writes: readonly ZoneWrite[],
    records: Pick<ZoneReader, 'recordsAt'>,
  ): Promise<readonly PlannedSignatures[]> {
    let sent: Promise<unknown> | undefined;
    const zones = [...groupedBy(writes, ({ zone }) => zone.domainId).values()];
    const options = { isOneOfMany: zones.length > 1, afterSending: () => (sent ??= yieldToEventLoop()) };
    const planned = await settleAll(
      zones.map(async (ofZone): Promise<readonly PlannedSignatures[]> => {
        const [{ zone, stored }] = ofZone as [ZoneWrite];
        const { domainId, serial } = zone;
        const changes = ofZone.map(({ change }) => change);
        const before = await signing.find(domainId);
        if (before?.serial !== serial) return [];
        const after = { ...before, serial: serial + changes.length };
        const touched = { ...touchedNames(changes), isWhole: false, expiring: new Set<string>(), changes };
        const readers = { before: signing, zones: records, ...(stored && { stored }) };
        const read = () => UncommittedZone.read(readers, domainId, changes);
        const write = await this.sign({ signing, read }, after, touched, options);
        return write ? [{ domainId, changes, write }] : [];
      }),
    );
    return planned.flat();
  }

  /** Makes signatures ahead for a change of how the zone is signed, which `zone` has and `reader` need not have yet. */
  prepare(reader: SigningReader, zone: SignedZoneState): Promise<void> {
    return this.prepareAfter(reader, zone, reader);
  }

  /** Makes signatures ahead for a change of the records of `zone`. */
  async prepareChange(
    readers: { readonly before: SigningReader; readonly zones: Pick<ZoneReader, 'recordsAt'> },
    zone: SignedZoneState,
    change: ZoneChange,
  ): Promise<void> {
    const after = await UncommittedZone.read(readers, zone.domainId, [change]);
    if (after) await this.prepareAfter(readers.before, zone, after, change);
  }

  private async prepareAfter(
    before: Pick<SigningReader, 'findAny'>,
    zone: SignedZoneState,
    reader: PlanReader,
    change?: ZoneChange,
  ): Promise<void> {
    const at = this.signatureClock.now().getTime();
    for (const domainId of this.prepared.keys()) this.preparedFor(domainId);
    const signer = this.signerOf(zone);
    const after = { ...zone, serial: zone.serial + 1 };
    const parts = { zone: after, reader, signer, apex: apexContent(after, this.settings) };
    const changes = await (await planSignatures(parts, change ? touchedNames([change]) : 'all')).signAll();
    const isUnchanged = (await before.findAny(zone.domainId))?.serial === zone.serial;
    const plan = isUnchanged ? { zone: after, change, changes } : undefined;
    this.prepared.set(zone.domainId, { keyIds: keyIdsOf(zone), signer, plan, at });
  }

  /** Returns what writes the signatures; undefined if the zone cannot be read as it will be. */
  private async sign(
    { signing, read }: ZoneParts,
    zone: SignedZoneState,
    touched: TouchedZone,
    { isOneOfMany, afterSending }: SigningOptions,
  ): Promise<(() => Promise<void>) | undefined> {
    const { domainId } = zone;
    const prepared = this.preparedFor(domainId)?.plan;
    const changes =
      prepared && isPlanFor(prepared, zone, touched)
        ? { signAll: async () => prepared.changes }
        : await this.planSignatureChanges(await read(), zone, touched, isOneOfMany);
    if (!changes) return undefined;
    return async () => {
      await afterSending?.();
      await signing.write(domainId, zone.serial, await changes.signAll(), this.clock.now());
      // Of a large zone they take much memory.
      const isDone = touched.changes.some((change) => change === prepared?.change);
      if (touched.isWhole || isDone) this.prepared.delete(domainId);
    };
  }

  private async planSignatureChanges(
    reader: PlanReader | undefined,
    zone: SignedZoneState,
    { names, cuts, isWhole, expiring }: TouchedZone,
    isOneOfMany: boolean,
  ): Promise<PendingSignatures | undefined> {
    if (!reader) return undefined;
    const signer = this.signerOf(zone);
    const apex = apexContent(zone, this.settings);
    return planSignatures({ zone, reader, signer, apex, expiring, isOneOfMany }, isWhole ? 'all' : { names, cuts });
  }

  /** Forgets what is too old: after a transaction that failed, the next change may come when its signatures have expired. */
  private preparedFor(domainId: string): Prepared | undefined {
    const prepared = this.prepared.get(domainId);
    // Clocks can be set back.
    if (!prepared || Math.abs(this.signatureClock.now().getTime() - prepared.at) < PREPARED_MS) return prepared;
    this.prepared.delete(domainId);
    return undefined;
  }

  private signerOf(zone: SignedZoneState): RrsetSigner {
    const prepared = this.preparedFor(zone.domainId);
    if (prepared?.keyIds === keyIdsOf(zone)) return prepared.signer;
    return new RrsetSigner(
      zone.zoneName,
      zone.keys.map((key) => this.open(key)),
      this.signatureClock.now(),
      this.background,
    );
  }

  private open({ id, algorithm, keyTag, sealedPrivateKey }: StoredSigningKey): PrivateSigningKey {
    const open = this.openKeys.get(id);
    if (open) return open;
    const der = Buffer.from(this.secrets.open(sealedPrivateKey, purposeOfSigningKey(id)), 'base64');
    const opened = { id, algorithm, keyTag, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
    this.openKeys.set(id, opened);
    const [oldest] = this.openKeys.size > MAX_OPEN_KEYS ? this.openKeys.keys() : [];
    if (oldest !== undefined) this.openKeys.delete(oldest);
    return opened;
  }
}

function keyIdsOf({ keys }: SignedZoneState): string {
  return keys.map(({ id }) => id).join(' ');
}

/** Every change of what is published raises the serial, so an equal serial means that the zone is the one of the plan. */
function isPlanFor({ zone, change }: Plan, current: SignedZoneState, touched: TouchedZone): boolean {
  return (
    zone.serial === current.serial &&
    keyIdsOf(zone) === keyIdsOf(current) &&
    zone.denial === current.denial &&
    zone.cds === current.cds &&
    touched.expiring.size === 0 &&
    (change ? touched.changes.length === 1 && touched.changes[0] === change : touched.changes.length === 0) &&
    touched.isWhole === (change === undefined)
  );
}
