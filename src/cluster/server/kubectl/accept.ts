/** One clause of an Accept header: `application/json;as=Table;v=v1;g=meta.k8s.io`. */
export interface MediaRange {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The clauses in the order of the client's preference. Kubernetes' clients order them; `q` is not used by any. */
export const parseAccept = (header: string | undefined): readonly MediaRange[] => {
  if (header === undefined || header.trim() === '') return [{ type: '*/*', parameters: {} }];
  return header.split(',').map((clause) => {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    return { type: type.toLowerCase(), parameters: Object.fromEntries(parameters.map(keyAndValue)) };
  });
};

const keyAndValue = (parameter: string): readonly [string, string] => {
  const at = parameter.indexOf('=');
  return at < 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1).replace(/^"|"$/g, '')];
};

export const acceptsJson = ({ type }: MediaRange): boolean =>
  type === '*/*' || type === 'application/*' || type === 'application/json';
