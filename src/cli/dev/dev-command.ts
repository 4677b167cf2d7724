import type { ModelServing } from '../../api/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { Files, Platform, Signals } from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { applyManifests, isModelServing, parseManifests } from './apply-manifests.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type LiveView, openLiveView, WaitTimeoutError } from './live-view.ts';
import { isRolledOut } from './rolled-out.ts';
import type { Screen } from './screen.ts';
import { tellStory } from './story.ts';

export interface DevOptions {
  /** Manifests to apply instead of the demonstration. */
  readonly file: string | undefined;
  readonly port: number | undefined;
  /** How long each step may take, seconds. */
  readonly timeout: number;
}

export interface DevParts {
  readonly platform: Platform;
  readonly files: Files;
  readonly signals: Signals;
  readonly screen: Screen;
  readonly kubeconfigPath: string;
  /** The manifest of the demonstration. */
  readonly examplePath: string;
}

const namespace = 'default';

/**
 * `modelserving dev`: the embedded cluster with the operator in it. Shows the main job, or brings up the manifests of a
 * user; in a terminal it then stays until Ctrl-C, otherwise it ends. Throws a CliError for whatever a person must fix.
 */
export const runDev = async (options: DevOptions, parts: DevParts): Promise<void> => {
  const { screen, files } = parts;
  const path = options.file ?? parts.examplePath;
  const objects = parseManifests(path, await readManifests(files, path));
  screen.say('Starting the embedded cluster: API server, scheduler, 4 nodes, garbage collector; and the operator ...');
  const environment = await startEnvironment({ ...parts, port: options.port });
  const ended = untilEnd(parts.signals);
  const views: LiveView[] = [];
  const openView: Run['openView'] = async (place) => {
    const view = await openLiveView({ client: environment.client, platform: parts.platform, screen, ...place });
    views.push(view);
    return view;
  };
  try {
    screen.say(`  API server ${environment.server}, kubeconfig ${parts.kubeconfigPath}`);
    const main =
      options.file === undefined
        ? demonstrate(options, { parts, environment, objects, openView })
        : bringUp(options, { parts, environment, objects, openView });
    if ((await Promise.race([main.then(() => 'done'), ended])) === 'done' && screen.isTerminal) {
      sayWhatToTry(parts);
      await ended;
    }
    screen.settle();
    if (screen.isTerminal) screen.say('\nStopped; nothing is left behind.');
  } finally {
    // A view that still watches would try the closed API server again and again, and the process would never end.
    for (const view of views) view.stop();
    await environment.stop();
  }
};

interface Run {
  readonly parts: DevParts;
  readonly environment: Environment;
  readonly objects: readonly KubeObject[];
  /** Shows a ModelServing on the screen until the end. */
  readonly openView: (place: { readonly namespace: string; readonly name: string }) => Promise<LiveView>;
}

const demonstrate = async (options: DevOptions, { parts, environment, objects, openView }: Run): Promise<void> => {
  const [applied] = (await applyManifests(environment.client, objects, namespace)).filter(isModelServing);
  const name = applied?.ref.name ?? '';
  const { screen } = parts;
  const { client, cluster } = environment;
  const view = await openView({ namespace, name });
  await tellStory({ client, cluster, screen, view, namespace, name, timeoutMs: options.timeout * 1000 });
};

/** A user's own manifests: applied, and shown until every ModelServing among them is rolled out. */
const bringUp = async (options: DevOptions, { parts, environment, objects, openView }: Run): Promise<void> => {
  const { screen } = parts;
  const { client } = environment;
  const applied = await applyManifests(client, objects, namespace);
  for (const { kind, ref } of applied) screen.say(`  applied ${kind} ${ref.name}`);
  for (const { ref } of applied.filter(isModelServing)) {
    screen.settle();
    screen.say();
    screen.say(`> waiting until ModelServing ${ref.name} is Ready`);
    const view = await openView({ namespace: ref.namespace ?? namespace, name: ref.name });
    await untilReady(options, { view, screen, modelServing: ref.name });
  }
};

interface Readiness {
  readonly view: LiveView;
  readonly screen: Screen;
  readonly modelServing: string;
}

/** In a terminal one may watch and wait for ever; without one, a sentence and a failure are of more use. */
const untilReady = async (options: DevOptions, { view, screen, modelServing }: Readiness): Promise<void> => {
  const timeoutMs = screen.isTerminal ? 2 ** 31 : options.timeout * 1000;
  const ready = (): boolean => isReadyNow(view.modelServing());
  try {
    await view.until(ready, timeoutMs);
  } catch (cause) {
    if (!(cause instanceof WaitTimeoutError)) throw cause;
    throw new CliError(`${modelServing} is not Ready after ${options.timeout} s: ${cause.message}`, { cause });
  }
  screen.settle();
  screen.say(`  ModelServing ${modelServing} is Ready`);
};

const isReadyNow = (modelServing: ModelServing | undefined): boolean =>
  isRolledOut(modelServing) ||
  modelServing?.status?.conditions?.some(({ type, status }) => type === 'Available' && status === 'True') === true;

const readManifests = async (files: Files, path: string): Promise<string> => {
  try {
    return new TextDecoder().decode(await files.read(path));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new CliError(`Cannot read ${path} (${code}); give the path of a YAML file with --file.`, { cause });
  }
};

const untilEnd = (signals: Signals): Promise<'ended'> =>
  new Promise((resolve) => {
    const cancel = signals.onEnd(() => {
      cancel();
      resolve('ended');
    });
  });

/** A path as a shell takes it: quoted where it has a blank or another character of the shell's. */
const shellWord = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const sayWhatToTry = ({ screen, kubeconfigPath }: DevParts): void => {
  screen.settle();
  screen.say();
  screen.say('The cluster stays up. In another terminal:');
  screen.say();
  screen.say(`  export KUBECONFIG=${shellWord(kubeconfigPath)}`);
  screen.say('  kubectl get modelservings,pods -o wide');
  screen.say('  kubectl describe modelserving pd');
  screen.say('  kubectl scale modelserving pd --replicas=3');
  screen.say('  kubectl delete pod pd-0-decode-0-1            # its role instance is made again');
  screen.say('  kubectl edit modelserving pd                  # change an image: in place; an env variable: recreated');
  screen.say();
  screen.say('Ctrl-C ends it.');
};
