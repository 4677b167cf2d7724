import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['test/real/**', '**/node_modules/**'],
    reporters: ['default', './tools/closing-line-reporter.mjs'],
    testTimeout: 30_000,
    pool: 'forks',
  },
});

export default config;
