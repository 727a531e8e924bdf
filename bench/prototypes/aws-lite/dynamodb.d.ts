declare module '@aws-lite/dynamodb';
