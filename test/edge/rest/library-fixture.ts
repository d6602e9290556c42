import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import { bindRoute } from "../../../src/edge/rest/codegen/bind-route.ts";
import { findHttpExtension, httpBindings } from "../../../src/edge/rest/codegen/http-bindings.ts";
import type { Route } from "../../../src/edge/rest/route.ts";
import { compileProtos, registryOf } from "./protos-fixture.ts";

/** The protos of `test/edge/rest/protos`. */
export const registry = registryOf(compileProtos());

export const libraryService = registry.getService("rest.test.v1.LibraryService") as DescService;

/** What the generated module of the library service would hold. */
export const libraryRoutes: readonly Route[] = routesOf(libraryService);

function routesOf(service: DescService): Route[] {
  const http = findHttpExtension([...registry.files]);
  if (http === null) throw new Error("google.api.http is not there");
  return service.methods.flatMap((rpc) =>
    httpBindings(rpc, http).map((binding) => ({
      rpc: rpc as DescMethodUnary,
      ...bindRoute(rpc, binding),
    })),
  );
}
