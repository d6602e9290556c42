import type { DescService } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, type GeneratedFile, type Schema } from "@bufbuild/protoplugin";
import { type RpcRoute, routesOf } from "./service-routes.ts";

/**
 * Writes `NAME_rest.ts` for every NAME.proto that has a `google.api.http` rule. That no two routes
 * answer the same requests, the router sees to.
 */
export const restPlugin = createEcmaScriptPlugin({
  name: "protoc-gen-rest",
  version: "v1",
  generateTs,
});

function generateTs(schema: Schema): void {
  for (const file of schema.files) {
    const services = file.services
      .map((service) => ({ service, routes: routesOf(service) }))
      .filter(({ routes }) => routes.length > 0);
    if (services.length === 0) continue;
    const f = schema.generateFile(`${file.name}_rest.ts`);
    f.preamble(file);
    for (const { service, routes } of services) printRoutes(f, service, routes);
  }
}

function printRoutes(f: GeneratedFile, service: DescService, routes: readonly RpcRoute[]): void {
  const name = `${service.name[0]?.toLowerCase()}${service.name.slice(1)}Routes`;
  f.print(f.jsDoc(`The routes of ${service.typeName}, in the order of its RPCs.`));
  f.print(f.export("const", name), " = [");
  for (const { rpc, route } of routes) {
    f.print("  {");
    f.print("    rpc: ", f.importSchema(service), ".method.", rpc.localName, ",");
    for (const [property, value] of Object.entries(route)) {
      if (Array.isArray(value) && value.length > 0) {
        f.print("    ", property, ": [");
        for (const element of value) f.print("      ", literal(element), ",");
        f.print("    ],");
      } else {
        f.print("    ", property, ": ", literal(value), ",");
      }
    }
    f.print("  },");
  }
  f.print("] as const;");
  f.print();
}

/** As TypeScript source on one line, property names unquoted. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const properties = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
  return `{ ${properties.join(", ")} }`;
}
