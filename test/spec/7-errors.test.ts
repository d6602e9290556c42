import { errorBodies } from "./7/bodies.ts";
import { grpc } from "./7/grpc.ts";
import { errorPrecedence } from "./7/precedence.ts";
import { malformedRequests } from "./7/requests.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec({ rateLimit: true });

malformedRequests(spec);
errorBodies(spec);
errorPrecedence(spec);
grpc(spec);
