# Pinkas in one container, with a PostgreSQL of its own; everything it keeps lies in the volume /data.
FROM node:22-bookworm-slim AS build
WORKDIR /pinkas
COPY package.json package-lock.json ./
COPY tools/install.mjs tools/
RUN node -e "import('./tools/install.mjs').then(({ install }) => install())"
COPY . .
RUN node -e "import('./tools/start.mjs').then(({ build }) => build())" && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /pinkas
COPY --from=build --chown=node:node /pinkas ./
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGINT
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/server.js"]
