import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { jwksPath } from '../../../local/issuer/issuer-server.ts';

/** An HTTP API that publishes the key set of an issuer, so that functions on AWS can fetch it. */
export class IssuerStack extends Stack {
  constructor(app: App, id: string, jwks: string) {
    super(app, id, { description: 'The key set of tests of the Plant Store Service' });
    const api = new HttpApi(this, 'Api', { apiName: id });
    const keySet = new Function(this, 'KeySet', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      environment: { JWKS: jwks },
      code: Code.fromInline('exports.handler = async () => ({ statusCode: 200, body: process.env.JWKS });'),
    });
    api.addRoutes({
      path: jwksPath,
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration('KeySetIntegration', keySet),
    });
    new CfnOutput(this, 'BaseUrl', { value: api.apiEndpoint });
  }
}
