import type { Pod } from '../../../../objects/index.ts';
import { since } from './human-duration.ts';
import { type PodSummary, summarise } from './pod-status.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, type Printer, printerFor } from './printer.ts';

const wide = { wide: true };

export const podPrinter: Printer = printerFor<Pod>(
  [
    nameColumn,
    column('Ready', 'Containers that are ready, of all containers.'),
    column('Status', 'What the Pod does, computed from its phase and its containers.'),
    column('Restarts', 'How often containers were restarted, and when the last one was.'),
    ageColumn,
    column('IP', 'Address of the Pod.', wide),
    column('Node', 'Node the Pod is bound to.', wide),
    column('Nominated Node', 'Node on which Pods are preempted for this one.', wide),
    column('Readiness Gates', 'Readiness gates that are true, of all gates.', wide),
  ],
  (pod, nowMs) => {
    const summary = summarise(pod);
    return [
      nameCell(pod),
      `${summary.ready}/${summary.total}`,
      summary.status,
      restarts(summary, nowMs),
      ageCell(pod, nowMs),
      orNone(pod.status?.podIPs?.[0]?.ip),
      orNone(pod.spec.nodeName),
      orNone(pod.status?.nominatedNodeName),
      readinessGates(pod),
    ];
  },
);

const restarts = ({ restarts: count, lastRestart }: PodSummary, nowMs: number): string =>
  count > 0 && lastRestart !== undefined ? `${count} (${since(lastRestart, nowMs)} ago)` : String(count);

const readinessGates = (pod: Pod): string => {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter((gate) =>
    pod.status?.conditions?.some((condition) => condition.type === gate.conditionType && condition.status === 'True'),
  );
  return `${open.length}/${gates.length}`;
};
