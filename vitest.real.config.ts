import { defineConfig, type ViteUserConfig } from 'vitest/config';

// Tests against a real control plane and a real node: `npm run test:real`. One bed for all of them, one file at a time.
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    globalSetup: ['test/real/setup.ts'],
    reporters: ['default', './tools/closing-line-reporter.mjs'],
    fileParallelism: false,
    // Containers take real time to die: a grace period of half a minute is part of some of these tests.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
});

export default config;
