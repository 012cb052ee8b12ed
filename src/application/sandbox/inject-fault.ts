import { inject, injectable } from '../ports/inject';
import { DomainName } from '../../domain/shared/domain-name';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { toAsciiName } from '../../domain/shared/idna';
import { ValidationError } from '../../domain/shared/validation-error';
import { Log } from '../ports/system';
import { REGISTRY_FAULTS, RegistrySandbox, type RegistryFault } from '../ports/registry/registry-sandbox';

/** A fault before validation. */
interface FaultRequest {
  readonly kind: string;
  readonly target?: string | undefined;
  readonly times?: number | undefined;
  readonly milliseconds?: number | undefined;
}

const MAX_FAULTS = 100;
const MAX_TIMES = 1_000_000;
const MAX_LATENCY_MS = 60_000;

/** Injects a fault into the sandbox registry. @throws ValidationError */
@injectable()
export class InjectFault {
  constructor(
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(TldPolicies) private readonly tlds: TldPolicies,
    @inject(Log) private readonly log: Log,
  ) {}

  async execute(request: FaultRequest): Promise<RegistryFault> {
    const fault = this.validate(request);
    if ((await this.sandbox.faults()).length >= MAX_FAULTS)
      throw new ValidationError([{ path: '', message: `${MAX_FAULTS} faults are already active. Clear them first` }]);
    await this.sandbox.injectFault(fault);
    this.log.warn({ ...fault }, 'sandbox fault injected');
    return fault;
  }

  private validate({ kind: text, target, times, milliseconds }: FaultRequest): RegistryFault {
    const kind = REGISTRY_FAULTS.find((known) => known === text);
    if (!kind) throw ValidationError.of('kind', `must be one of ${REGISTRY_FAULTS.join(', ')}`);
    if (times !== undefined && !isWithin(times, 1, MAX_TIMES))
      throw ValidationError.of('times', `must be an integer from 1 to ${MAX_TIMES}`);
    if (kind === 'latency' && !isWithin(milliseconds, 1, MAX_LATENCY_MS))
      throw ValidationError.of('milliseconds', `must be an integer from 1 to ${MAX_LATENCY_MS}`);
    if (kind !== 'latency' && milliseconds !== undefined)
      throw ValidationError.of('milliseconds', 'is allowed only for kind latency');
    return {
      kind,
      ...(target !== undefined && { target: this.targetOf(target) }),
      ...(times !== undefined && { times }),
      ...(milliseconds !== undefined && { milliseconds }),
    };
  }

  private targetOf(text: string): string {
    const target = text.length <= 253 ? toAsciiName(text) : undefined;
    if (target !== undefined && (this.tlds.serves(target) || this.tlds.forName(DomainName.fromState(target))))
      return target;
    throw ValidationError.of('target', 'must be a supported TLD or a name under one');
  }
}

function isWithin(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value >= min && value <= max;
}
