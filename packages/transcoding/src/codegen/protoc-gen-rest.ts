/**
 * The protoc plugin `protoc-gen-rest`: for every service with `google.api.http`
 * rules it writes the routes, checked and parsed, beside the messages of the same
 * file. It sees all files at once (`strategy: all`), so that it can refuse routes
 * that two services share.
 */
import { runNodeJs } from "@bufbuild/protoplugin";
import { restPlugin } from "./rest-plugin.ts";

runNodeJs(restPlugin);
