// npm run control-plane [-- up|down|build|check|hold] [--state FOLDER] [--without-node]
import { parseArgs } from 'node:util';
import { type Bed, defaultFolder, kubeconfigOf, newBed, program, readBed } from './bed.ts';
import { binaryFolder, buildBinary } from './binary.ts';
import { takeDown } from './down.ts';
import { startNode } from './node.ts';
import { startPlane } from './plane.ts';
import { missingForNode, missingToBuild } from './requirements.ts';

const say = (text: string): void => {
  process.stderr.write(`control plane: ${text}\n`);
};

const usage = `usage: npm run control-plane [-- up | down | build | check | hold] [--state FOLDER] [--without-node]

  up      start etcd, API server, controller manager, scheduler and one real node (the default)
  down    end them and remove all that they left on the machine
  build   only make the binary, in ${binaryFolder()}
  check   print what this machine lacks for it, and fail where it lacks anything
  hold    as up, then down again when the standard input ends or a signal comes (for tests)
`;

const up = async (folder: string, withNode: boolean): Promise<Bed> => {
  const missing = withNode ? missingForNode() : [];
  if (missing.length > 0) throw new Error(`${missing.join('; ')}; --without-node starts the control plane alone`);
  await buildBinary(say);
  const bed = await newBed(folder);
  try {
    say('starting etcd, kube-apiserver, kube-controller-manager and kube-scheduler');
    await startPlane(bed);
    if (withNode) {
      say('starting containerd and a kubelet');
      await startNode(bed);
    }
    return bed;
  } catch (error) {
    await takeDown(bed);
    throw error;
  }
};

/** Resolves when the standard input ends or a signal asks for the end: the caller may be killed and still nothing stays. */
const askedToEnd = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.on('end', resolve).on('error', () => resolve());
    process.stdin.resume();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      state: { type: 'string', default: defaultFolder() },
      'without-node': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [verb = 'up'] = positionals;
  const withNode = !values['without-node'];
  if (values.help || !['up', 'down', 'build', 'check', 'hold'].includes(verb)) {
    process.stdout.write(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  if (verb === 'check') {
    const missing = [...(await missingToBuild()), ...(withNode ? missingForNode() : [])];
    if (missing.length > 0) {
      process.stdout.write(`${missing.join('; ')}\n`);
      process.exitCode = 1;
    }
    return;
  }
  if (verb === 'build') {
    await buildBinary(say);
    say(`the binary is in ${binaryFolder()}`);
    return;
  }
  if (verb === 'down') {
    const bed = readBed(values.state);
    if (bed !== undefined) await takeDown(bed);
    say(bed === undefined ? 'nothing runs' : 'ended');
    return;
  }
  const ending = verb === 'hold' ? askedToEnd() : undefined;
  const bed = await up(values.state, withNode);
  if (ending === undefined) {
    say('ready; try');
    process.stdout.write(`export KUBECONFIG=${kubeconfigOf(bed, 'admin')}\n${program('kubectl')} get nodes\n`);
    return;
  }
  process.stdout.write('ready\n');
  await ending;
  await takeDown(bed);
};

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
