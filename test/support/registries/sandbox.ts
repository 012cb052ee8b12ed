import { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import type { TestService } from '../service/service';

/** The hands on the simulated registry of a service in this process: its faults, its clock, its ledger. */
export function sandboxOf({ container }: TestService): RegistrySandbox {
  return container.get<RegistrySandbox>(RegistrySandbox);
}
