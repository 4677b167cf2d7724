export { decide } from './decide.ts';
export { type PodGroup, type PodGroupsView, podGroupCrd } from './gang/pod-group.ts';
export { type Marker, type MarkerReading, readMarker } from './inplace/marker.ts';
export { seePod } from './inplace/sightings.ts';
export { heldByStranger } from './refusal.ts';
export type * from './types.ts';
