import { inject, injectable, token } from '../../ports/inject';
import {
  endpointText,
  isWildcardAddress,
  type Endpoint,
  type Secondary,
} from '../../../domain/dns/secondaries/secondary';
import { PublishedZones, SecondaryDirectory, type TsigKeyFacts } from '../../ports/dns/publishing';
import { Clock } from '../../ports/system';
import { CONFIGURATIONS } from '../secondary-setup/configurations';

/** Where secondaries reach this service. */
export interface PrimarySettings {
  /** Undefined if the listener is off. */
  readonly endpoint: Endpoint | undefined;
  readonly catalogZone: string;
}
export const PrimarySettings = token<PrimarySettings>('PrimarySettings');

export interface SecondaryOverview {
  readonly secondary: Secondary;
  /** It serves every change made before. Undefined for a new secondary. */
  readonly caughtUpTo: Date | undefined;
  /** How long ago the first change was made that it is not known to serve; 0 without one. Undefined for a new secondary. */
  readonly lagSeconds: number | undefined;
  readonly key: TsigKeyFacts | undefined;
  readonly configurations: readonly { readonly program: string; readonly text: string }[];
}

export interface SecondariesReport {
  readonly secondaries: readonly SecondaryOverview[];
  readonly keys: readonly TsigKeyFacts[];
  /** `ADDRESS:PORT`; undefined if the listener is off. */
  readonly primary: string | undefined;
  readonly catalogZone: string;
}

const NO_SECRET = '…';
/** Of the documentation, for a listener that names no address. */
const EXAMPLE_ADDRESS = '10.0.0.5';
const DNS_PORT = 53;

/** The secondaries of this service, how far they have caught up, and their configurations without the secrets. */
@injectable()
export class ReadSecondaries {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(PublishedZones) private readonly zones: Pick<PublishedZones, 'changedSince'>,
    @inject(PrimarySettings) private readonly settings: PrimarySettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(): Promise<SecondariesReport> {
    const [secondaries, keys] = await Promise.all([this.directory.all(), this.directory.keys()]);
    const { endpoint, catalogZone } = this.settings;
    return {
      secondaries: await Promise.all(secondaries.map((secondary) => this.report(secondary, keys))),
      keys,
      primary: endpoint && endpointText(endpoint),
      catalogZone,
    };
  }

  private async report(secondary: Secondary, keys: readonly TsigKeyFacts[]): Promise<SecondaryOverview> {
    const time = await this.directory.caughtUpTo(secondary.name);
    const isNew = time.getTime() === 0;
    const key = keys.find(({ name }) => name === secondary.keyName);
    return {
      secondary,
      caughtUpTo: isNew ? undefined : time,
      lagSeconds: isNew ? undefined : await this.lagSince(time),
      key,
      configurations: key ? this.configurations(secondary, key) : [],
    };
  }

  /** Reads one page of zones: the first is the one that changed first. */
  private async lagSince(time: Date): Promise<number> {
    for await (const page of this.zones.changedSince(time)) {
      const first = Math.min(...page.map(({ changedAt }) => changedAt.getTime()));
      return Math.max(0, Math.round((this.clock.now().getTime() - first) / 1_000));
    }
    return 0;
  }

  private configurations(secondary: Secondary, key: TsigKeyFacts): SecondaryOverview['configurations'] {
    const { endpoint, catalogZone } = this.settings;
    const primary =
      endpoint && !isWildcardAddress(endpoint)
        ? endpoint
        : { address: EXAMPLE_ADDRESS, port: endpoint?.port ?? DNS_PORT };
    return Object.values(CONFIGURATIONS).map(({ program, folder, write }) => ({
      program,
      text: write({ secondary, key, secret: NO_SECRET, primaries: [primary], catalogZone, folder }),
    }));
  }
}
