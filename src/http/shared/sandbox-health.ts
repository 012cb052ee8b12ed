/** With a simulated registry, names are registered only there, and resolvers know nothing of them. */
export const SANDBOX_HEALTH =
  'The registry is simulated, but these checks query public DNS, which does not know sandbox domains: expect problems and unknown results in the checks of delegation, nameservers and resolution.';
