import type { KubeObject } from '../objects/index.ts';
import { modelServingCrdJson } from './crd.gen.ts';

/** The CustomResourceDefinition of ModelServing, as an object ready to be created. */
export const modelServingCrd: KubeObject = JSON.parse(modelServingCrdJson);
