/** The MCP endpoint as a protected resource. */
export interface ProtectedResource {
  /** The URL of the MCP endpoint, to which tokens are bound (RFC 8707). */
  resource: string;
  /** The issuer whose tokens are accepted. */
  authorizationServer: string;
}

/**
 * The paths of the metadata. The path of the resource follows the well-known part (RFC 9728, section 3.1). Some clients
 * only use the root.
 */
export const resourcePaths: readonly string[] = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
];

/** Returns the address of the metadata, for the header of a refusal. */
export function metadataAddress({ resource }: ProtectedResource): string {
  return new URL("/.well-known/oauth-protected-resource/mcp", resource).href;
}

/** Returns the metadata (RFC 9728, section 2). */
export function resourceMetadata({ resource, authorizationServer }: ProtectedResource): string {
  return JSON.stringify({
    resource,
    authorization_servers: [authorizationServer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["mcp", "mcp:read"],
    resource_name: "Countersign",
  });
}
