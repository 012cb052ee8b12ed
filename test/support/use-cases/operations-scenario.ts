import type { OperationOutcome } from '../../../src/application/operations/operation-outcome';
import type { DomainState } from '../../../src/domain/registration/domain';
import type { OperationState } from '../../../src/domain/registration/operations/operation';
import { closeScenarios, openScenario, RegistrationScenario, type ScenarioSettings } from './registration-scenario';
import { OURS, type UseCaseContext } from './use-case-context';

/** Three domains of one account, dom_1 to dom_3, and the processes that run their operations. */
export class OperationsScenario {
  private readonly scenarios: RegistrationScenario[];

  private constructor(
    readonly around: UseCaseContext,
    readonly scenario: RegistrationScenario,
  ) {
    this.scenarios = [scenario];
  }

  static async open(): Promise<OperationsScenario> {
    const { around, scenario } = openScenario();
    await around.givenDomain();
    await around.givenDomain({ id: 'dom_2', name: 'second.com' });
    await around.givenDomain({ id: 'dom_3', name: 'third.com' });
    return new OperationsScenario(around, scenario);
  }

  /** Another process beside the first. */
  aProcess(settings: ScenarioSettings = {}): RegistrationScenario {
    const started = this.anIdleProcess(settings);
    started.runner.start();
    return started;
  }

  /** One that runs nothing until it is told to. */
  anIdleProcess(settings: ScenarioSettings = {}): RegistrationScenario {
    const scenario = new RegistrationScenario(this.around, settings);
    this.scenarios.push(scenario);
    return scenario;
  }

  async delegate(hosts: readonly string[], { domainId = 'dom_1', by = this.scenario } = {}): Promise<OperationOutcome> {
    return by.changeNameservers.execute({ ...OURS, domainId, hosts });
  }

  operations(): readonly OperationState[] {
    return [...this.around.storage.tables.operations.values()];
  }

  stored(id = 'dom_1'): DomainState | undefined {
    return this.around.storage.tables.domains.get(id);
  }

  async close(): Promise<void> {
    await closeScenarios(this.around, ...this.scenarios);
  }
}
