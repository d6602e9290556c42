import { grace } from "./8/grace.ts";
import { namedLimits } from "./8/limits.ts";
import { rateLimit } from "./8/rate-limit.ts";
import { writeQuota } from "./8/write-quota.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec({ rateLimit: true });

namedLimits(spec);
rateLimit(spec);
writeQuota(spec);
grace(spec);
