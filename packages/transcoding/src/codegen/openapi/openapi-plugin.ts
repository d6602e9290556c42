import { create, createFileRegistry } from "@bufbuild/protobuf";
import {
  type CodeGeneratorRequest,
  type CodeGeneratorResponse,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { type Plugin, runNodeJs } from "@bufbuild/protoplugin";
import { findHttpExtension } from "../http-bindings.ts";
import { openApiDocument } from "./document.ts";
import type { OpenApiOptions } from "./options.ts";

export type { OpenApiOptions } from "./options.ts";

/** Writes `openapi.json`, of the services of all files that it is asked for. */
export function openApiPlugin(options: OpenApiOptions): Plugin {
  function run({ protoFile, fileToGenerate }: CodeGeneratorRequest): CodeGeneratorResponse {
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: protoFile }));
    const http = findHttpExtension([...registry.files]);
    const asked = fileToGenerate
      .toSorted()
      .flatMap((name) => registry.getFile(name) ?? [])
      .filter(({ services }) => services.length > 0);
    const file = [];
    if (http !== null) {
      const document = openApiDocument(asked, http, options);
      file.push({ name: "openapi.json", content: `${JSON.stringify(document, null, 2)}\n` });
    }
    const supportedFeatures = BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL);
    return create(CodeGeneratorResponseSchema, { file, supportedFeatures });
  }
  return { name: "protoc-gen-openapi", version: "v1", run };
}

/** The same, as the process that the compiler starts. */
export function runOpenApiPlugin(options: OpenApiOptions): void {
  runNodeJs(openApiPlugin(options));
}
