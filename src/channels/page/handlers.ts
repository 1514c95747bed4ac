import type { Context } from "hono";
import { type Access, type Visitor, envOf } from "./access.ts";
import { refusedView } from "./entry-views.ts";
import type { Html } from "./layout.ts";
import { titledView } from "./list-view.ts";
import { readForm } from "./read-form.ts";

type Handler = (context: Context) => Promise<Response>;

/** The kinds of handlers of the page. Each needs a session, and leads other visitors to the sign-in. */
export interface Handlers {
  inside: (handle: (context: Context, visitor: Visitor) => Promise<Response>) => Handler;
  /** Shows a page with this title. Refuses if the person has no such page. */
  titled: (title: string, bodyFor: (visitor: Visitor) => Promise<Html | undefined>) => Handler;
  /** Acts on a form, and redirects to the returned path. Refuses a form that is not from this page. */
  acting: (
    act: (form: URLSearchParams, visitor: Visitor) => Promise<string | undefined>,
  ) => Handler;
  /** Responds to a form or page that is not for this person. */
  notOurs: (context: Context, visitor: Visitor) => Response | Promise<Response>;
  /** Returns the parts that every page has. */
  frame: (visitor: Visitor) => Parameters<typeof titledView>[0];
}

/**
 * Creates the handlers.
 * @param settings.seen called on every request of a person's page
 */
export function createHandlers(
  access: Access,
  settings: { hasAccess: boolean; seen: (() => void) | undefined },
): Handlers {
  const { root, leaveWords } = access;
  const { hasAccess, seen } = settings;

  const frame: Handlers["frame"] = (visitor) => ({ root, visitor, leaveWords, hasAccess });

  const notOurs: Handlers["notOurs"] = (context, { base }) => {
    const text = "This form is not from this page, or it is out of date. Nothing was decided.";
    return context.html(refusedView(root, text, base), 403);
  };

  const inside: Handlers["inside"] = (handle) => async (context) => {
    const visitor = await access.visitor(context);
    if (visitor === undefined) return await access.turnAway(context);
    const env = envOf(context);
    env.proved?.(visitor.name);
    env.base = visitor.base;
    seen?.();
    return await handle(context, visitor);
  };

  return {
    inside,
    notOurs,
    frame,
    titled: (title, bodyFor) =>
      inside(async (context, visitor) => {
        const body = await bodyFor(visitor);
        return body === undefined
          ? notOurs(context, visitor)
          : context.html(titledView(frame(visitor), title, body));
      }),
    acting: (act) =>
      inside(async (context, visitor) => {
        const form = await readForm(context);
        const path = form && (await act(form, visitor));
        return path === undefined ? notOurs(context, visitor) : context.redirect(path, 303);
      }),
  };
}
