import { Duration, Stack } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { functionOf, type ServiceApi } from './http-api.ts';
import type { PlantsTable } from './plants-table.ts';
import { type BundledFunctionProps, ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/** What the operations of a stack share. */
export interface Service {
  readonly stage: Stage;
  readonly api: ServiceApi;
  readonly authorizer: ServiceFunction;
  readonly table: PlantsTable;
  readonly accessLog: ILogGroup;
}

interface OperationProps
  extends
    Pick<BundledFunctionProps, 'folder' | 'description'>,
    Partial<Pick<BundledFunctionProps, 'memoryMb' | 'timeout'>> {
  readonly service: Service;
  /** As in openapi.yaml: method, space, path, such as `GET /plants/{name}`. */
  readonly route: `${HttpMethod} /${string}`;
  /** Expected of each new version for a caller without plants: status, and body or its `error`. */
  readonly withoutPlants: `200 ${string}` | `4${number} ${number}`;
  /** The name of the stack's output that holds the function's name. */
  readonly output: string;
}

/** The fastest size whose price per request is within a tenth of the lowest (bench/README.md, “Memory”). */
export const defaultMemoryMb = 1024;

/** An operation of the API: its route, and its function with alias, role and log. */
export class Operation extends ServiceFunction {
  readonly route: string;
  readonly output: string;

  constructor(scope: Construct, id: string, props: OperationProps) {
    const { stage, table, api } = props.service;
    const { region, urlSuffix } = Stack.of(scope);
    super(scope, id, {
      memoryMb: defaultMemoryMb,
      // Shorter than the gateway's 30 s, longer than three attempts of 2 s at the store.
      timeout: Duration.seconds(10),
      ...props,
      stage,
      check: { CHECK: 'operation', ROUTE: props.route, WITHOUT_PLANTS: props.withoutPlants },
      environment: {
        TABLE_NAME: table.tableName,
        // The host names of AWS differ between its partitions, such as that of China.
        AWS_ENDPOINT_URL_DYNAMODB: stage.storeEndpoint ?? `https://dynamodb.${region}.${urlSuffix}`,
      },
    });
    this.route = props.route;
    this.output = props.output;
    // table.grant would also grant the index, and grantReadData Scan, GetItem and the table's stream.
    this.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: [table.tableArn] }));
    const [method, path = ''] = props.route.split(' ');
    api.addRoutes({
      path,
      methods: Object.values(HttpMethod).filter((each) => each === method),
      integration: new HttpLambdaIntegration(`${id}Integration`, functionOf(this.live)),
    });
  }
}
