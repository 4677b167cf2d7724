import { modelServingCrd } from '../../api/index.ts';
import { type Cluster, createCluster, type HttpsFront, openHttpsFront, writeKubeconfig } from '../../cluster/index.ts';
import { createClient, type KubeClient, resources, silentLog } from '../../kube/index.ts';
import { createOperator } from '../../operator/index.ts';
import {
  type Files,
  nodeTransport,
  type Platform,
  PortInUseError,
  sleep,
  type Transport,
} from '../../platform/index.ts';
import { decide, seePod } from '../../rollout/index.ts';
import { CliError } from '../cli-error.ts';
import { modelServingAdmission } from './admission.ts';
import { demoImages } from './demo-images.ts';
import { modelServings } from './live-view.ts';

/** An embedded cluster with the operator in it, reachable with kubectl. */
export interface Environment {
  readonly client: KubeClient;
  readonly server: string;
  readonly cluster: Cluster;
  stop(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly platform: Platform;
  readonly files: Files;
  readonly kubeconfigPath: string;
  /** This port and no other. Absent: 6443 or the next free one. */
  readonly port: number | undefined;
}

/**
 * Starts everything: API server, nodes, kubeconfig, CRD, operator. The operator and this program speak to the API
 * server over TLS like anybody else. Throws a CliError where the port is taken.
 */
export const startEnvironment = async (options: EnvironmentOptions): Promise<Environment> => {
  const { platform, files, kubeconfigPath } = options;
  const nodes = ['node-1', 'node-2', 'node-3', 'node-4'].map((name) => ({ name }));
  const cluster = createCluster({ platform, nodes, images: demoImages, podEvents: true, nodeHeartbeats: true });
  cluster.admission(modelServingAdmission);
  await cluster.start();
  const front = await openFront(options, cluster);
  const connection = { server: front.server, ca: front.authority.certificate, token: front.token };
  await writeKubeconfig(files, kubeconfigPath, {
    server: front.server,
    certificateAuthority: front.authority.certificate,
    user: { token: front.token },
  });
  const transports: Transport[] = [nodeTransport(connection), nodeTransport(connection)];
  const [ours, operators] = transports as [Transport, Transport];
  const client = createClient({ transport: ours, platform });
  await client.create(resources.customresourcedefinitions, modelServingCrd);
  await untilServed(client, platform);
  const operator = createOperator({ transport: operators, platform, log: silentLog, decide, seePod });
  await operator.start();
  return {
    client,
    server: front.server,
    cluster,
    stop: async () => {
      await operator.stop();
      await Promise.all(transports.map((transport) => transport.close()));
      await front.close();
      await cluster.stop();
      await files.remove(kubeconfigPath);
    },
  };
};

const openFront = async ({ platform, port }: EnvironmentOptions, cluster: Cluster): Promise<HttpsFront> => {
  try {
    return await openHttpsFront({ platform, connect: (user) => cluster.connect(user), port });
  } catch (cause) {
    if (!(cause instanceof PortInUseError)) throw cause;
    const tried = port === undefined ? 'Ports 6443 to 6462 are' : `Port ${port} is`;
    throw new CliError(`${tried} in use on this machine; choose another with --port.`, { cause });
  }
};

/** A CRD is served a moment after it is created. */
const untilServed = async (client: KubeClient, platform: Platform): Promise<void> => {
  for (;;) {
    const crd = await client.get(resources.customresourcedefinitions, {
      name: `${modelServings.plural}.${modelServings.group}`,
    });
    if (crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    await sleep(platform, 20);
  }
};
