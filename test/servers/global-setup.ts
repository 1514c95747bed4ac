import { ensureBuild } from "./build.ts";

/** Once per run, before any project whose tests start the built server. */
export default function setup(): void {
  ensureBuild();
}
