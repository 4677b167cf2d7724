/** What the probes of a kubelet and Prometheus ask for; listening is the caller's. */
export interface ProbeAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ProbeSources {
  /** The process does its work (as leader) or stands ready to (as standby). */
  readonly alive: () => boolean;
  /** Caches are in and decisions may be taken. */
  readonly ready: () => boolean;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

/** Answers `/healthz`, `/readyz` and `/metrics`; anything else is 404. */
export const answerProbe = async (sources: ProbeSources, path: string): Promise<ProbeAnswer> => {
  switch (path.split('?')[0]) {
    case '/healthz':
      return verdict(sources.alive());
    case '/readyz':
      return verdict(sources.ready());
    case '/metrics':
      return { status: 200, contentType: sources.metrics.contentType, body: await sources.metrics.text() };
    default:
      return { status: 404, contentType: 'text/plain', body: 'not found\n' };
  }
};

const verdict = (good: boolean): ProbeAnswer => ({
  status: good ? 200 : 503,
  contentType: 'text/plain',
  body: good ? 'ok\n' : 'not yet\n',
});
