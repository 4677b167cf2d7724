import type { Event, EventsEvent } from '../../../../objects/index.ts';
import { since } from './human-duration.ts';
import { type Cell, column, nameCell, nameColumn, type Printer, printerFor } from './printer.ts';

const wide = { wide: true };

const columns = [
  column('Last Seen', 'Time since the event was last seen.'),
  column('Type', 'Normal or Warning.'),
  column('Reason', 'Why the event was raised, in one word.'),
  column('Object', 'What the event is about.'),
  column('Subobject', 'Part of the object the event is about.', wide),
  column('Source', 'Who reported the event.', wide),
  column('Message', 'What happened.'),
  column('First Seen', 'Time since the event was first seen.', wide),
  column('Count', 'How often it was seen.', wide),
  { ...nameColumn, priority: 1 },
];

const cells = (event: Event, nowMs: number): readonly Cell[] => {
  const first = since(event.firstTimestamp ?? event.eventTime, nowMs);
  const last = event.series?.lastObservedTime ?? event.lastTimestamp;
  const { kind = '', name, fieldPath = '' } = event.involvedObject;
  return [
    last ? since(last, nowMs) : first,
    event.type ?? '',
    event.reason ?? '',
    name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
    fieldPath,
    reporter(event),
    (event.message ?? '').trim(),
    first,
    // An event that was seen once has no count in events.k8s.io.
    event.series?.count ?? (event.count || 1),
    nameCell(event),
  ];
};

export const eventPrinter: Printer = printerFor<Event>(columns, cells);

/** The same events seen through events.k8s.io, which has other names for the old fields. */
export const newEventPrinter: Printer = printerFor<EventsEvent>(columns, (event, nowMs) =>
  cells(
    {
      ...event,
      involvedObject: event.regarding ?? {},
      message: event.note,
      count: event.deprecatedCount,
      firstTimestamp: event.deprecatedFirstTimestamp,
      lastTimestamp: event.deprecatedLastTimestamp,
      source: event.deprecatedSource,
      reportingComponent: event.reportingController,
    },
    nowMs,
  ),
);

const reporter = ({ source, reportingComponent, reportingInstance }: Event): string => {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance || '';
  return instance === '' ? component : `${component}, ${instance}`;
};
