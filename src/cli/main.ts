#!/usr/bin/env node
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { nodeFiles, nodePlatform, nodeSignals } from '../platform/index.ts';
import { CliError } from './cli-error.ts';
import { type DevOptions, runDev } from './dev/dev-command.ts';
import { openScreen } from './dev/screen.ts';
import { addOperatorCommand } from './operator-command.ts';
import { addSimulateCommand } from './simulate-command.ts';

const program = new Command('modelserving').description(
  'Kubernetes operator for ModelServing, and the tools around it',
);

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('a port is 1 to 65535.');
  return port;
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number of seconds above 0 is needed.');
  return value;
};

program
  .command('dev')
  .description('start the embedded cluster with the operator in it, and show an in-place rollout')
  .option('-f, --file <path>', 'apply these manifests instead of the demonstration')
  .option('--port <number>', 'port of the API server (default: 6443 or the next free one)', portNumber)
  .option('--timeout <seconds>', 'how long each step may take', seconds, 120)
  .action((options: DevOptions) =>
    runDev(
      { file: options.file, port: options.port, timeout: options.timeout },
      {
        platform: nodePlatform(),
        files: nodeFiles(),
        signals: nodeSignals(),
        screen: openScreen({
          isTerminal: process.stdout.isTTY === true,
          columns: () => process.stdout.columns || 120,
          write: (text) => process.stdout.write(text),
        }),
        kubeconfigPath: resolve('.modelserving', 'kubeconfig'),
        examplePath: fileURLToPath(new URL('../../examples/pd-disaggregation.yaml', import.meta.url)),
      },
    ),
  );

addOperatorCommand(program);
addSimulateCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CliError) {
    console.error(error.message);
    process.exitCode = error.exitCode;
  } else {
    console.error('This is a fault of modelserving, please report it:', error);
    process.exitCode = 70;
  }
}
