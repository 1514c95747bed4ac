import { expect } from "vitest";
import { type Attack, errorAtHost, grants, staysHere } from "./oauth-attack.ts";
import { allow, resource } from "./oauth-flow.ts";
import { browser, lookAtPage, origin } from "./oauth-host.ts";

/** Attacks on the authorization request and on consent. */
export const attacksOnRequests: Attack[] = [
  {
    attack: "a redirect to an address that is only similar",
    from: "4.1",
    fails: async ({ flow }) => {
      for (const redirect_uri of [
        "https://evil.example.com/callback",
        "https://host.example.com.evil.example/callback",
        "https://host.example.com@evil.example/callback",
        "https://host.example.com:8443/callback",
        "http://host.example.com/callback",
        "https://host.example.com/callback/more",
        "https://host.example.com/callback/../evil",
        "https://host.example.com/callback%2f..%2fevil",
        "https://host.example.com/callback?next=https://evil.example",
        "https://host.example.com/callback#x",
        "https://host.example.com/Callback",
        "https://HOST.example.com\\@evil.example/callback",
        "//evil.example/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "",
        undefined,
      ]) {
        await staysHere(flow, { redirect_uri });
      }
    },
  },
  {
    attack: "a loopback redirect to another name, scheme or path",
    from: "4.1.3",
    fails: async ({ flow }) => {
      const metadata = { redirect_uris: ["http://127.0.0.1/callback"] };
      for (const redirect_uri of [
        "http://127.0.0.1.evil.example:1234/callback",
        "http://localhost:1234/callback",
        "http://127.0.0.1@evil.example/callback",
        "https://127.0.0.1:1234/callback",
        "http://127.0.0.1:1234/other",
        "http://127.0.0.2:1234/callback",
        "http://[::1]:1234/callback",
        "http://[::ffff:127.0.0.1]:1234/callback",
        "http://127.1:1234/callback",
        "http://2130706433:1234/callback",
        "http://127.0.0.1:1234/callback/.",
        "http://127.0.0.1:1234/x/../callback",
        "http://127.0.0.1:1234/call\tback",
        "http://127.0.0.1:1234/callback\r\nX-Header: 1",
        "http:\\\\127.0.0.1:1234\\callback",
        "http:127.0.0.1:1234/callback",
        "http://127.0.0.1:99999/callback",
      ]) {
        await staysHere(flow, { redirect_uri }, metadata);
      }
      for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
        const clientId = await flow.client({ redirect_uris: [`http://${host}/callback`] });
        const port = { redirect_uri: `http://${host}:54321/callback` };
        expect((await flow.authorize(clientId, port)).status, host).toBe(303);
      }
    },
  },
  {
    attack: "the server as an open redirector",
    from: "4.11",
    fails: async ({ flow }) => {
      const { status, location } = await flow.authorize("unknown", {
        redirect_uri: "https://evil.example/",
      });
      expect([status, location]).toEqual([400, ""]);
      await staysHere(flow, { redirect_uri: "https://evil.example/", response_type: "nonsense" });
    },
  },
  {
    attack: "a registered program that sends a person to its own sign-in page",
    from: "4.11.2",
    fails: async ({ flow, mcpUrl }) => {
      // A link to this server led to the program's page at once, where the person could type the secret.
      const headers = { "sec-fetch-mode": "navigate" };
      const look = async (clientId: string, params: Record<string, string>) => {
        const { pathname, search } = new URL(flow.authorizeUrl(clientId, params));
        return await lookAtPage(mcpUrl, pathname + search, headers);
      };
      const clientId = await flow.client();
      for (const [params, error] of [
        [{ prompt: "none" }, "login_required"],
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ resource: "https://evil.example/" }, "invalid_target"],
      ] as const) {
        const { status, text } = await look(clientId, params);
        expect(status, error).toBe(400);
        expect(text).toContain(`The request of this client is not valid (${error}).`);
      }
      const redirect_uri = "http://127.0.0.1/callback";
      const local = await flow.client({ redirect_uris: [redirect_uri] });
      expect((await look(local, { redirect_uri, prompt: "none" })).status).toBe(303);
    },
  },
  {
    attack: "a mix-up of two authorization servers",
    from: "4.4",
    fails: async ({ flow }) => {
      const clientId = await flow.client();
      const given = (await flow.signIn(clientId)).searchParams;
      expect([given.get("iss"), given.get("state")]).toEqual([origin, "state-1"]);
      const refused = (await flow.signIn(clientId, {}, { ...allow, verdict: "deny" })).searchParams;
      expect([refused.get("iss"), refused.get("error")]).toEqual([origin, "access_denied"]);
      expect(refused.get("state")).toBe("state-1");
    },
  },
  {
    attack: "another host name in the headers of a proxy",
    from: "4.4, 4.13",
    fails: async ({ flow }) => {
      const headers = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
      for (const path of ["oauth-authorization-server", "oauth-protected-resource"]) {
        const metadata = await flow.send(`${origin}/.well-known/${path}`, { headers });
        expect(await metadata.text()).not.toContain("evil");
      }
    },
  },
  {
    attack: "consent that another page posts",
    from: "4.7",
    fails: async ({ flow, home }) => {
      const before = await grants(home);
      const person = browser(flow.send);
      const page = await person.open(flow.authorizeUrl(await flow.client()));
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "null", "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ]) {
        expect((await person.look(page, allow, headers)).status).toBe(403);
      }
      expect(await grants(home)).toBe(before);
    },
  },
  {
    attack: "consent in another browser than the one that asked",
    from: "4.7",
    fails: async ({ flow, home }) => {
      const before = await grants(home);
      const attacker = browser(flow.send);
      const page = await attacker.open(flow.authorizeUrl(await flow.client()));
      const { status, text } = await browser(flow.send).look(page, allow);
      expect([status, text.includes("another browser")]).toEqual([400, true]);
      // The cookies of one authorization do not open the page of another.
      const other = browser(flow.send);
      await other.open(flow.authorizeUrl(await flow.client()));
      expect((await other.look(page, allow)).status).toBe(400);
      expect(await grants(home)).toBe(before);
    },
  },
  {
    attack: "consent without a person",
    from: "OpenID Connect 3.1.2.1",
    fails: async ({ flow }) => {
      const clientId = await flow.client();
      const person = browser(flow.send);
      const page = await person.open(flow.authorizeUrl(clientId));
      await person.decide(page, allow);
      const silent = await person.look(flow.authorizeUrl(clientId, { prompt: "none" }));
      expect(new URL(silent.location).searchParams.get("error")).toMatch(/_required$/);
      const { location } = await person.look(flow.authorizeUrl(clientId));
      expect(location).toContain("/oauth/consent/");
    },
  },
  {
    attack: "a redirect that carries the secret on to the host",
    from: "4.12",
    fails: async ({ flow }) => {
      const person = browser(flow.send);
      const page = await person.open(flow.authorizeUrl(await flow.client()));
      let { status, location } = await person.look(page, allow);
      // A browser that follows 303 sends a GET, and one that follows 307 or 308 would post the form again.
      expect(status).toBe(303);
      while (location.startsWith(origin) || location.startsWith("/")) {
        expect(location).not.toContain(allow.secret);
        ({ status, location } = await person.look(location));
        expect(status).toBe(303);
      }
      expect(location).toMatch(/^https:\/\/host\.example\.com\/callback\?code=/);
      expect(location).not.toContain(allow.secret);
    },
  },
  {
    attack: "consent with the session of the approval page instead of the secret",
    from: "docs/security.md",
    fails: async ({ flow, home, mcpUrl }) => {
      const before = await grants(home);
      const { secret } = allow;
      const { cookie } = await lookAtPage(mcpUrl, "/approvals/sign-in", {}, { secret });
      expect((await lookAtPage(mcpUrl, "/approvals", { cookie })).text).toContain("You decide as");
      const person = browser(flow.send);
      const page = await person.open(flow.authorizeUrl(await flow.client()));
      const [name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie)?.slice(1) ?? [];
      person.cookies.set(name, value);
      const { status } = await person.look(page, { verdict: "allow", scope: "mcp", secret: "" });
      expect(status).toBe(403);
      expect(await grants(home)).toBe(before);
      const called = await flow.send(resource, { method: "POST", headers: { cookie } });
      expect(called.status).toBe(401);
    },
  },
  {
    attack: "consent in a frame",
    from: "4.16",
    fails: async ({ flow }) => {
      const person = browser(flow.send);
      const page = await person.open(flow.authorizeUrl(await flow.client()));
      const { headers } = await person.look(page);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
    },
  },
  {
    attack: "flows that put tokens into addresses, or need a password",
    from: "2.1.2, 2.4",
    fails: async ({ flow }) => {
      for (const response_type of ["token", "id_token", "code token", "code id_token"]) {
        const { status, location } = await flow.authorize(await flow.client(), { response_type });
        expect(location, response_type).not.toContain("access_token");
        if (status !== 400) {
          expect(location, response_type).toContain("error=unsupported_response_type");
        }
      }
      for (const response_mode of ["fragment", "form_post", "web_message", "query.jwt"]) {
        await staysHere(flow, { response_mode });
      }
      const clientId = await flow.client();
      for (const grant_type of ["password", "client_credentials", "urn:ietf:params:oauth:x"]) {
        const params = { grant_type, client_id: clientId, username: "alice", password: "x" };
        const { status, body } = await flow.post("/oauth/token", params);
        expect([status, body["error"]]).toEqual([400, "unsupported_grant_type"]);
      }
    },
  },
  {
    attack: "a request object that makes the server fetch an address",
    from: "RFC 9101 10.4",
    fails: async ({ flow }) => {
      expect(await errorAtHost(flow, { request: "eyJhbGciOiJub25lIn0.e30." })).toBe(
        "request_not_supported",
      );
      const asked = { request_uri: "http://169.254.169.254/latest" };
      expect(await errorAtHost(flow, asked)).toBe("request_uri_not_supported");
    },
  },
  {
    attack: "a client name that imitates ours or contains markup",
    from: "4.16",
    fails: async ({ flow }) => {
      const shown = async (client_name: string) => {
        const person = browser(flow.send);
        const url = flow.authorizeUrl(await flow.client({ client_name }));
        return (await person.look(await person.open(url))).text;
      };
      for (const name of ["Countersign", "C o u n t e r s i g n", "Сountersign", "Ｃ0untersıgn"]) {
        expect(await shown(name)).toContain("a name that imitates this server");
      }
      expect(await shown("Сlaude")).toContain("mixes letters of several alphabets");
      expect(await shown("\u202Eedualc\u202C\u200B (verified)")).toContain("not verified");
      expect(await shown('<script>alert("x")</script>')).not.toContain("<script>alert");
    },
  },
];
