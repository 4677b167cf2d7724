import { type ApiError, createClient, isApiError, type KubeClient } from '../../src/kube/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../../src/simulation/index.ts';
import { createScriptedTransport, type ScriptedTransport } from './scripted-transport.ts';

/** A client in virtual time whose server is the test. */
export interface ClientBench {
  readonly machine: VirtualPlatform;
  readonly server: ScriptedTransport;
  readonly client: KubeClient;
  /** Answers the newest request and waits for what comes out of it. */
  answered<T>(work: Promise<T>, status: number, body: unknown): Promise<T>;
  /** The error that the work rejects with. Throws where it does not fail, or with another kind of error. */
  failed(work: Promise<unknown>): Promise<ApiError>;
}

export const createClientBench = (): ClientBench => {
  const machine = createVirtualPlatform();
  const server = createScriptedTransport();
  return {
    machine,
    server,
    client: createClient({ transport: server, platform: machine, userAgent: 'test/1', fieldManager: 'tester' }),
    answered: async (work, status, body) => {
      await machine.advance(0);
      server.last().answer(status, body);
      return work;
    },
    failed: async (work) => {
      try {
        await work;
      } catch (error) {
        if (isApiError(error)) return error;
        throw error;
      }
      throw new Error('it did not fail');
    },
  };
};

/** A Status as the server sends it. */
export const failure = (code: number, reason: string, extra: object = {}): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: `because ${reason}`,
  reason,
  code,
  ...extra,
});
