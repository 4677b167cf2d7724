import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { modelServingResource } from '../api/index.ts';
import { type Connection, connect, createClient, isApiError, KubeconfigError, loadConnection } from '../kube/index.ts';
import { createLog, createOperator, type LogLevel } from '../operator/index.ts';
import {
  nodeFiles,
  nodePlatform,
  nodeSignals,
  nodeTransport,
  type Platform,
  type Transport,
} from '../platform/index.ts';
import { decide, seePod } from '../rollout/index.ts';
import { CliError } from './cli-error.ts';

interface OperatorCommandOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly workers: number;
  readonly logFormat: 'json' | 'text';
  readonly logLevel: LogLevel;
}

/** `modelserving operator`: the operator as a process of its own, in a Pod or from a kubeconfig. */
export const addOperatorCommand = (program: Command): void => {
  program
    .command('operator')
    .description('run the operator against a cluster, until SIGTERM or Ctrl-C')
    .option(
      '--kubeconfig <path>',
      'kubeconfig (default: KUBECONFIG, then the service account of this Pod, then ~/.kube/config)',
    )
    .option('--context <name>', 'context of the kubeconfig, instead of its current one')
    .option('--namespace <name>', 'serve this namespace alone (default: all)')
    .option('--workers <count>', 'ModelServings handled at the same time', positive, 5)
    .addOption(
      new Option('--log-format <format>', 'json for a cluster, text for a person')
        .choices(['json', 'text'])
        .default('json'),
    )
    .addOption(
      new Option('--log-level <level>', 'least severe level logged')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .action(runOperator);
};

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 is needed.');
  return value;
};

const runOperator = async (options: OperatorCommandOptions): Promise<void> => {
  const platform = nodePlatform();
  const connection = await findConnection(options, platform);
  const transport = connect(connection, nodeTransport);
  await checkCluster({ transport, platform, connection });
  const log = createLog({
    format: options.logFormat,
    level: options.logLevel,
    clock: platform.clock,
    write: (line) => process.stdout.write(line),
  });
  const operator = createOperator({
    transport,
    platform,
    log,
    decide,
    seePod,
    options: { namespace: options.namespace, concurrency: options.workers },
  });
  const ended = new Promise<void>((resolve) => {
    const cancel = nodeSignals().onEnd((signal) => {
      log.info({ signal }, 'ending');
      cancel();
      resolve();
    });
  });
  await Promise.race([operator.start(), ended]);
  await ended;
  await operator.stop();
  await transport.close();
};

const findConnection = async (options: OperatorCommandOptions, platform: Platform): Promise<Connection> => {
  try {
    return await loadConnection({
      files: nodeFiles(),
      env: process.env,
      clock: platform.clock,
      kubeconfig: options.kubeconfig,
      context: options.context,
    });
  } catch (cause) {
    if (cause instanceof KubeconfigError) throw new CliError(cause.message, { cause });
    throw cause;
  }
};

interface ClusterCheck {
  readonly transport: Transport;
  readonly platform: Platform;
  readonly connection: Connection;
}

/** Says at once what would otherwise only show as silence: no API server there, no right to it, no CRD in it. */
const checkCluster = async ({ transport, platform, connection }: ClusterCheck): Promise<void> => {
  const client = createClient({ transport, platform });
  const { server } = connection.settings;
  try {
    await client.list(modelServingResource, { limit: 1 });
  } catch (cause) {
    if (!isApiError(cause)) throw cause;
    await transport.close();
    const source = `(${connection.source})`;
    if (cause.code === 'not-found') {
      throw new CliError(
        `${server} ${source} does not know ModelServing; install charts/modelserving/crds first: kubectl apply -f charts/modelserving/crds`,
        { cause },
      );
    }
    throw new CliError(`Cannot work with ${server} ${source}: ${cause.message}`, { cause });
  }
};
