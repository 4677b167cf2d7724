import type { Pod } from '../../objects/index.ts';
import type { TransportRequest } from '../../platform/index.ts';
import type { Disturbance } from '../disturbance.ts';
import { pluralOf } from '../link.ts';
import type { NetworkFault, NodeFault, ProcessFault } from '../plan/plan.ts';
import { operatorUser, type World } from '../world.ts';

export interface Stage {
  readonly world: World;
  /** In order of their names. */
  pods(): readonly Pod[];
  /** Runs later, unless everything has healed before. */
  later(ms: number, run: () => void): void;
  /** Runs when everything heals. */
  onHeal(run: () => void): void;
  /** How long the operator stays away when it dies next. */
  downFor(ms: number): void;
}

const isWrite = ({ method }: TransportRequest): boolean => method !== 'GET';

export const performNetworkFault = ({ world, later, onHeal }: Stage, fault: NetworkFault): void => {
  const { faults, cluster } = world;
  const disturb = (matches: (request: TransportRequest) => boolean, disturbance: Disturbance, times: number): void =>
    onHeal(faults.add({ matches, disturbance, times }));
  const links = () => [...world.operators.values()].map(({ link }) => link);
  switch (fault.kind) {
    case 'refuse': {
      const { method, plural, code } = fault;
      const isMeant = (request: TransportRequest): boolean =>
        request.method === method && request.purpose === 'request' && pluralOf(request.path) === plural;
      disturb(isMeant, { kind: 'refuse', code, ...refusalOf(code) }, fault.times);
      return;
    }
    case 'lose-request':
      disturb(isWrite, { kind: 'lose-request' }, fault.times);
      return;
    case 'lose-reply':
      disturb(isWrite, { kind: 'lose-reply' }, fault.times);
      return;
    case 'hang':
      disturb(isWrite, { kind: 'hang' }, fault.times);
      return;
    case 'slow-request':
      disturb(isWrite, { kind: 'slow-request', byMs: fault.byMs }, fault.times);
      return;
    case 'close-watches':
      for (const link of links()) link.closeWatches(fault.plural);
      return;
    case 'compact':
      cluster.faults.compact();
      return;
    case 'lag-watches': {
      const cancel = cluster.faults.onRequest(({ isWatch, resource, userName }) =>
        isWatch && resource === fault.plural && userName === operatorUser
          ? { fault: 'lag-watch', ms: fault.byMs, coalesce: fault.coalesce }
          : undefined,
      );
      onHeal(() => {
        cancel();
        for (const link of links()) link.closeWatches(fault.plural);
      });
      for (const link of links()) link.closeWatches(fault.plural);
      return;
    }
    case 'stall-watches': {
      const resume = (): void => {
        for (const link of links()) link.resumeWatches();
      };
      onHeal(resume);
      later(fault.forMs, resume);
      for (const link of links()) link.stallWatches(fault.plural);
      return;
    }
  }
};

interface Refusal {
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const refusalOf = (code: number): Refusal => refusals[code] ?? { reason: 'Unknown', message: 'refused' };

const refusals: Readonly<Record<number, Refusal>> = {
  403: { reason: 'Forbidden', message: 'forbidden by a policy' },
  409: { reason: 'Conflict', message: 'the object has been modified; please apply your changes to the latest version' },
  422: { reason: 'Invalid', message: 'refused by a webhook' },
  429: { reason: 'TooManyRequests', message: 'too many requests', retryAfterSeconds: 1 },
  500: { reason: 'InternalError', message: 'an internal error' },
  503: { reason: 'ServiceUnavailable', message: 'the server is unavailable' },
};

export const performProcessFault = (stage: Stage, fault: ProcessFault): void => {
  const { world, later, onHeal } = stage;
  switch (fault.kind) {
    case 'crash':
      stage.downFor(fault.downMs);
      world.killOperator({ write: fault.write, at: fault.moment });
      return;
    case 'kill':
      stage.downFor(fault.downMs);
      world.killOperator();
      return;
    case 'freeze': {
      const { process } = world.operator();
      process.pause();
      onHeal(process.resume);
      later(fault.forMs, process.resume);
      return;
    }
    case 'second-operator': {
      if (world.operators.get('second')?.process.isAlive() === true) return;
      const second = world.startOperator('second');
      onHeal(second.kill);
      later(fault.forMs, second.kill);
      return;
    }
    case 'clock-jump':
      world.machine.jumpWall(fault.byMs);
      return;
  }
};

export const performNodeFault = ({ world, pods, later, onHeal }: Stage, fault: NodeFault): void => {
  const { nodes } = world.cluster;
  const chosen = (pick: number): Pod | undefined => pods()[Math.floor(pick * pods().length)];
  switch (fault.kind) {
    case 'kill-container':
      withPod(chosen(fault.pick), (pod) => nodes.kill(pod, 'c', { code: fault.code }));
      return;
    case 'lose-container':
      withPod(chosen(fault.pick), (pod) => nodes.lose(pod, 'c'));
      return;
    case 'unready':
      withPod(chosen(fault.pick), (pod) => {
        const end = (): void => nodes.setReady(pod, 'c', undefined);
        nodes.setReady(pod, 'c', false);
        onHeal(end);
        later(fault.forMs, end);
      });
      return;
    case 'pause-kubelet':
      forAWhile(
        () => nodes.pause(nodeName(fault.node)),
        () => nodes.resume(nodeName(fault.node)),
        fault.forMs,
      );
      return;
    case 'mute-kubelet':
      forAWhile(
        () => nodes.mute(nodeName(fault.node), true),
        () => nodes.mute(nodeName(fault.node), false),
        fault.forMs,
      );
      return;
    case 'restart-kubelet':
      nodes.restartKubelet(nodeName(fault.node));
      return;
    case 'reboot':
      nodes.reboot(nodeName(fault.node));
      return;
  }

  function forAWhile(begin: () => void, end: () => void, ms: number): void {
    begin();
    onHeal(end);
    later(ms, end);
  }
};

const nodeName = (index: number): string => `node-${index}`;

const withPod = (pod: Pod | undefined, act: (pod: Pod) => void): void => {
  if (pod !== undefined) act(pod);
};
