import { z } from 'zod';

/** What `cdk deploy` gets from a suite, as JSON in the variable DEPLOYMENT. */
export const deploymentSettings = z.object({
  /** The name of a personal stage, such as `dev-contract-3f9a2b`. */
  stage: z.string(),
  jwks: z.string(),
  /** The address of the deployed issuer; undefined: the issuer is to be deployed. */
  issuer: z.string().optional(),
  /** The address of an emulator; undefined: AWS. */
  emulator: z.string().optional(),
  /** The folder for the bundles of the functions. */
  bundles: z.string(),
});

/** The names of the stacks of a stage. */
export const stacksOf = (stage: string): Readonly<Record<'issuer' | 'service', string>> => ({
  issuer: `PlantStoreIssuer-${stage}`,
  service: `PlantStore-${stage}`,
});

/** The `aud` that the stage requires. */
export const audience = 'plant-store';
