import { inject, injectable } from 'inversify';
import { SERVICE } from '../../domain/access/actor';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { RegistryPort, type RegistryMessage } from '../ports/registry/registry-port';
import { UnitOfWork } from '../ports/storage/unit-of-work';

const MESSAGES_AT_A_TIME = 500;

/** What registries tell by themselves. A message leaves its queue only when what it means to us is committed. */
@injectable()
export class RegistryMessages {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Receives what waits: each domain that is spoken of is due to be looked at. @throws RegistryUnavailable */
  async receive(): Promise<void> {
    for (let received = 0; received < MESSAGES_AT_A_TIME; received += 1) {
      const message = await this.registry.poll();
      if (!message) return;
      await this.heed(message);
      await this.registry.acknowledge(message.id);
    }
  }

  private async heed({ kind, name, text, at }: RegistryMessage): Promise<void> {
    if (!name) {
      this.log.info({ kind, text, at }, 'a registry says');
      return;
    }
    await this.unitOfWork.run(async ({ audit, domains }) => {
      const domain = await domains.lockByName(name);
      if (!domain) return;
      const { id, accountId } = domain.toState();
      domain.schedule(this.lifecycleClock.now());
      await domains.save(domain);
      await audit.append({ at: this.clock.now(), accountId, actor: SERVICE, action: 'domain.registry_message', domain: { id, name: name.value }, subject: null, before: {}, after: { kind, text } });
    });
  }
}
