import type { Dependencies } from '../run-hook.ts';
import type { AwsClient } from './aws-client.ts';

/** Tells CodeDeploy a hook's result (AWS: “PutLifecycleEventHookExecutionStatus”, CodeDeploy API). */
export const reportStatus =
  (send: AwsClient, endpoint: string): Dependencies['report'] =>
  async ({ DeploymentId, LifecycleEventHookExecutionId }, status) => {
    await send({
      service: 'codedeploy',
      url: new URL(endpoint),
      headers: {
        'Content-Type': 'application/x-amz-json-1.1',
        'X-Amz-Target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
      },
      body: JSON.stringify({
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status,
      }),
    });
  };
