# A tag can move: whoever releases the image names the base by its digest, as
# `--build-arg NODE_IMAGE=node:24-slim@sha256:…`. None stands here, since one that nobody
# renews is a base without its security updates.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE} AS dashboard

WORKDIR /app
COPY package.json package-lock.json ./
COPY gen gen
COPY packages packages
# With what only builds, in an image that nobody runs.
RUN npm ci --ignore-scripts
RUN npm run build

FROM ${NODE_IMAGE}

WORKDIR /app
COPY package.json package-lock.json ./
COPY gen gen
COPY packages packages
# Nothing that a package brings is run when it is installed. The image brings Node 24
# itself: the optional packages that hold another copy of it for machines without are
# left out, and so are types and source maps, two fifths of what is installed.
RUN npm ci --ignore-scripts --omit=dev --omit=optional && npm cache clean --force && \
  find node_modules -type f \
    \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
COPY src src
COPY --from=dashboard /app/dist/dashboard dist/dashboard
COPY LICENSE ./

# In a container the service must listen on all addresses, and others reach it. Whoever
# runs the image says how they do: by TLS_CERT_FILE and TLS_KEY_FILE, TRUST_PROXY=1 or
# INSECURE_HTTP=1. Without one of these it does not start.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# The image's user `node` owns the folder that the volume starts from. It is all that is
# written to, and with DATABASE_URL not even that: the root file system can be read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
# The API; and the operator's service with the metrics, which listens inside of the
# container only, unless ADMIN_HOST says otherwise.
EXPOSE 8080 8081

# The process lives. Whether it can serve is /readyz, which is for whoever routes
# requests to it: a database that is away is no reason to restart the container. With
# TLS, plain HTTP is redirected, and an answer that says so is a sign of life too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`, { redirect: 'manual' }).then(({ status }) => process.exit(status < 400 ? 0 : 1), () => process.exit(1))"]

# What the process allocates is mostly soon garbage: with less room for that (in MiB), and
# fewer arenas of the C library for its threads, it takes half the memory.
ENV MALLOC_ARENA_MAX=2
# Node itself as the first process, so that SIGTERM reaches it.
CMD ["node", "--max-semi-space-size=8", "--max-old-space-size=768", "src/start.mjs"]
