FROM node:24.18.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src src
COPY drizzle drizzle
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24.18.0-bookworm-slim
# tini forwards signals and reaps left-over processes. Node as the first process of a container does neither.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends "tini=0.19.0-*" \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --mode=700 --owner=node --group=node /data
ENV NODE_ENV=production COUNTERSIGN_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bundle bundle
# The user `node` of the image, as a number, so that a host can check that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 2525
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/app/bundle/main.js"]
CMD ["serve", "--http"]
