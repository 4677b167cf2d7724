export { seededRandom, seedOf } from './seeded-random.ts';
export {
  createVirtualPlatform,
  type VirtualPlatform,
  type VirtualPlatformOptions,
  type VirtualProcess,
} from './virtual-platform.ts';
