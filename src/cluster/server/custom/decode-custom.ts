import { applyDefaults, builtinSchema, prune, type Schema } from '../../../objects/index.ts';
import type { CustomResource, StoredObject } from '../../server-types.ts';
import { type Decoded, decodeAsGo } from '../decode/as-go.ts';

/** A custom object as its schema holds it: unknown fields pruned, defaults filled in, metadata as in Go. */
export const decodeCustom = (custom: CustomResource, object: StoredObject): Decoded => {
  const schema = custom.schema as Schema;
  const { value, unknownFields } = prune(schema, object);
  const filled = applyDefaults(schema, value) as StoredObject;
  const metadata = decodeAsGo(objectMeta, filled.metadata).value;
  return { value: { ...filled, metadata }, unknownFields };
};

const objectMeta = builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
