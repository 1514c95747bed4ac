import { execFileSync } from "node:child_process";
import { isIP } from "node:net";
import { join } from "node:path";

/** Writes a self-signed certificate for these addresses or names, as PEM files in a directory. */
export function makeCertificate(
  directory: string,
  addresses: readonly string[],
  name = "certificate",
): { cert: string; key: string } {
  const cert = join(directory, `${name}.pem`);
  const key = join(directory, `${name}.key`);
  const names = addresses.map((each) => `${isIP(each) === 0 ? "DNS" : "IP"}:${each}`).join(",");
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const extensions = [
    `subjectAltName=DNS:localhost,${names}`,
    // Some clients refuse a server whose certificate is that of an authority, which is the default.
    "basicConstraints=critical,CA:FALSE",
  ].flatMap((extension) => ["-addext", extension]);
  const subject = ["-subj", "/CN=localhost", ...extensions];
  const files = ["-keyout", key, "-out", cert, "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...files], { stdio: "pipe" });
  return { cert, key };
}
