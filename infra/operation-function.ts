import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ServiceApi } from './http-api.ts';
import { defaultActions, type OperationDefinition } from './operation-definition.ts';
import { type FunctionSettings, ServiceFunction } from './service-function.ts';
import { operationTimeoutSeconds } from './timeouts.ts';

interface OperationFunctionProps extends FunctionSettings {
  readonly definition: OperationDefinition;
  readonly table: ITableV2;
  readonly api: ServiceApi;
}

/** The function of an operation, with its alias, role and log, and the API's route to it. */
export class OperationFunction extends ServiceFunction {
  readonly definition: OperationDefinition;

  constructor(stack: Stack, { definition, table, api, ...settings }: OperationFunctionProps) {
    const { id, route, folder, description, actions = defaultActions } = definition;
    super(stack, id, {
      ...settings,
      folder,
      description,
      // The fastest size at about the lowest price per request (docs/decisions.md, “Smaller decisions”).
      memorySize: 1024,
      timeout: Duration.seconds(operationTimeoutSeconds),
      environment: {
        TABLE_NAME: table.tableName,
        // The stack knows the host name, which differs between AWS's partitions, such as China's.
        AWS_ENDPOINT_URL_DYNAMODB:
          settings.stage.storeEndpoint ?? `https://dynamodb.${stack.region}.${stack.urlSuffix}`,
      },
    });
    this.definition = definition;
    new CfnOutput(stack, `${id}Function`, { value: this.functionName });
    // Narrower than `table.grant`, which also allows the actions on the index, and than
    // `table.grantReadData`, which also allows Scan, GetItem and reading the stream.
    this.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [table.tableArn] }));
    const [method, path = ''] = route.split(' ');
    api.addRoutes({
      path,
      methods: Object.values(HttpMethod).filter((known) => known === method),
      integration: new HttpLambdaIntegration(`${id}Integration`, this.live),
    });
  }
}
