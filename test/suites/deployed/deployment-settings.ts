import { z } from 'zod';

/** The settings that a suite passes to the CDK app as JSON in the variable DEPLOYMENT. */
export const deploymentSettings = z.object({
  /** The name of a personal stage, such as `dev-contract-3f9a2b`. */
  stage: z.string(),
  /** The key set of the issuer, as JSON. */
  jwks: z.string(),
  /** The URL of the deployed issuer; undefined if the app is to deploy the issuer. */
  issuer: z.string().optional(),
  /** The URL of an emulator; undefined for AWS. */
  emulator: z.string().optional(),
  /** The folder for the bundles of the functions. */
  bundles: z.string(),
});

/** The names of the stacks of a stage. */
export const stacksOf = (stage: string): Readonly<Record<'issuer' | 'service', string>> => ({
  issuer: `PlantStoreIssuer-${stage}`,
  service: `PlantStore-${stage}`,
});

/** The claim `aud` that the stage requires in tokens. */
export const audience = 'plant-store';
