import type { DescExtension, DescMethod, DescService } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, type GeneratedFile, type Schema } from "@bufbuild/protoplugin";
import { routeIdentity } from "../route.ts";
import { findHttpExtension, GenerationError, type RpcRoute, routesOf } from "./service-routes.ts";

/** Writes `NAME_rest.ts` for every NAME.proto that has a `google.api.http` rule. */
export const restPlugin = createEcmaScriptPlugin({
  name: "protoc-gen-rest",
  version: "v1",
  generateTs,
});

function generateTs(schema: Schema): void {
  const http = findHttpExtension(schema.allFiles);
  if (http === null) return;
  const owners = new Map<string, DescMethod>();

  for (const file of schema.files) {
    const services = file.services
      .map((service) => ({ service, routes: uniqueRoutesOf(service, http, owners) }))
      .filter(({ routes }) => routes.length > 0);
    if (services.length === 0) continue;
    const f = schema.generateFile(`${file.name}_rest.ts`);
    f.preamble(file);
    for (const { service, routes } of services) printRoutes(f, service, routes);
  }
}

/** `owners` remembers who has a route already; it grows. */
function uniqueRoutesOf(
  service: DescService,
  http: DescExtension,
  owners: Map<string, DescMethod>,
): RpcRoute[] {
  const routes = routesOf(service, http);
  for (const { rpc, route } of routes) {
    // An event stream shares the requests of a route that is checked here.
    if (route.format === "event_stream") continue;
    const identity = routeIdentity(route);
    const owner = owners.get(identity);
    if (owner !== undefined) {
      const where = `${owner.parent.name}.${owner.name}`;
      const problem = `${route.httpMethod} ${route.template} answers the same requests as ${where}`;
      throw new GenerationError(rpc, problem);
    }
    owners.set(identity, rpc);
  }
  return routes;
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
