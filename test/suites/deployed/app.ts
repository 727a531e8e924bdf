// The CDK app of the suites that deploy. Its stack is an issuer or, if the settings name an issuer, a stage
// that trusts the issuer.
import { App } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { bundleInto } from '../../../infra/bundle.ts';
import { PlantStoreStack } from '../../../infra/plant-store-stack.ts';
import { stageNamed } from '../../../infra/stages.ts';
import { jwksPath } from '../../../local/issuer/issuer-server.ts';
import { audience, deploymentSettings, stacksOf } from './deployment-settings.ts';
import { IssuerStack } from './issuer-stack.ts';

const settings = deploymentSettings.parse(JSON.parse(process.env['DEPLOYMENT'] ?? '{}'));
const { issuer, emulator } = settings;
const stacks = stacksOf(settings.stage);

// Files of the assets must be readable for Lambda, also if the umask of the user is stricter.
process.umask(0o022);
const app = new App({ context: CURRENTLY_RECOMMENDED_FLAGS });
if (issuer === undefined) new IssuerStack(app, stacks.issuer, settings.jwks);
else {
  const tokens = {
    profile: 'rfc9068',
    issuer,
    jwksUri: `${issuer}${jwksPath}`,
    audience,
    algorithms: ['EdDSA'],
    groupsClaim: 'groups',
  } as const;
  const stage = { ...stageNamed(settings.stage), tokens, storeEndpoint: emulator };
  const bundle = bundleInto(settings.bundles, stage.sourceMaps === true);
  new PlantStoreStack(app, stacks.service, { stage, bundle, commit: 'unknown' });
}
