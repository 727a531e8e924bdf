import { CfnOutput, Duration } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type OperationDefinition, operationTimeoutSeconds } from './operations.ts';
import type { PlantStoreStack } from './plant-store-stack.ts';
import { ServiceFunction } from './service-function.ts';

/** An operation of the API: its route, and its function with alias, role and log. */
export class Operation extends ServiceFunction {
  readonly definition: OperationDefinition;

  constructor(stack: PlantStoreStack, definition: OperationDefinition) {
    const { stage, table, api, region, urlSuffix } = stack;
    const { id, route, folder, description, actions = ['dynamodb:Query'] } = definition;
    super(stack, id, folder, {
      description,
      // The fastest size at about the lowest price per request (docs/decisions.md, “Smaller decisions”).
      memorySize: 1024,
      timeout: Duration.seconds(operationTimeoutSeconds),
      environment: {
        TABLE_NAME: table.tableName,
        // The host names of AWS differ between its partitions, such as that of China.
        AWS_ENDPOINT_URL_DYNAMODB: stage.storeEndpoint ?? `https://dynamodb.${region}.${urlSuffix}`,
      },
    });
    this.definition = definition;
    new CfnOutput(stack, `${id}Function`, { value: this.functionName });
    // table.grant would also grant the index, and grantReadData Scan, GetItem and the table's stream.
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [table.tableArn] }));
    const [method, path = ''] = route.split(' ');
    api.addRoutes({
      path,
      methods: Object.values(HttpMethod).filter((each) => each === method),
      integration: new HttpLambdaIntegration(`${id}Integration`, this.live),
    });
  }
}
