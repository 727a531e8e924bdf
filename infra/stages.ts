import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Stage } from './stage.ts';

/** Runs on a developer's machine; `npm start` puts its own addresses over the ones named here. */
const local: Stage = {
  name: 'local',
  // The machine's own, so that `sam local` can run the functions in containers.
  architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
  tokens: {
    profile: 'rfc9068',
    issuer: 'http://127.0.0.1:9000',
    jwksUri: 'http://127.0.0.1:9000/.well-known/jwks.json',
    audience: 'plant-store',
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    groupsClaim: 'groups',
  },
  authorizerCacheSeconds: 60,
  listPlants: { memoryMb: 512 },
  authorizer: { memoryMb: 256 },
  logRetentionDays: RetentionDays.ONE_DAY,
  throttle: { rateLimit: 1000, burstLimit: 1000 },
  corsOrigins: [],
  sourceMaps: true,
  data: 'disposable',
};

const dev: Stage = {
  ...local,
  name: 'dev',
  architecture: 'arm64',
  tokens: {
    ...local.tokens,
    issuer: 'https://login.dev.example.com/',
    jwksUri: 'https://login.dev.example.com/.well-known/jwks.json',
  },
  logRetentionDays: RetentionDays.ONE_WEEK,
  throttle: { rateLimit: 50, burstLimit: 100 },
};

const prod: Stage = {
  ...dev,
  name: 'prod',
  tokens: {
    ...dev.tokens,
    issuer: 'https://login.example.com/',
    jwksUri: 'https://login.example.com/.well-known/jwks.json',
  },
  logRetentionDays: RetentionDays.ONE_YEAR,
  throttle: { rateLimit: 1000, burstLimit: 2000 },
  sourceMaps: false,
  data: 'protected',
};

/** Every deployment of the service; each becomes a stack named `PlantStore-<name>`. */
export const stages: readonly Stage[] = [local, dev, prod];
