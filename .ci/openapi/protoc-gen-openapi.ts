/**
 * The protoc plugin `protoc-gen-openapi`: writes the OpenAPI document of the API. It uses
 * what the service itself uses to serve it, and so what is generated from the protos: it
 * runs after the other plugins.
 */
import { runOpenApiPlugin } from "@agent-memory/transcoding/openapi";
import { OPENAPI_OPTIONS } from "./options.ts";

runOpenApiPlugin(OPENAPI_OPTIONS);
