/**
 * The protoc plugin `protoc-gen-rest`: for every service with `google.api.http` rules it writes the
 * routes, checked and parsed, beside the messages of the same file.
 */
import { runNodeJs } from "@bufbuild/protoplugin";
import { restPlugin } from "./rest-plugin.ts";

runNodeJs(restPlugin);
