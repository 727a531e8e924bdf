// Posts the template of the stage `local` as JSON. The local service runs this file, bundled, in a worker.
// Rules, bundles, aspects and the assembly are left to `npm run synth`.
import { tmpdir } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { App, CfnResource } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { PlantStoreStack } from './plant-store-stack.ts';
import { checkStage } from './stage.ts';
import { local } from './stages.ts';

class LocalStack extends PlantStoreStack {
  template(): unknown {
    for (const each of this.node.findAll())
      if (CfnResource.isCfnResource(each)) each.addMetadata('place', placeOf(each));
    return this.resolve(this._toCloudFormation());
  }
}

/** Where a resource was created, for messages about it. CDK keeps the stack trace when `CDK_DEBUG` is set. */
const placeOf = ({ node }: CfnResource): string | undefined => {
  const trace = node.metadata.find(({ type }) => type === 'aws:cdk:creationStack');
  return /\/(infra\/(?!node_modules\/)[^\s:]+:\d+:\d+)/.exec(JSON.stringify(trace ?? {}))?.[1];
};

// Frames of aws-cdk-lib precede the first of this project.
Error.stackTraceLimit = 50;
const app = new App({
  // Required by CDK, which writes nothing into it here.
  outdir: tmpdir(),
  context: CURRENTLY_RECOMMENDED_FLAGS,
});
const bundle = () => Code.fromInline('The local service bundles the functions itself.');
const stack = new LocalStack(app, 'PlantStore-local', { stage: checkStage(local), bundle, commit: 'local' });
parentPort?.postMessage(JSON.stringify(stack.template()));
