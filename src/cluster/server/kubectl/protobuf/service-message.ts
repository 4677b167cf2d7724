import type { Message } from './message.ts';
import { condition, objectMeta } from './meta-messages.ts';

const servicePort: Message = {
  name: [1, 'string'],
  protocol: [2, 'string'],
  port: [3, 'integer'],
  targetPort: [4, 'intOrString'],
  nodePort: [5, 'integer'],
  appProtocol: [6, 'string?'],
};

const serviceSpec: Message = {
  ports: [1, { list: { message: servicePort } }],
  selector: [2, { map: 'string' }],
  clusterIP: [3, 'string'],
  type: [4, 'string'],
  externalIPs: [5, { list: 'string' }],
  sessionAffinity: [7, 'string'],
  loadBalancerIP: [8, 'string'],
  loadBalancerSourceRanges: [9, { list: 'string' }],
  externalName: [10, 'string'],
  externalTrafficPolicy: [11, 'string'],
  healthCheckNodePort: [12, 'integer'],
  publishNotReadyAddresses: [13, 'boolean'],
  sessionAffinityConfig: [14, { message: { clientIP: [1, { message: { timeoutSeconds: [1, 'integer?'] } }] } }],
  ipFamilyPolicy: [17, 'string?'],
  clusterIPs: [18, { list: 'string' }],
  ipFamilies: [19, { list: 'string' }],
  allocateLoadBalancerNodePorts: [20, 'boolean?'],
  loadBalancerClass: [21, 'string?'],
  internalTrafficPolicy: [22, 'string?'],
  trafficDistribution: [23, 'string?'],
};

const ingress: Message = {
  ip: [1, 'string'],
  hostname: [2, 'string'],
  ipMode: [3, 'string?'],
  ports: [4, { list: { message: { port: [1, 'integer'], protocol: [2, 'string'], error: [3, 'string?'] } } }],
};

/** core/v1 Service, the one large message among those that kubectl's generators send. */
export const service: Message = {
  metadata: [1, { message: objectMeta }],
  spec: [2, { message: serviceSpec }],
  status: [
    3,
    {
      message: {
        loadBalancer: [1, { message: { ingress: [1, { list: { message: ingress } }] } }],
        conditions: [2, { list: { message: condition } }],
      },
    },
  ],
};
