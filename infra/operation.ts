import { Duration, Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { functionOf, type ServiceApi } from './http-api.ts';
import { type OperationDefinition, operationTimeoutSeconds } from './operations.ts';
import type { PlantsTable } from './plants-table.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/** What the operations of a stack share. */
export interface Service {
  readonly stage: Stage;
  readonly api: ServiceApi;
  readonly authorizer: ServiceFunction;
  readonly table: PlantsTable;
  readonly accessLog: ILogGroup;
}

/** The fastest size whose price per request is within a tenth of the lowest (bench/README.md, “Memory”). */
export const defaultMemoryMb = 1024;

/** An operation of the API: its route, and its function with alias, role and log. */
export class Operation extends ServiceFunction {
  readonly route: string;
  readonly output: string;

  constructor(scope: Construct, { stage, table, api }: Service, definition: OperationDefinition) {
    const { id, route, folder, description, withoutPlants, output } = definition;
    const { region, urlSuffix } = Stack.of(scope);
    super(scope, id, {
      stage,
      folder,
      description,
      memoryMb: defaultMemoryMb,
      timeout: Duration.seconds(operationTimeoutSeconds),
      check: { CHECK: 'operation', ROUTE: route, WITHOUT_PLANTS: withoutPlants },
      environment: {
        TABLE_NAME: table.tableName,
        // The host names of AWS differ between its partitions, such as that of China.
        AWS_ENDPOINT_URL_DYNAMODB: stage.storeEndpoint ?? `https://dynamodb.${region}.${urlSuffix}`,
      },
    });
    this.route = route;
    this.output = output;
    // table.grant would also grant the index, and grantReadData Scan, GetItem and the table's stream.
    this.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: [table.tableArn] }));
    const [method, path = ''] = route.split(' ');
    api.addRoutes({
      path,
      methods: Object.values(HttpMethod).filter((each) => each === method),
      integration: new HttpLambdaIntegration(`${id}Integration`, functionOf(this.live)),
    });
  }
}
