import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Bundle } from './bundle.ts';
import type { ServiceApi } from './http-api.ts';
import { type OperationDefinition, operationTimeoutSeconds } from './operations.ts';
import { ServiceFunction } from './service-function.ts';
import type { IssuedTokens, Stage } from './stage.ts';

/** A stage's service. */
export interface Service {
  readonly stage: Stage;
  readonly bundle: Bundle;
  readonly table: ITable;
  readonly tokens: IssuedTokens;
  readonly authorizer: ServiceFunction;
  readonly api: ServiceApi;
  readonly operations: readonly Operation[];
}

/** An operation of the API: its route, and its function with alias, role and log. */
export class Operation extends ServiceFunction {
  readonly definition: OperationDefinition;

  constructor(scope: Construct, definition: OperationDefinition, service: Omit<Service, 'operations'>) {
    const { stage, bundle, table, api } = service;
    const { id, route, folder, description, actions = ['dynamodb:Query'] } = definition;
    const { region, urlSuffix } = Stack.of(scope);
    super(scope, id, {
      stage,
      code: bundle(folder),
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
    new CfnOutput(scope, `${id}Function`, { value: this.functionName });
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
