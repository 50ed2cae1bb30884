/** A JSON schema, as a model reads it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a tool for a model. */
export interface ToolSpec {
  readonly name: string;
  /** Its purpose and when to use it, in words for the model. */
  readonly description: string;
  /** Schema of its arguments, an object. */
  readonly parameters: JsonSchema;
}

/** The tool schemas given to `assemble`, by their digest. */
export interface Tools {
  /** Identifies the schemas; '' for none. */
  readonly digest: string;
  readonly tokens: number;
}
